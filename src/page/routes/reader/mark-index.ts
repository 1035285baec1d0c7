import {
  descriptionOf,
  kindsWith,
  type Landmark,
  type LogEntry,
  type MarkKind,
} from "../../../figures/index.ts";
import { runEventBody } from "../../../world/index.ts";

/** A landmark of a run, or several of one kind that stand too close to be told apart. */
export type RunMark = {
  readonly kind: MarkKind;
  /** The number and the run time of the first event. */
  readonly seq: number;
  readonly at_ms: number;
  /** The number of events that this mark stands for. */
  readonly count: number;
  /** What happened at the first event. */
  readonly text: string;
};

/** `total` counts all marks of the run. */
export type RunMarks = { readonly total: number; readonly marks: readonly RunMark[] };

/** The number of intervals of a run. In each interval, the marks of one kind become one. */
export const MARK_SLOTS = 240;

/** Collects the landmarks of a run from its events, in order. */
export class MarkIndex {
  readonly #byKind = new Map<MarkKind, RunMark[]>();
  readonly #isPerson: (id: string) => boolean;
  #total = 0;

  /** `isPerson` says whether a person plays the agent `id`. */
  constructor(isPerson: (id: string) => boolean) {
    this.#isPerson = isPerson;
  }

  get total(): number {
    return this.#total;
  }

  event(entry: LogEntry): void {
    const landmark = this.#landmarkOf(entry);
    if (landmark === null) return;
    this.#total += 1;
    const { kind, text } = landmark;
    const { seq, atMs: at_ms } = entry.row;
    const mark = { kind, seq, at_ms, count: 1, text };
    const marks = this.#byKind.get(kind);
    if (marks === undefined) this.#byKind.set(kind, [mark]);
    else marks.push(mark);
  }

  /** The marks from `fromMs` to `toMs` by time. At most `MARK_SLOTS` for each kind. */
  marks(fromMs: number, toMs: number): RunMarks {
    const slotMs = Math.max(1, (toMs - fromMs) / MARK_SLOTS);
    const slotOf = ({ at_ms }: RunMark): number => Math.floor((at_ms - fromMs) / slotMs);
    const marks = [...this.#byKind.values()].flatMap((own) => thinned(own, slotOf));
    return { total: this.#total, marks: marks.sort((one, other) => one.seq - other.seq) };
  }

  #landmarkOf(entry: LogEntry): Landmark | null {
    const { kind, body } = entry.row;
    if (kind === "checkpoint_saved") return { kind: "checkpoint", text: "checkpoint" };
    if (kind === "alarm_raised") {
      const alarm = String(runEventBody(body).alarm).replaceAll("_", " ");
      return { kind: "alarm", text: `alarm: ${alarm}` };
    }
    // No other event is decoded.
    const event = MARKED.has(kind) ? entry.event : null;
    if (event === null) return null;
    return descriptionOf(event)?.landmark?.(event, this.#isPerson) ?? null;
  }
}

const MARKED: ReadonlySet<string> = new Set(kindsWith("landmark"));

const thinned = (
  marks: readonly RunMark[],
  slotOf: (mark: RunMark) => number,
): readonly RunMark[] => {
  const kept: RunMark[] = [];
  let slot = -1;
  for (const mark of marks) {
    const last = kept.at(-1);
    if (last === undefined || slotOf(mark) !== slot) kept.push(mark);
    else kept[kept.length - 1] = { ...last, count: last.count + 1 };
    slot = slotOf(mark);
  }
  return kept;
};
