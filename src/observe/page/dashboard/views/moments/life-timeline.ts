import { html } from "htm/preact";
import type { LifeLine, LifeTimeline, MomentView } from "../../../../routes/index.ts";
import { timeText } from "../../../parts/text.ts";
import { PrincipalLink, type ViewParts } from "../../view.ts";

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
 * of its row.
 */
export const Timeline = ({ timeline, chosen, choose, parts }: TimelineParts) => {
  const { lines, columns, total, to_ms } = timeline;
  const rows = new Map(lines.map(({ agent }, row) => [agent, row]));
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
      <svg class="lives-rows" role="img" preserveAspectRatio="none" onClick=${click}
        viewBox=${`0 0 ${columns} ${Math.max(1, lines.length)}`}
        style=${{ height: `${lines.length * ROW_PX}px` }}
        aria-label=${`Moments of ${lines.length} agents over ${timeText(to_ms)}`}>
        ${lines.map(
          (line, row) =>
            html`<path class="lives-marks" key=${line.agent} d=${marksPath(line, row)} />`,
        )}
        ${chosen !== null && html`<${Threads} of=${chosen} rows=${rows} timeline=${timeline} />`}
      </svg>
    </div>
    ${
      total > lines.length &&
      html`<p class="note">
        The first ${lines.length} of ${total} agents; the filter shows others.
      </p>`
    }
  `;
};

const MARK = 3;

/** The marks of a line: its column, the number of moments, and the last moment, for each. */
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

const Threads = ({ of, rows, timeline: { columns, to_ms } }: ThreadParts) => {
  const x = (atMs: number): number => (atMs / Math.max(1, to_ms)) * columns;
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
