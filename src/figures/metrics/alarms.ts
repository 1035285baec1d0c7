import { type JournalReader, type JournalRow, runEventBody } from "../../world/index.ts";
import { sumOf } from "./statistics.ts";

/** How often and for how long one alarm was on. `cause` is its latest cause. */
export type AlarmLine = {
  readonly alarm: string;
  readonly times: number;
  readonly on_s: number;
  /** The share of the time span in which the alarm was on, from 0 to 1. */
  readonly share: number;
  readonly cause: string;
};

/** One period in which an alarm was on. `to_ms` is null while the alarm is still on. */
export type AlarmPeriod = {
  readonly alarm: string;
  readonly from_ms: number;
  readonly to_ms: number | null;
  readonly cause: string;
};

type Span = { readonly fromMs: number; readonly toMs: number };

/** The alarms that were on during a time span. Time outside the span does not count. */
export const alarmLines = (journal: JournalReader, span: Span): readonly AlarmLine[] => {
  const counter = new AlarmCounter();
  const rows = (kind: string): readonly JournalRow[] => [...journal.events({ kind })];
  const notes = [...rows("alarm_raised"), ...rows("alarm_cleared")].sort((a, b) => a.seq - b.seq);
  for (const note of notes) counter.count(note);
  return counter.lines(span);
};

/** Collects the alarm periods from the notes of a run. */
export class AlarmCounter {
  readonly #periods: AlarmPeriod[] = [];
  readonly #open = new Map<string, number>();

  count({ atMs, kind, body }: JournalRow): void {
    if (kind !== "alarm_raised" && kind !== "alarm_cleared") return;
    const alarm = String(runEventBody(body).alarm);
    const at = this.#open.get(alarm);
    const period = at === undefined ? undefined : this.#periods[at];
    if (kind === "alarm_raised") {
      this.#open.set(alarm, this.#periods.length);
      const cause = String(runEventBody(body).cause);
      this.#periods.push({ alarm, from_ms: atMs, to_ms: null, cause });
    } else if (at !== undefined && period !== undefined) {
      this.#periods[at] = { ...period, to_ms: atMs };
      this.#open.delete(alarm);
    }
  }

  periods(): readonly AlarmPeriod[] {
    return this.#periods;
  }

  lines({ fromMs, toMs }: Span): readonly AlarmLine[] {
    const spanMs = toMs - fromMs;
    const within = this.#periods.filter(({ to_ms }) => to_ms === null || to_ms > fromMs);
    const shownMs = ({ from_ms, to_ms }: AlarmPeriod): number =>
      (to_ms ?? toMs) - Math.max(from_ms, fromMs);
    return [...Map.groupBy(within, ({ alarm }) => alarm)].map(([alarm, periods]) => {
      const onMs = sumOf(periods.map(shownMs));
      const share = spanMs === 0 ? 0 : Math.round((onMs / spanMs) * 1_000) / 1_000;
      const cause = periods.at(-1)?.cause ?? "";
      return { alarm, times: periods.length, on_s: onMs / 1_000, share, cause };
    });
  }
}
