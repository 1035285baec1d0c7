import { decodeEvent } from "../kernel/index.ts";
import { isBookkeeping, type Journal } from "../world/index.ts";
import { type AlarmLine, alarmLines } from "./alarms.ts";
import { type CountedFrom, countedFrom } from "./counted-from.ts";
import { type Income, IncomeSheet } from "./income.ts";
import { type ActionTally, type Tally, TallySheet } from "./tally.ts";

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

/**
 * Goes through the journal once, so that a run made in parts is counted as one. The base is its
 * own, or any later event of it.
 */
export const readRun = (journal: Journal, base: CountedFrom = countedFrom(journal)): RunReading => {
  const sheet = new TallySheet();
  const incomes = new IncomeSheet();
  let [events, lastSeq, atMs] = [0, base.seq, base.at_ms];
  for (const row of journal.events({ after: base.seq })) {
    events += 1;
    lastSeq = row.seq;
    atMs = row.atMs;
    if (isBookkeeping(row.kind)) continue;
    const event = decodeEvent(row);
    sheet.count(event);
    incomes.count(event);
  }
  return {
    base,
    events,
    lastSeq,
    atMs,
    tally: sheet.total(),
    actionsOf: (id) => sheet.actionsOf(id),
    incomeOf: (id) => incomes.of(id),
    alarms: alarmLines(journal, { fromMs: base.at_ms, toMs: atMs }),
  };
};
