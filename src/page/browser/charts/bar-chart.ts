import { sumOf } from "../../../read/index.ts";
import { numberText } from "../parts/text.ts";
import { type Chart, element, swatchOf, toneVariable } from "./chart.ts";
import { barFiles } from "./saving/bar-files.ts";
import type { BarRow, BarSpec } from "./specs.ts";
import { statelessChart } from "./stateless-chart.ts";

/** Horizontal bars in the rows of a table, so that screen readers announce a table. */
export const barChart = (given: BarSpec): Chart<BarSpec> =>
  statelessChart(given, { draw: drawn, files: barFiles });

const drawn = (spec: BarSpec): readonly Node[] => {
  const longest = Math.max(1e-9, ...spec.rows.map(({ values }) => sumOf(values)));
  const rows = spec.rows.map((row) => drawnRow(row, longest, spec));
  return [
    rows.length === 0
      ? element("p", { class: "chart-note" }, "Nothing yet.")
      : element("table", { class: "bars" }, element("tbody", {}, ...rows)),
    ...(spec.parts.length > 1 ? [legendOf(spec.parts)] : []),
  ];
};

const drawnRow = ({ label, href, values }: BarRow, longest: number, spec: BarSpec): HTMLElement => {
  const bar = element("div", { class: "bar", "aria-hidden": "true" });
  for (const [at, value] of values.entries()) {
    if (value === 0) continue;
    const part = element("span", { title: `${spec.parts[at]}: ${numberText(value)} ${spec.unit}` });
    part.style.width = `${(100 * value) / longest}%`;
    part.style.setProperty("--tone", `var(${toneVariable(at)})`);
    bar.append(part);
  }
  const drawn = values.flatMap((value, at) =>
    value === 0 ? [] : [`${spec.parts[at]} ${numberText(value)}`],
  );
  const parts =
    spec.parts.length < 2 ? null : element("span", { class: "unseen" }, `: ${drawn.join(", ")}`);
  const name = href === undefined ? label : element("a", { class: "link", href }, label);
  return element(
    "tr",
    {},
    element("th", { scope: "row", title: label }, name),
    element("td", { class: "bar-cell" }, bar),
    element("td", { class: "bar-value" }, `${numberText(sumOf(values))} ${spec.unit}`, parts),
  );
};

const legendOf = (parts: readonly string[]): HTMLElement =>
  element(
    "ul",
    { class: "legend" },
    ...parts.map((part, at) =>
      element("li", { class: "legend-item" }, swatchOf(toneVariable(at)), part),
    ),
  );
