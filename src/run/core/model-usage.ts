import { type Attempt, spendingIn, WINDOW_MS } from "../../model/index.ts";
import { carriedBy, type Journal } from "../../world/index.ts";

/** The model usage of a run before this process started. */
export type ModelUsage = {
  /** The cost of all model calls of this run and its ancestors. */
  readonly spentMicros: number;
  /** The model call attempts within the last minute. They count for rate limits. */
  readonly attempts: readonly Attempt[];
};

/** @param wallMs the current time in ms since 1970. */
export const modelUsageIn = (journal: Journal, wallMs: number): ModelUsage => {
  let { spentMicros } = carriedBy(journal.baseMark());
  const attempts: Attempt[] = [];
  for (const { body } of journal.modelCalls()) {
    const outlay = spendingIn(body);
    spentMicros += outlay.costMicros;
    attempts.push(...outlay.attempts.filter(({ endedMs }) => endedMs > wallMs - WINDOW_MS));
  }
  return { spentMicros, attempts };
};
