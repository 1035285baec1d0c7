import { csvLine, sumOf } from "../../../read/index.ts";
import { numberText } from "../parts/text.ts";
import { type Chart, element, redrawnChart, swatchOf } from "./chart.ts";
import {
  keyShapes,
  type Picture,
  rectangle,
  roundStep,
  type Shape,
  shortLabel,
  toneVariable,
  widthOf,
} from "./picture.ts";

/** Marks of rows on a horizontal axis: bars, intervals with their means, and dots of runs. */
export type RowsSpec = {
  readonly title: string;
  readonly note: string;
  /** The name of its table for screen readers. */
  readonly caption: string;
  /** The names of the first colours. A chart with a single part has no legend. */
  readonly parts: readonly string[];
  readonly axis: Axis;
  readonly rows: readonly ChartRow[];
  /** The values as CSV, from its heads on. */
  readonly table: readonly (readonly (string | number | null)[])[];
};

type ChartRow = {
  readonly label: string;
  readonly href?: string;
  readonly marks: readonly Mark[];
  /** The figure at the end of the row, what comes after it, and what only screen readers say. */
  readonly value: string;
  readonly more?: string;
  readonly spoken?: string;
};

/** `tone` is a CSS variable with a colour. Dots and the mean of dots have rows of their own. */
export type Mark = { readonly tone: string } & (
  | { readonly kind: "bar"; readonly from: number; readonly to: number; readonly says: string }
  | { readonly kind: "interval"; readonly from: number; readonly to: number }
  | { readonly kind: "mean"; readonly at: number; readonly isFilled: boolean }
  | {
      readonly kind: "dot";
      readonly at: number;
      readonly says: string;
      readonly href: string | null;
    }
);

/** A horizontal axis. Without ticks, it is not drawn. */
type Axis = { readonly from: number; readonly to: number; readonly ticks: readonly number[] };

type BarsGiven = {
  readonly title: string;
  readonly note: string;
  readonly unit: string;
  readonly parts: readonly string[];
  readonly rows: readonly {
    readonly label: string;
    /** One non-negative value for each part. */
    readonly values: readonly number[];
  }[];
};

/** Bars from 0, each of some parts. */
export const barsOf = ({ title, note, unit, parts, rows }: BarsGiven): RowsSpec => ({
  title,
  note,
  caption: title,
  parts,
  axis: { from: 0, to: Math.max(1e-9, ...rows.map(({ values }) => sumOf(values))), ticks: [] },
  rows: rows.map(({ label, values }) => {
    let from = 0;
    const marks = values.flatMap((value, at): Mark[] => {
      if (value === 0) return [];
      const start = from;
      from += value;
      const says = `${parts[at]}: ${numberText(value)} ${unit}`;
      return [{ kind: "bar", from: start, to: from, tone: toneVariable(at), says }];
    });
    const named = values.flatMap((value, at) =>
      value === 0 ? [] : [`${parts[at]} ${numberText(value)}`],
    );
    const spoken = parts.length < 2 ? {} : { spoken: `: ${named.join(", ")}` };
    return { label, marks, value: `${numberText(sumOf(values))} ${unit}`, ...spoken };
  }),
  table: [["name", ...parts], ...rows.map(({ label, values }) => [label, ...values])],
});

const TICKS_MAX = 5;
const MARGIN = 0.05;

/** An axis on which all of `values` have a place, with round ticks. */
export const axisOf = (values: readonly number[]): Axis => {
  if (values.length === 0) return { from: 0, to: 1, ticks: [] };
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = low === high ? Math.max(Math.abs(low) / 10, 0.5) : (high - low) * MARGIN;
  const [from, to] = [low - margin, high + margin];
  const step = roundStep((to - from) / TICKS_MAX);
  const first = Math.ceil(from / step);
  const count = Math.floor(to / step) - first + 1;
  // The rounding keeps 0.3 from being 0.30000000000000004.
  const ticks = Array.from({ length: count }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
  return { from, to, ticks };
};

/** The place of a value as a share of the width. */
const shareOf = ({ from, to }: Axis, value: number): number => (value - from) / (to - from);

const LEVELS_MAX = 7;

/**
 * The level of each place, so that dots on one level are at least `gap` apart as far as there are
 * levels: 0, 1, -1, 2, -2 and so on.
 */
export const levelsOf = (places: readonly number[], gap: number): readonly number[] => {
  const lastAt: number[] = [];
  const levels = new Map<number, number>();
  const order = [...places.keys()].sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0) || a - b);
  for (const at of order) {
    const place = places[at] ?? 0;
    const candidates = Array.from({ length: LEVELS_MAX }, (_, level) => level);
    const free = candidates.find((level) => place - (lastAt[level] ?? -gap) >= gap) ?? 0;
    lastAt[free] = place;
    levels.set(at, free % 2 === 0 ? 0 - free / 2 : (free + 1) / 2);
  }
  return places.map((_, at) => levels.get(at) ?? 0);
};

