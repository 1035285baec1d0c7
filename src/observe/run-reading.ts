import { emptyState } from "../kernel/index.ts";
import { type Journal, restore } from "../world/index.ts";
import {
  alarmLines,
  type CountedFrom,
  countedFrom,
  RunMeter,
  type RunReading,
} from "./metrics/index.ts";

/** A meter at the beginning of a run: of a new world, or of what the run goes on from. */
export const newMeter = (journal: Journal, base: CountedFrom = countedFrom(journal)): RunMeter =>
  new RunMeter(base, base.seq === 0 ? emptyState() : restore(journal, { upTo: base.seq }).state);

/** Goes through the journal once, up to an event or its end. */
export const measureRun = (journal: Journal, upTo?: number): RunMeter => {
  const meter = newMeter(journal);
  for (const row of journal.events(upTo === undefined ? {} : { upTo })) meter.count(row);
  return meter;
};

/**
 * Goes through the journal once, so that a run made in parts is counted as one. The base is its
 * own, or any later event of it.
 */
export const readRun = (journal: Journal, base: CountedFrom = countedFrom(journal)): RunReading => {
  const meter = newMeter(journal, base);
  for (const row of journal.events({ after: base.seq })) meter.count(row);
  const reading = meter.reading();
  // An alarm that rings at the base was raised before it.
  return { ...reading, alarms: alarmLines(journal, { fromMs: base.at_ms, toMs: reading.atMs }) };
};
