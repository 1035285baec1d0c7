import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import { type RowsSpec, rowsPicture, rowsTable } from "../../../read/index.ts";
import { Chart, elementsOf, useWidth } from "./chart.ts";

const WIDTH_MIN = 200;
const TEXT_PX = 14;

/** Bars, intervals or dots in rows, with the name and the figure of each. */
export const RowsChart = ({ spec }: { readonly spec: RowsSpec }) => {
  const place = useRef<HTMLDivElement>(null);
  const width = Math.max(WIDTH_MIN, Math.floor(useWidth(place)));
  const { height, elements } = useMemo(() => {
    const { shapes, height } = rowsPicture(spec, { width, textPx: TEXT_PX });
    return { height, elements: elementsOf(shapes) };
  }, [spec, width]);
  return html`
    <${Chart} ...${spec} picture=${() => rowsPicture(spec)} table=${() => rowsTable(spec)}>
      <div ref=${place}>
        ${
          spec.rows.length === 0
            ? html`<p class="chart-note">Nothing yet.</p>`
            : html`<svg class="rows" viewBox=${`0 0 ${width} ${height}`} role="group"
                aria-label=${spec.title}>${elements}</svg>`
        }
      </div>
    <//>
  `;
};
