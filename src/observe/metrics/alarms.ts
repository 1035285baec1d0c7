import { type Journal, type JournalRow, noteOf } from "../../world/index.ts";

/** How long one alarm rang; the cause is that of the last time. */
export type AlarmLine = {
  readonly alarm: string;
  readonly times: number;
  readonly on_s: number;
  /** The part of the time looked at for which it rang. */
  readonly share: number;
  readonly cause: string;
};

/** An alarm that rang once; it still does where `to_ms` is null. */
export type Ring = {
  readonly alarm: string;
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly cause: string;
};

type Span = { readonly fromMs: number; readonly toMs: number };

/** Adds up what the journal notes of alarms, each for so long as it rang between two moments. */
export const alarmLines = (journal: Journal, span: Span): readonly AlarmLine[] => {
  const sheet = new AlarmSheet();
  const rows = (kind: string): readonly JournalRow[] => [...journal.events({ kind })];
  const notes = [...rows("alarm_raised"), ...rows("alarm_cleared")].sort((a, b) => a.seq - b.seq);
  for (const note of notes) sheet.count(note);
  return sheet.lines(span);
};

/** Gathers the rings of alarms from the notes of a run. */
export class AlarmSheet {
  readonly #rings: Ring[] = [];
  readonly #open = new Map<string, number>();

  count({ atMs, kind, body }: JournalRow): void {
    if (kind !== "alarm_raised" && kind !== "alarm_cleared") return;
    const alarm = String(noteOf(body).alarm);
    const at = this.#open.get(alarm);
    const ring = at === undefined ? undefined : this.#rings[at];
    if (kind === "alarm_raised") {
      this.#open.set(alarm, this.#rings.length);
      const cause = String(noteOf(body).cause);
      this.#rings.push({ alarm, from_ms: atMs, to_ms: null, cause });
    } else if (at !== undefined && ring !== undefined) {
      this.#rings[at] = { ...ring, to_ms: atMs };
      this.#open.delete(alarm);
    }
  }

  /** In the order in which they began. */
  rings(): readonly Ring[] {
    return this.#rings;
  }

  lines({ fromMs, toMs }: Span): readonly AlarmLine[] {
    const rung = new Map<
      string,
      { readonly times: number; readonly onMs: number; readonly cause: string }
    >();
    for (const { alarm, from_ms, to_ms, cause } of this.#rings) {
      if (to_ms !== null && to_ms <= fromMs) continue;
      const before = rung.get(alarm) ?? { times: 0, onMs: 0 };
      const onMs = before.onMs + (to_ms ?? toMs) - Math.max(from_ms, fromMs);
      rung.set(alarm, { times: before.times + 1, onMs, cause });
    }
    const wholeMs = toMs - fromMs;
    return [...rung].map(([alarm, { times, onMs, cause }]) => {
      const share = wholeMs === 0 ? 0 : Math.round((onMs / wholeMs) * 1_000) / 1_000;
      return { alarm, times, on_s: onMs / 1_000, share, cause };
    });
  }
}
