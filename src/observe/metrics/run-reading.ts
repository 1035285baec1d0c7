import type { AlarmLine } from "./alarms.ts";
import type { CountedFrom } from "./counted-from.ts";
import type { Income } from "./income.ts";
import type { PrincipalMetrics } from "./run-metrics.ts";
import type { ActionTally, Tally } from "./tally.ts";

/** What the books tell of one principal beside what it has; as in `PrincipalMetrics`. */
export type AccountReading = Pick<PrincipalMetrics, "began_with" | "paid" | "in_own_programs">;

/** What the events of a run add up to, from one of them on. */
export type RunReading = {
  readonly base: CountedFrom;
  readonly events: number;
  readonly lastSeq: number;
  readonly atMs: number;
  readonly tally: Tally;
  readonly actionsOf: (id: string) => ActionTally;
  readonly incomeOf: (id: string) => Income;
  readonly accountOf: (id: string) => AccountReading;
  readonly alarms: readonly AlarmLine[];
};
