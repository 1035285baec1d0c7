import type { MarkKind, RunMark } from "../../../routes/index.ts";
import { clockText, numberText } from "../../parts/text.ts";

const DIAMOND = "m0-4l4 4l-4 4l-4-4z";
const UP = "m0-3.5l4 7h-8z";
const DOWN = "m0 3.5l4-7h-8z";
const SQUARE = "m-2.5-2.5h5v5h-5z";
const CROSS =
  "m-4-2.5l1.5-1.5l2.5 2.5l2.5-2.5l1.5 1.5l-2.5 2.5" +
  "l2.5 2.5l-1.5 1.5l-2.5-2.5l-2.5 2.5l-1.5-1.5l2.5-2.5z";
const BAR = "m-1.5-4h3v8h-3z";
const DISC = "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";
const HALF = "m-4 0a4 4 0 0 1 8 0z";

/** How the marks of a kind look and are named. */
type MarkLook = {
  readonly kind: MarkKind;
  /** The row of the marks: what happened in the world, to agents, or with the run and people. */
  readonly lane: 0 | 1 | 2;
  /** The path of the shape around 0, 0: at most 4 px to each side. */
  readonly shape: string;
  /** The CSS variable with the colour. */
  readonly tone: string;
  readonly names: readonly [noun: string, plural: string];
};

const LOOKS: { readonly [Kind in MarkKind]: Omit<MarkLook, "kind"> } = {
  auction: { lane: 0, shape: DIAMOND, tone: "--tone-2", names: ["auction", "auctions"] },
  alarm: { lane: 0, shape: BAR, tone: "--tone-6", names: ["alarm", "alarms"] },
  checkpoint: { lane: 2, shape: SQUARE, tone: "--tone-7", names: ["checkpoint", "checkpoints"] },
  birth: { lane: 1, shape: UP, tone: "--tone-3", names: ["new agent", "new agents"] },
  freeze: { lane: 1, shape: DOWN, tone: "--tone-1", names: ["freeze", "freezes"] },
  bankruptcy: { lane: 1, shape: CROSS, tone: "--tone-6", names: ["bankruptcy", "bankruptcies"] },
  review: { lane: 2, shape: HALF, tone: "--tone-5", names: ["review", "reviews"] },
  message: { lane: 2, shape: DISC, tone: "--tone-4", names: ["message", "messages"] },
};
export const lookOf = (kind: MarkKind): MarkLook => ({ kind, ...LOOKS[kind] });

const KINDS: readonly MarkKind[] = [
  "auction",
  "alarm",
  "birth",
  "freeze",
  "bankruptcy",
  "checkpoint",
  "review",
  "message",
];

/** The looks of all kinds, in the order of the rows. */
export const MARK_LOOKS: readonly MarkLook[] = KINDS.map(lookOf);

/** What stands at a mark. Example: `2:30 · 3 freezes`. */
export const markText = ({ kind, at_ms, count, text }: RunMark): string => {
  const what = count === 1 ? text : countedMarks(kind, count);
  return `${clockText(at_ms)} · ${what}`;
};

/** Example: `3 freezes`. */
export const countedMarks = (kind: MarkKind, count: number): string => {
  const [noun, plural] = LOOKS[kind].names;
  return `${numberText(count)} ${count === 1 ? noun : plural}`;
};

/** The next mark after event `seq`, or the last before it. Null if none is there. */
export const nextMark = (
  marks: readonly RunMark[],
  seq: number,
  direction: 1 | -1,
): RunMark | null =>
  (direction === 1
    ? marks.find((mark) => mark.seq > seq)
    : marks.findLast((mark) => mark.seq < seq)) ?? null;
