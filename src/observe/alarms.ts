import { type Journal, type JournalRow, noteOf } from "../world/index.ts";

/** How long one alarm rang; the cause is that of the last time. */
export type AlarmLine = {
  readonly alarm: string;
  readonly times: number;
  readonly on_s: number;
  /** The part of the time looked at for which it rang. */
  readonly share: number;
  readonly cause: string;
};

/** An alarm that rang once; it still does where `toMs` is null. */
type Ring = {
  readonly alarm: string;
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly cause: string;
};

type Span = { readonly fromMs: number; readonly toMs: number };

/** Adds up what the journal notes of alarms, each for so long as it rang between two moments. */
export const alarmLines = (journal: Journal, { fromMs, toMs }: Span): readonly AlarmLine[] => {
  const rung = new Map<
    string,
    { readonly times: number; readonly onMs: number; readonly cause: string }
  >();
  for (const ring of ringsIn(journal)) {
    if (ring.toMs !== null && ring.toMs <= fromMs) continue;
    const { alarm, cause } = ring;
    const before = rung.get(alarm) ?? { times: 0, onMs: 0 };
    const onMs = before.onMs + (ring.toMs ?? toMs) - Math.max(ring.fromMs, fromMs);
    rung.set(alarm, { times: before.times + 1, onMs, cause });
  }
  const wholeMs = toMs - fromMs;
  return [...rung].map(([alarm, { times, onMs, cause }]) => {
    const share = wholeMs === 0 ? 0 : Math.round((onMs / wholeMs) * 1_000) / 1_000;
    return { alarm, times, on_s: onMs / 1_000, share, cause };
  });
};

const ringsIn = (journal: Journal): readonly Ring[] => {
  const rings: Ring[] = [];
  const open = new Map<string, number>();
  const rows = (kind: string): readonly JournalRow[] => [...journal.events({ kind })];
  const notes = [...rows("alarm_raised"), ...rows("alarm_cleared")].sort((a, b) => a.seq - b.seq);
  for (const { atMs, kind, body } of notes) {
    const alarm = String(noteOf(body).alarm);
    const at = open.get(alarm);
    const ring = at === undefined ? undefined : rings[at];
    if (kind === "alarm_raised") {
      open.set(alarm, rings.length);
      rings.push({ alarm, fromMs: atMs, toMs: null, cause: String(noteOf(body).cause) });
    } else if (at !== undefined && ring !== undefined) {
      rings[at] = { ...ring, toMs: atMs };
      open.delete(alarm);
    }
  }
  return rings;
};
