import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import type { LifeLine, LifeTimeline, MomentView } from "../../../routes/index.ts";
import { countText, momentText, timeText } from "../../parts/text.ts";
import { PrincipalLink, type ViewParts } from "../core/view.ts";

type TimelineParts = {
  readonly timeline: LifeTimeline;
  readonly chosen: MomentView | null;
  readonly choose: (seq: number) => void;
  readonly parts: ViewParts;
};

/** The height of the row of an agent, as in the style sheet. */
const ROW_PX = 18;
const TONES = 6;

/**
 * One row for each agent, and its moments over run time. Lines lead from the chosen moment to the
 * other moments that wrote the same artifacts or paid for them. A click chooses the nearest moment
 * of its row. With the focus, the arrow keys lead along the row and to the rows above and below.
 */
export const Timeline = ({ timeline, chosen, choose, parts }: TimelineParts) => {
  const { lines, columns, total, from_ms, to_ms } = timeline;
  const length = timeText(to_ms - from_ms);
  const rows = new Map(lines.map(({ agent }, row) => [agent, row]));
  const marks = lines.map(marksIn);
  const here = useRef<Place | null>(null);
  if (chosen !== null && here.current?.seq !== chosen.seq) here.current = placeIn(timeline, chosen);
  const steer = (event: KeyboardEvent): void => {
    const next = placeByKey(event.key, marks, here.current);
    if (next === undefined) return;
    event.preventDefault();
    here.current = next;
    choose(next.seq);
  };
  const click = ({ offsetX, offsetY, currentTarget }: MouseEvent): void => {
    if (!(currentTarget instanceof Element)) return;
    const line = lines[Math.floor(offsetY / ROW_PX)];
    const seq = nearest(line, (offsetX / currentTarget.clientWidth) * columns);
    if (seq !== null) choose(seq);
  };
  return html`
    <div class="lives">
      <div class="lives-names">
        ${lines.map(
          ({ agent }) =>
            html`<span key=${agent}><${PrincipalLink} id=${agent} parts=${parts} /></span>`,
        )}
      </div>
      <svg class="lives-rows" preserveAspectRatio="none" onClick=${click}
        role="slider" tabindex="0" onKeyDown=${steer}
        aria-valuemin=${from_ms} aria-valuemax=${to_ms}
        aria-valuenow=${chosen?.at_ms ?? from_ms} aria-valuetext=${chosenText(chosen)}
        viewBox=${`0 0 ${columns} ${Math.max(1, lines.length)}`}
        style=${{ height: `${lines.length * ROW_PX}px` }}
        aria-label=${`Moments of ${countText(lines.length, "agent")} over ${length}`}>
        ${lines.map(
          (line, row) =>
            html`<path class="lives-marks" key=${line.agent} d=${marksPath(line, row)} />`,
        )}
        ${chosen !== null && html`<${Threads} of=${chosen} rows=${rows} timeline=${timeline} />`}
      </svg>
      <span></span>
      <p class="note density-note">
        <span>${momentText(from_ms)}</span><span>${momentText(to_ms)}</span>
      </p>
    </div>
    ${
      total > lines.length &&
      html`<p class="note">
        The first ${lines.length} of ${total} agents; the filter shows others.
      </p>`
    }
  `;
};

const chosenText = (chosen: MomentView | null): string =>
  chosen === null
    ? "no moment selected"
    : `${chosen.actor} at ${momentText(chosen.at_ms)}: ${chosen.name}`;

/** A mark of the timeline. */
type Place = { readonly row: number; readonly column: number; readonly seq: number };

const placeIn = (timeline: LifeTimeline, { actor, at_ms, seq }: MomentView): Place => {
  const row = timeline.lines.findIndex(({ agent }) => agent === actor);
  return { row: Math.max(0, row), column: Math.floor(columnAt(timeline, at_ms)), seq };
};

const columnAt = ({ columns, from_ms, to_ms }: LifeTimeline, atMs: number): number =>
  ((atMs - from_ms) / Math.max(1, to_ms - from_ms)) * columns;

type Marks = ReturnType<typeof marksIn>;

/** The mark to which a key leads. Undefined if the timeline does not use the key. */
const placeByKey = (key: string, rows: readonly Marks[], here: Place | null): Place | undefined => {
  const [along, down] = STEPS[key] ?? [];
  if (along === undefined || down === undefined) return undefined;
  const from = here ?? { row: 0, column: 0 };
  let row = from.row + down;
  // Skips rows without moments.
  while (down !== 0 && rows[row]?.length === 0) row += down;
  const marks = rows[row] ?? [];
  const at = marks.findLastIndex(({ column }) => column <= from.column);
  const next = here === null || down !== 0 ? Math.max(0, at) : at + along;
  const mark = marks[Math.min(marks.length - 1, Math.max(0, next))];
  return mark && { row, column: mark.column, seq: mark.seq };
};

/** How many marks each key moves along its row, and how many rows down. */
const STEPS: { readonly [key: string]: readonly [along: number, down: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [Number.NEGATIVE_INFINITY, 0],
  End: [Number.POSITIVE_INFINITY, 0],
};

const MARK = 3;

/** The marks of a line, each with its column, its number of moments, and its last moment. */
const marksIn = ({ marks }: LifeLine) =>
  Array.from({ length: marks.length / MARK }, (_, at) => {
    const [column = 0, count = 0, seq = 0] = marks.slice(at * MARK, at * MARK + MARK);
    return { column, count, seq };
  });

/** Columns with more moments are taller. */
const marksPath = (line: LifeLine, row: number): string =>
  marksIn(line)
    .map(({ column, count }) => {
      const height = Math.min(0.9, 0.35 + 0.15 * count);
      return `M${column} ${row + 0.95 - height}h.8v${height}h-.8z`;
    })
    .join("");

const nearest = (line: LifeLine | undefined, column: number): number | null => {
  if (line === undefined) return null;
  const sorted = marksIn(line).toSorted(
    (a, b) => Math.abs(a.column - column) - Math.abs(b.column - column),
  );
  return sorted[0]?.seq ?? null;
};

type ThreadParts = {
  readonly of: MomentView;
  readonly rows: ReadonlyMap<string, number>;
  readonly timeline: LifeTimeline;
};

const Threads = ({ of, rows, timeline }: ThreadParts) => {
  const x = (atMs: number): number => columnAt(timeline, atMs);
  const own = rows.get(of.actor);
  if (own === undefined) return null;
  const from = `M${x(of.at_ms)} ${own + 0.5}`;
  const lead = (atMs: number, actor: string): string => {
    const row = rows.get(actor);
    return row === undefined ? "" : `${from}L${x(atMs)} ${row + 0.5}`;
  };
  return html`
    ${of.threads.map(
      ({ artifact, moments }, at) => html`<path key=${artifact}
        class=${`lives-thread tone-${(at % TONES) + 1}`} vector-effect="non-scaling-stroke"
        d=${moments
          .filter(({ amount, wrote }) => amount !== 0 || wrote)
          .map(({ at_ms, actor }) => lead(at_ms, actor))
          .join("")} />`,
    )}
    <path class="lives-chosen" d=${`M${x(of.at_ms) - 0.6} ${own}h1.2v1h-1.2z`} />
  `;
};
