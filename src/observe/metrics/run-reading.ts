import type { AlarmLine } from "./alarms.ts";
import type { CountedFrom } from "./counted-from.ts";
import type { Income } from "./income.ts";
import type { ActionTally, Tally } from "./tally.ts";

/** What the events of a run add up to, from one of them on. */
export type RunReading = {
  readonly base: CountedFrom;
  readonly events: number;
  readonly lastSeq: number;
  readonly atMs: number;
  readonly tally: Tally;
  readonly actionsOf: (id: string) => ActionTally;
  readonly incomeOf: (id: string) => Income;
  readonly alarms: readonly AlarmLine[];
};
