import { decodeEvent } from "../kernel/index.ts";
import { isBookkeeping, type Journal } from "../world/index.ts";
import { type AlarmLine, alarmLines } from "./alarms.ts";
import { type Income, IncomeSheet } from "./income.ts";
import { type ModelCallReport, modelCallReport } from "./model-call-report.ts";
import { type Tally, TallySheet } from "./tally.ts";

/** What the events of a run add up to. */
export type RunReading = {
  readonly events: number;
  readonly lastSeq: number;
  readonly atMs: number;
  readonly tally: Tally;
  readonly incomeOf: (id: string) => Income;
  readonly alarms: readonly AlarmLine[];
  /** Null where no language model was asked. */
  readonly modelCalls: ModelCallReport | null;
};

/** Goes through the whole journal once, so that a run made in parts is counted as one. */
export const readRun = (journal: Journal): RunReading => {
  const sheet = new TallySheet();
  const incomes = new IncomeSheet();
  let [events, lastSeq, atMs] = [0, 0, 0];
  for (const row of journal.events()) {
    events += 1;
    lastSeq = row.seq;
    atMs = row.atMs;
    if (isBookkeeping(row.kind)) continue;
    const event = decodeEvent(row);
    sheet.count(event);
    incomes.count(event);
  }
  return {
    events,
    lastSeq,
    atMs,
    tally: sheet.total(),
    incomeOf: (id) => incomes.of(id),
    alarms: alarmLines(journal, atMs),
    modelCalls: modelCallReport(journal),
  };
};
