import { html } from "htm/preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { MarkKind } from "../../../../figures/index.ts";
import { clockText, numberText, type Period } from "../../../../text/index.ts";
import type { RunMark, RunMarks, Tick } from "../../../routes/index.ts";
import { sharedTime, useWidth } from "../../charts/index.ts";
import { useAnswer } from "../core/api.ts";

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
const lookOf = (kind: MarkKind): MarkLook => ({ kind, ...LOOKS[kind] });

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
const MARK_LOOKS: readonly MarkLook[] = KINDS.map(lookOf);

/** What stands at a mark. Example: `2:30 · 3 freezes`. */
const markText = ({ kind, at_ms, count, text }: RunMark): string => {
  const what = count === 1 ? text : countedMarks(kind, count);
  return `${clockText(at_ms)} · ${what}`;
};

/** Example: `3 freezes`. */
const countedMarks = (kind: MarkKind, count: number): string => {
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

type MarkKeysParts = {
  readonly marks: readonly RunMark[];
  readonly hidden: ReadonlySet<MarkKind>;
  readonly toggle: (kind: MarkKind) => void;
  /** The mark under the mouse or at the moment of the page, or null. */
  readonly shown: RunMark | null;
};

/** What the shapes of marks mean. Each key hides or shows the marks of its kind. */
export const MarkKeys = ({ marks, hidden, toggle, shown }: MarkKeysParts) => {
  const counts = new Map<MarkKind, number>();
  for (const { kind, count } of marks) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return html`
    <div class="mark-keys">
      <div class="mark-kinds" role="group" aria-label="Marks on the time line">
        ${MARK_LOOKS.filter(({ kind }) => counts.has(kind)).map(({ kind, shape, tone }) => {
          return html`<button type="button" key=${kind} aria-pressed=${!hidden.has(kind)}
            onClick=${() => toggle(kind)}>
            <svg viewBox="-5 -5 10 10" width="10" height="10" aria-hidden="true">
              <path style=${`fill:var(${tone})`} d=${`M0 0${shape}`} /></svg>
            ${countedMarks(kind, counts.get(kind) ?? 0)}
          </button>`;
        })}
      </div>
      <span class="mark-said" role="status">
        <bdi>${shown === null ? "" : markText(shown)}</bdi>
      </span>
    </div>
  `;
};

const NO_MARKS: RunMarks = { total: 0, marks: [] };

/** The marks of a run, and which kinds are hidden. */
export const useMarks = (path: string, tick: Tick) => {
  const [hidden, setHidden] = useState<ReadonlySet<MarkKind>>(new Set());
  const { marks: all } = useAnswer<RunMarks>(`${path}/marks`, tick.marks).value ?? NO_MARKS;
  const shown = useMemo(() => all.filter(({ kind }) => !hidden.has(kind)), [all, hidden]);
  const toggle = (kind: MarkKind): void =>
    setHidden((before) => {
      const next = new Set(before);
      return next.delete(kind) ? next : next.add(kind);
    });
  return { all, shown, hidden, toggle };
};

/** Half the width of the slider's thumb: so far its middle stays from the ends (`time.css`). */
const THUMB_PX = 8;
/** All rows have room from the start, so that a first mark moves nothing. */
const LANES = 3;
const LANE_PX = 10;
const NEAR_PX = 9;

type TrackParts = {
  readonly marks: readonly RunMark[];
  readonly span: Period;
  readonly period: Period | null;
  /** Opens the mark or the time at which a person clicked. */
  readonly open: (place: RunMark | number) => void;
  /** The mark under the mouse, or null. */
  readonly point: (mark: RunMark | null) => void;
};

/** The marks of a run above the slider, linear in run time, and a band for the period. */
export const MarkTrack = ({ marks, span, period, open, point }: TrackParts) => {
  const track = useRef<SVGSVGElement>(null);
  const width = useWidth(track);
  const usable = Math.max(1, width - 2 * THUMB_PX);
  const spanMs = Math.max(1, span.toMs - span.fromMs);
  const x = (ms: number): number => THUMB_PX + ((ms - span.fromMs) / spanMs) * usable;
  const inSpan = (ms: number): number => Math.min(span.toMs, Math.max(span.fromMs, ms));
  const [bandX, bandEnd] = [inSpan(period?.fromMs ?? 0), inSpan(period?.toMs ?? 0)].map(x);
  const height = LANES * LANE_PX;
  const y = (kind: MarkKind): number => (lookOf(kind).lane + 0.5) * LANE_PX;
  const at = (event: MouseEvent): { readonly ms: number; readonly mark: RunMark | null } => {
    const box = track.current?.getBoundingClientRect();
    const [left, top] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
    const share = Math.min(1, Math.max(0, (left - THUMB_PX) / usable));
    const distance = (mark: RunMark): number =>
      Math.hypot(x(mark.at_ms) - left, y(mark.kind) - top);
    const near = marks.filter((mark) => distance(mark) <= NEAR_PX);
    const [mark = null] = near.sort((one, other) => distance(one) - distance(other));
    return { ms: span.fromMs + share * spanMs, mark };
  };
  const leave = (): void => {
    point(null);
    sharedTime.point(null);
  };
  return html`
    <svg class="mark-track" ref=${track} height=${height} aria-hidden="true"
      onMouseMove=${(event: MouseEvent) => {
        const { ms, mark } = at(event);
        point(mark);
        sharedTime.point(mark?.at_ms ?? ms);
      }}
      onMouseLeave=${leave}
      onClick=${(event: MouseEvent) => {
        const { ms, mark } = at(event);
        open(mark ?? ms);
      }}
    >
      ${
        period !== null &&
        html`<rect class="track-range" x=${bandX} y="0" height=${height}
          width=${Math.max(2, (bandEnd ?? 0) - (bandX ?? 0))} />`
      }
      ${MARK_LOOKS.map(({ kind, shape, tone }) => {
        const own = marks.filter((mark) => mark.kind === kind);
        const places = own.map(({ at_ms }) => `M${x(at_ms).toFixed(1)} ${y(kind)}`);
        return html`<path key=${kind} style=${`fill:var(${tone})`}
          d=${places.map((place) => place + shape).join("")} />`;
      })}
    </svg>
  `;
};
