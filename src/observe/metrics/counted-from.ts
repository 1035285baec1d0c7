import { carriedBy, type Journal } from "../../world/index.ts";

/**
 * Where the figures of a run begin to count what happens: with its world, or with the state that it
 * goes on from, since of what was before only the run that it comes from knows. What there is at
 * one moment, such as balances, does not depend on it.
 */
export type CountedFrom = {
  /** The run that this one goes on from; null: none, and all that has happened is counted. */
  readonly run: string | null;
  /** The last event that is not counted, and its run time. */
  readonly seq: number;
  readonly at_ms: number;
};

/** All that a journal has of its own. */
export const countedFrom = (journal: Journal): CountedFrom => {
  const mark = journal.baseMark();
  if (mark === null) return { run: null, seq: 0, at_ms: 0 };
  const { lineage } = carriedBy(mark);
  return { run: lineage.at(-1)?.run_id ?? null, seq: mark.seq, at_ms: mark.atMs };
};
