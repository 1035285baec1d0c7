import type { Chart } from "./chart.ts";
import { element } from "./element.ts";
import { swatchOf } from "./legend.ts";
import { numberText } from "./numbers.ts";
import { toneVariable } from "./tones.ts";

export type BarRow = {
  readonly label: string;
  /** Where more of it is to be seen. */
  readonly href?: string;
  /** One for each part; never negative. */
  readonly values: readonly number[];
};

export type BarSpec = {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  /** What the parts of a bar are called; one part needs no legend. */
  readonly parts: readonly string[];
  readonly rows: readonly BarRow[];
  /** How a sum is written; as a number where left out. */
  readonly text?: (value: number) => string;
};

/** Bars that lie, each a row of a table, so that it reads as one without being seen. */
export const barChart = (given: BarSpec): Chart<BarSpec> => {
  const root = element("figure", { class: "chart" });
  const draw = (spec: BarSpec): void => {
    const longest = Math.max(1e-9, ...spec.rows.map(({ values }) => sumOf(values)));
    const rows = spec.rows.map((row) => drawnRow(row, longest, spec));
    const nothing = element("p", { class: "chart-note" }, "Nothing yet.");
    root.replaceChildren(
      element("h3", { class: "chart-title" }, spec.title),
      element("p", { class: "chart-note" }, spec.note),
      rows.length === 0
        ? nothing
        : element("table", { class: "bars" }, element("tbody", {}, ...rows)),
      ...(spec.parts.length > 1 ? [partsOf(spec.parts)] : []),
    );
  };
  draw(given);
  return { root, update: draw, destroy: () => {} };
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const drawnRow = ({ label, href, values }: BarRow, longest: number, spec: BarSpec): HTMLElement => {
  const bar = element("div", { class: "bar", "aria-hidden": "true" });
  for (const [at, value] of values.entries()) {
    if (value === 0) continue;
    const part = element("span", { title: `${spec.parts[at]}: ${numberText(value)} ${spec.unit}` });
    part.style.width = `${(100 * value) / longest}%`;
    part.style.setProperty("--tone", `var(${toneVariable(at)})`);
    bar.append(part);
  }
  const { text = numberText } = spec;
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row", title: label },
      href === undefined ? label : element("a", { class: "link", href }, label),
    ),
    element("td", { class: "bar-cell" }, bar),
    element("td", { class: "bar-value" }, `${text(sumOf(values))} ${spec.unit}`),
  );
};

const partsOf = (parts: readonly string[]): HTMLElement =>
  element(
    "ul",
    { class: "legend" },
    ...parts.map((part, at) =>
      element("li", { class: "legend-item" }, swatchOf(toneVariable(at)), part),
    ),
  );
