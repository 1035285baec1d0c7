import { type Attempt, outlayIn, WINDOW_MS } from "../mind/index.ts";
import { carriedBy, type Journal } from "../world/index.ts";

/** What models have been asked before this process. */
export type Asked = {
  /** What all calls have cost, with those of the runs that this one goes on from. */
  readonly spentMicros: number;
  /** How this run has asked providers within their last minute. */
  readonly attempts: readonly Attempt[];
};

export const NOTHING_ASKED: Asked = { spentMicros: 0, attempts: [] };

/** `wallMs`: ms since 1970. */
export const askedIn = (journal: Journal, wallMs: number): Asked => {
  const base = journal.baseMark();
  let spentMicros = base === null ? 0 : carriedBy(base).spentMicros;
  const attempts: Attempt[] = [];
  for (const { body } of journal.modelCalls()) {
    const outlay = outlayIn(body);
    spentMicros += outlay.costMicros;
    attempts.push(...outlay.attempts.filter(({ endedMs }) => endedMs > wallMs - WINDOW_MS));
  }
  return { spentMicros, attempts };
};
