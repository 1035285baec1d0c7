import type { Agent, State } from "../../kernel/index.ts";
import { type Journal, restore } from "../../world/index.ts";
import type { CountedFrom } from "../metrics/index.ts";

type Counters = Agent["counters"];
type Trade = NonNullable<ReturnType<State["trades"]["get"]>>;

/**
 * What agents and artifacts had been counted to have done before the first event that a run has of
 * its own: a state counts from the beginning of the world, a run's figures from there.
 */
export type Earlier = {
  readonly counters: ReadonlyMap<string, Counters>;
  readonly trades: ReadonlyMap<string, Trade>;
};

export const earlierThan = (journal: Journal, { seq }: CountedFrom): Earlier => {
  if (seq === 0) return { counters: new Map(), trades: new Map() };
  const { state } = restore(journal, { upTo: seq });
  return {
    counters: new Map([...state.agents.rows()].map(({ id, counters }) => [id, counters])),
    trades: state.trades.snapshot(),
  };
};
