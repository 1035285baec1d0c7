import { html } from "htm/preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MarkKind, RunMark, RunMarks, Tick } from "../../../routes/index.ts";
import { sharedTime, type TimeRange } from "../../charts/index.ts";
import { useAnswer } from "../core/api.ts";
import { countedMarks, lookOf, MARK_LOOKS, markText } from "./marks.ts";

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
  readonly span: TimeRange;
  readonly period: TimeRange | null;
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

const useWidth = (of: { readonly current: Element | null }): number => {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (of.current === null) return;
    const watch = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    watch.observe(of.current);
    return () => watch.disconnect();
  }, []);
  return width;
};
