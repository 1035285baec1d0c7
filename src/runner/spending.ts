import { costIn } from "../mind/index.ts";
import { carriedBy, type Journal } from "../world/index.ts";

/** What all calls have cost, with those of the runs that this one goes on from. */
export const spentIn = (journal: Journal): number => {
  const base = journal.baseMark();
  let micros = base === null ? 0 : carriedBy(base).spentMicros;
  for (const { body } of journal.modelCalls()) micros += costIn(body);
  return micros;
};
