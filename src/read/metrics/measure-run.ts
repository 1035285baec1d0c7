import type { JournalReader } from "../../world/index.ts";
import { type CountedFrom, countedFrom, readLog, stateCountedFrom } from "../log/log.ts";
import { alarmLines } from "./alarms.ts";
import { type RunFigures, RunMeter, UNCOUNTED } from "./run-meter.ts";

export const newMeter = (
  journal: JournalReader,
  base: CountedFrom = countedFrom(journal),
): RunMeter => new RunMeter(base, stateCountedFrom(journal, base));

/** Measures a run up to event `upTo`. By default measures all events. Reads the journal once. */
export const measureRun = (journal: JournalReader, upTo?: number): RunMeter => {
  const meter = newMeter(journal);
  readLog(journal, [meter], { withoutBodies: UNCOUNTED, upTo });
  return meter;
};

/** Computes the figures of a run since `base`, which may be any event. Reads the journal once. */
export const runFigures = (
  journal: JournalReader,
  base: CountedFrom = countedFrom(journal),
): RunFigures => {
  const meter = newMeter(journal, base);
  readLog(journal, [meter], { withoutBodies: UNCOUNTED, after: base.seq });
  const figures = meter.figures();
  // Reads the alarms of the whole journal: an alarm that is on at `base` was raised earlier.
  return { ...figures, alarms: alarmLines(journal, { fromMs: base.at_ms, toMs: figures.atMs }) };
};
