import { html } from "htm/preact";
import { useMemo, useState } from "preact/hooks";
import type { MarkKind, RunMark, RunMarks, Tick } from "../../../routes/index.ts";
import { useAnswer } from "../api.ts";
import { countedMarks, MARK_LOOKS, markText } from "./marks.ts";

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