/** The least distance of two dots on one level, as a share of the width. */
const DOT_GAP = 0.016;
const LEVEL_PX = 8;

/** The marks of a row, with the level of each dot. */
const levelled = (axis: Axis, marks: readonly Mark[]) => {
  const dots = marks.filter((mark) => mark.kind === "dot");
  const levels = levelsOf(
    dots.map(({ at }) => shareOf(axis, at)),
    DOT_GAP,
  );
  let dot = 0;
  return marks.map((mark) => ({ mark, level: mark.kind === "dot" ? (levels[dot++] ?? 0) : 0 }));
};

const hasDots = ({ rows }: RowsSpec): boolean =>
  rows.some(({ marks }) => marks.some(({ kind }) => kind === "dot"));

/** Draws rows as those of a table, so that screen readers announce a table. */
export const rowsChart = (given: RowsSpec): Chart<RowsSpec> =>
  redrawnChart(given, {
    draw: drawn,
    files: (spec) => ({
      title: spec.title,
      picture: () => rowsPicture(spec),
      table: () => rowsTable(spec),
    }),
  });

export const rowsTable = ({ table }: RowsSpec): string => table.map(csvLine).join("");

const drawn = (spec: RowsSpec): readonly Node[] => {
  const { caption, axis, rows, parts } = spec;
  if (rows.length === 0) return [element("p", { class: "chart-note" }, "Nothing yet.")];
  const body = element("tbody", {}, ...rows.map((row) => drawnRow(row, axis)));
  if (axis.ticks.length > 0) body.append(drawnAxis(axis));
  const table = element(
    "table",
    { class: hasDots(spec) ? "rows has-dots" : "rows" },
    element("caption", { class: "unseen" }, caption),
    body,
  );
  return parts.length < 2 ? [table] : [table, drawnKeys(parts)];
};

const drawnRow = ({ label, href, marks, value, more, spoken }: ChartRow, axis: Axis) => {
  const name = href === undefined ? label : element("a", { class: "link", href }, label);
  const plot = element(
    "td",
    { class: "rows-plot" },
    ...axis.ticks.map((tick) => {
      const line = element("span", { class: tick === 0 ? "rows-grid is-zero" : "rows-grid" });
      return at(axis, tick, line);
    }),
    ...levelled(axis, marks).map(({ mark, level }) => drawnMark(mark, level, axis)),
  );
  const figure = element(
    "td",
    { class: "rows-value" },
    value,
    more === undefined ? null : element("span", { class: "note" }, ` ${more}`),
    spoken === undefined ? null : element("span", { class: "unseen" }, spoken),
  );
  return element("tr", {}, element("th", { scope: "row", title: label }, name), plot, figure);
};

const drawnMark = (mark: Mark, level: number, axis: Axis): HTMLElement => {
  const { kind, tone } = mark;
  const made = markElement(mark);
  made.classList.add(`rows-${kind}`);
  made.style.setProperty("--tone", `var(${tone})`);
  if (mark.kind === "dot") made.style.marginTop = `${-LEVEL_PX * level}px`;
  if (mark.kind === "dot" || mark.kind === "mean") return at(axis, mark.at, made);
  made.style.width = `${100 * (shareOf(axis, mark.to) - shareOf(axis, mark.from))}%`;
  return at(axis, mark.from, made);
};

const markElement = (mark: Mark): HTMLElement => {
  switch (mark.kind) {
    case "bar":
      return element("span", { title: mark.says });
    case "interval":
      return element("span", {});
    case "mean":
      return element("span", { class: mark.isFilled ? "is-filled" : "" });
    case "dot": {
      const { href, says } = mark;
      const [name = ""] = says.split("\n");
      const named = { title: says, "aria-label": name };
      return href === null
        ? element("span", { class: "is-missing", role: "img", ...named })
        : element("a", { href, ...named });
    }
  }
};

