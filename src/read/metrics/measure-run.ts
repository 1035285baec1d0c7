import { emptyState, type State } from "../../kernel/index.ts";
import { carriedBy, type JournalReader, restore } from "../../world/index.ts";
import { alarmLines } from "./alarms.ts";
import { type RunFigures, RunMeter, UNCOUNTED } from "./run-meter.ts";
import type { CountedFrom } from "./run-metrics.ts";

/** The event after which figures count: the last event before the fork, or 0 without a fork. */
export const countedFrom = (journal: JournalReader): CountedFrom => {
  const mark = journal.baseMark();
  if (mark === null) return { run: null, seq: 0, at_ms: 0 };
  const { ancestry } = carriedBy(mark);
  return { run: ancestry.at(-1)?.run_id ?? null, seq: mark.seq, at_ms: mark.atMs };
};

/** The state at which counting starts: the state after event `seq`. */
export const stateCountedFrom = (journal: JournalReader, { seq } = countedFrom(journal)): State =>
  seq === 0 ? emptyState() : restore(journal, { upTo: seq }).state;

export const newMeter = (
  journal: JournalReader,
  base: CountedFrom = countedFrom(journal),
): RunMeter => new RunMeter(base, stateCountedFrom(journal, base));

/** The filter for the rows of a meter. */
export const COUNTED_ROWS = { withoutBodies: [...UNCOUNTED] };

/** Measures a run up to event `upTo`. By default measures all events. Reads the journal once. */
export const measureRun = (journal: JournalReader, upTo?: number): RunMeter => {
  const meter = newMeter(journal);
  for (const row of journal.events({ ...COUNTED_ROWS, upTo })) meter.count(row);
  return meter;
};

/** Computes the figures of a run since `base`, which may be any event. Reads the journal once. */
export const runFigures = (
  journal: JournalReader,
  base: CountedFrom = countedFrom(journal),
): RunFigures => {
  const meter = newMeter(journal, base);
  for (const row of journal.events({ ...COUNTED_ROWS, after: base.seq })) meter.count(row);
  const figures = meter.figures();
  // Reads the alarms of the whole journal: an alarm that is on at `base` was raised earlier.
  return { ...figures, alarms: alarmLines(journal, { fromMs: base.at_ms, toMs: figures.atMs }) };
};
