import { type Journal, type JournalRow, noteOf } from "../world/index.ts";

/** How long one alarm rang in a run; the cause is that of the last time. */
export type AlarmLine = {
  readonly alarm: string;
  readonly times: number;
  readonly on_s: number;
  /** The part of the run's time for which it rang. */
  readonly share: number;
  readonly cause: string;
};

type Ringing = {
  readonly times: number;
  readonly onMs: number;
  readonly since: number | null;
  readonly cause: string;
};

const SILENT: Ringing = { times: 0, onMs: 0, since: null, cause: "" };

/** Adds up the notes of the journal; what still rings is counted up to `endMs`. */
export const alarmLines = (journal: Journal, endMs: number): readonly AlarmLine[] => {
  const rung = new Map<string, Ringing>();
  const rows = (kind: string): readonly JournalRow[] => [...journal.events({ kind })];
  const notes = [...rows("alarm_raised"), ...rows("alarm_cleared")].sort((a, b) => a.seq - b.seq);
  for (const { atMs, kind, body } of notes) {
    const { alarm, cause } = noteOf(body);
    const name = String(alarm);
    const before = rung.get(name) ?? SILENT;
    rung.set(
      name,
      kind === "alarm_raised"
        ? { ...before, times: before.times + 1, since: atMs, cause: String(cause) }
        : { ...before, onMs: before.onMs + atMs - (before.since ?? atMs), since: null },
    );
  }
  return [...rung].map(([alarm, { times, onMs, since, cause }]) => {
    const on = onMs + (since === null ? 0 : endMs - since);
    const share = endMs === 0 ? 0 : Math.round((on / endMs) * 1_000) / 1_000;
    return { alarm, times, on_s: on / 1_000, share, cause };
  });
};