const at = (axis: Axis, value: number, made: HTMLElement): HTMLElement => {
  made.style.left = `${100 * shareOf(axis, value)}%`;
  return made;
};

const drawnAxis = (axis: Axis): HTMLElement =>
  element(
    "tr",
    { class: "rows-axis", "aria-hidden": "true" },
    element("td", {}),
    element(
      "td",
      { class: "rows-plot" },
      ...axis.ticks.map((tick) => at(axis, tick, element("span", {}, numberText(tick)))),
    ),
    element("td", {}),
  );

const drawnKeys = (parts: readonly string[]): HTMLElement =>
  element(
    "ul",
    { class: "legend" },
    ...parts.map((part, place) =>
      element("li", { class: "legend-item" }, swatchOf(toneVariable(place)), part),
    ),
  );

const WIDTH = 960;
const TEXT_PX = 16;
const LEFT = 24;
const TOP = 10;

export const rowsPicture = (spec: RowsSpec): Picture => {
  const { title, note, parts, axis, rows } = spec;
  const rowHeight = hasDots(spec) ? 76 : 30;
  const labels = rows.map(({ label }) => shortLabel(label));
  const values = rows.map(({ value, more }) => (more === undefined ? value : `${value} ${more}`));
  const widest = (texts: readonly string[]): number =>
    Math.max(0, ...texts.map((text) => widthOf(text, TEXT_PX)));
  const from = LEFT + widest(labels) + 12;
  const to = WIDTH - LEFT - widest(values) - 12;
  const x = (value: number): number => from + shareOf(axis, value) * (to - from);
  const bottom = TOP + rows.length * rowHeight;
  const text = { kind: "text", size: TEXT_PX } as const;
  const grid = axis.ticks.flatMap((tick): readonly Shape[] => {
    const points = [
      [x(tick), TOP],
      [x(tick), bottom],
    ] as const;
    const place = [x(tick), bottom + 20] as const;
    return [
      { kind: "line", points, stroke: tick === 0 ? "--ink-soft" : "--grid", width: 1 },
      { ...text, at: place, text: numberText(tick), anchor: "middle", fill: "--ink-soft" },
    ];
  });
  const drawnRows = rows.flatMap(({ marks }, row): readonly Shape[] => {
    const middle = TOP + (row + 0.5) * rowHeight;
    return [
      { ...text, at: [from - 8, middle + 5], text: labels[row] ?? "", anchor: "end" },
      ...levelled(axis, marks).flatMap(({ mark, level }) =>
        markShapes(mark, x, middle - LEVEL_PX * level, middle + (hasDots(spec) ? 26 : 0)),
      ),
      { ...text, at: [to + 12, middle + 5], text: values[row] ?? "" },
    ];
  });
  const keys =
    parts.length < 2 ? [] : parts.map((part, at) => ({ text: part, tone: toneVariable(at) }));
  const end = bottom + (axis.ticks.length > 0 ? 24 : 0);
  return {
    title,
    note,
    width: WIDTH,
    height: end + (keys.length > 0 ? 48 : 16),
    shapes: [...grid, ...drawnRows, ...keyShapes(keys, [LEFT, end + 12], TEXT_PX)],
  };
};

/** `y` is the middle of a dot, and `below` that of the other marks. */
const markShapes = (
  mark: Mark,
  x: (value: number) => number,
  y: number,
  below: number,
): readonly Shape[] => {
  const { tone } = mark;
  switch (mark.kind) {
    case "bar":
      return [rectangle([x(mark.from), y - 10], [x(mark.to) - x(mark.from), 20], tone)];
    case "interval":
      return [rectangle([x(mark.from), below - 1.5], [x(mark.to) - x(mark.from), 3], tone)];
    case "mean": {
      const outer = rectangle([x(mark.at) - 6, below - 6], [12, 12], tone);
      if (mark.isFilled) return [outer];
      return [outer, rectangle([x(mark.at) - 4, below - 4], [8, 8], "--panel")];
    }
    case "dot":
      return [{ kind: "circle", at: [x(mark.at), y], radius: 4, fill: tone }];
  }
};
