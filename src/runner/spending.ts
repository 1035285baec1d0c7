import { costIn } from "../mind/index.ts";
import { carriedBy, type Journal } from "../world/index.ts";

/** What a call of a language model has cost, by what the journal keeps of it, in micro-dollars. */
export const costMicrosOf = (body: string): number => costIn(body);

/** What all calls have cost, with those of the runs that this one goes on from. */
export const spentIn = (journal: Journal): number => {
  const base = journal.base();
  let micros = base === null ? 0 : carriedBy(base).spentMicros;
  for (const { body } of journal.modelCalls()) micros += costIn(body);
  return micros;
};
