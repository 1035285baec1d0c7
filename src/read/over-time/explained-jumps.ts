import type { JournalReader } from "../../world/index.ts";
import { eventSentence } from "../describe/event-descriptions.ts";
import { rowAt } from "../log/log.ts";
import type { Jump, JumpCounter } from "../metrics/jumps.ts";
import type { Timeline } from "../metrics/timeline.ts";

/** A large change of a value, with the sentence of the event that caused it. */
export type ExplainedJump = Jump & { readonly says: string };

/** The large changes in the charts of the overview. */
export type RunJumps = {
  readonly wealth: readonly (ExplainedJump & { readonly agent: string })[];
  readonly prices: readonly ExplainedJump[];
};

/** The number of agents with a line of wealth in the overview. Only their changes have marks. */
export const WEALTH_LINES = 12;

/** A chart with more marks would be hard to read. */
const MARKS_MAX = 5;
/** A smaller change can hardly be seen: this share of the highest value. */
const SHARE_MIN = 0.05;

/** The largest changes that can be seen in a chart up to `highest`, in order of time. */
export const explainedJumps = <Each extends Jump>(
  journal: JournalReader,
  jumps: readonly Each[],
  highest: number,
): readonly (Each & ExplainedJump)[] =>
  jumps
    .filter(({ amount }) => Math.abs(amount) >= SHARE_MIN * highest)
    .toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount) || b.seq - a.seq)
    .slice(0, MARKS_MAX)
    .sort((a, b) => a.seq - b.seq)
    .map((jump) => {
      const row = rowAt(journal, jump.seq);
      if (row === null) return { ...jump, says: "" };
      return { ...jump, at_ms: row.atMs, says: eventSentence(row) };
    });

/** `jumps` and the timeline are those of the run of `journal`, or of a period of it. */
export const runJumps = (
  journal: JournalReader,
  jumps: Pick<JumpCounter, "prices" | "wealthOf">,
  { wealth: lines, price_index: prices }: Pick<Timeline, "wealth" | "price_index">,
): RunJumps => {
  const wealth = lines
    .slice(0, WEALTH_LINES)
    .flatMap(({ id: agent }) => jumps.wealthOf(agent).map((jump) => ({ ...jump, agent })));
  return {
    wealth: explainedJumps(journal, wealth, highestOf(lines.flatMap(({ scrip }) => scrip))),
    prices: explainedJumps(journal, jumps.prices, highestOf(prices)),
  };
};

export const highestOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
