import { csvLine, sumOf } from "../../figures/index.ts";
import { numberText } from "../../text/index.ts";
import {
  type Colour,
  fittedName,
  keyShapes,
  markPath,
  type Picture,
  pathOf,
  rectanglePath,
  roundStep,
  type Shape,
  toneAt,
  widthOf,
} from "./picture.ts";

/** Marks of rows on a horizontal axis: bars, intervals with their means, and dots of runs. */
export type RowsSpec = {
  readonly title: string;
  readonly note: string;
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

/** `height` is that of a bar in px. `shape` tells marks apart without colours. */
export type Mark = { readonly tone: Colour } & (
  | {
      readonly kind: "bar";
      readonly from: number;
      readonly to: number;
      readonly height: number;
      readonly says?: string;
    }
  | {
      readonly kind: "mean";
      readonly at: number;
      readonly isFilled: boolean;
      readonly shape: number;
    }
  | {
      readonly kind: "dot";
      readonly at: number;
      readonly shape: number;
      readonly says: string;
      readonly href: string | null;
      readonly isFilled: boolean;
      /** Dots of neighbouring rows with the same text are joined. */
      readonly joins: string | null;
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

const BAR_PX = 16;

/** Bars from 0, each of some parts. */
export const barsOf = ({ title, note, unit, parts, rows }: BarsGiven): RowsSpec => ({
  title,
  note,
  parts,
  axis: { from: 0, to: Math.max(1e-9, ...rows.map(({ values }) => sumOf(values))), ticks: [] },
  rows: rows.map(({ label, values }) => {
    let from = 0;
    const marks = values.flatMap((value, at): Mark[] => {
      if (value === 0) return [];
      const start = from;
      from += value;
      const says = `${parts[at]}: ${numberText(value)} ${unit}`;
      return [{ kind: "bar", from: start, to: from, height: BAR_PX, tone: toneAt(at), says }];
    });
    const named = values.flatMap((value, at) =>
      value === 0 ? [] : [`${parts[at]} ${numberText(value)}`],
    );
    const spoken = parts.length < 2 ? {} : { spoken: named.join(", ") };
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

const DOT_PX = 4;
const MEAN_PX = 5;
const LEVEL_PX = 8;
/** On a narrower picture, the marks of a row stand below its name and its figure. */
const NARROW_PX = 560;

/** Draws the rows of a chart as a picture of some width. */
export const rowsPicture = (
  spec: RowsSpec,
  { width, textPx } = { width: 960, textPx: 16 },
): Picture => {
  const { title, note, parts, axis, rows } = spec;
  const isNarrow = width < NARROW_PX;
  const side = textPx > 14 ? 24 : 0;
  const hasDots = rows.some(({ marks }) => marks.some(({ kind }) => kind === "dot"));
  const marksPx = hasDots ? 76 : Math.max(24, textPx * 1.75);
  const hasMore = rows.some(({ more }) => more !== undefined);
  const rowPx = marksPx + (isNarrow ? textPx * (hasMore ? 2.8 : 1.5) : 0);
  const labels = rows.map(({ label }) =>
    fittedName(label, textPx, width * (isNarrow ? 0.55 : 0.28)),
  );
  const widest = (texts: readonly string[]): number =>
    Math.ceil(Math.max(0, ...texts.map((text) => widthOf(text, textPx))));
  const valuePx = widest(rows.map(({ value }) => value));
  const morePx = widest(rows.map(({ more = "" }) => more));
  const from = side + (isNarrow ? MEAN_PX + 1 : widest(labels) + 12);
  const to =
    width - side - (isNarrow ? MEAN_PX + 1 : valuePx + (morePx > 0 ? morePx + 16 : 0) + 12);
  const x = (value: number): number =>
    from + ((value - axis.from) / (axis.to - axis.from)) * Math.max(40, to - from);
  const text = { kind: "text", size: textPx } as const;
  const bottom = 10 + rows.length * rowPx;
  const grid = axis.ticks.flatMap((tick): readonly Shape[] => [
    {
      kind: "path",
      d: pathOf([
        [x(tick), 10],
        [x(tick), bottom],
      ]),
      stroke: tick === 0 ? "ink-soft" : "grid",
    },
    {
      ...text,
      at: [x(tick), bottom + textPx * 1.25],
      text: numberText(tick),
      anchor: "middle",
      fill: "ink-soft",
    },
  ]);
  const joined = new Map<string, readonly [row: number, x: number, y: number]>();
  const links: Shape[] = [];
  const drawn = rows.map((row, at): Shape => {
    const top = 10 + at * rowPx;
    const middle = top + rowPx - marksPx / 2;
    const below = middle + (hasDots ? 26 : 0);
    const dots = row.marks.filter((mark) => mark.kind === "dot");
    const levels = levelsOf(
      dots.map((dot) => x(dot.at)),
      2 * DOT_PX + 1,
    );
    const marks = row.marks.map((mark): Shape => {
      const { tone } = mark;
      if (mark.kind === "bar") {
        const wide = Math.max(2, x(mark.to) - x(mark.from));
        const d = rectanglePath([x(mark.from), below - mark.height / 2], wide, mark.height);
        const bar = { kind: "path", d, fill: tone } as const;
        return mark.says === undefined ? bar : { kind: "group", says: mark.says, shapes: [bar] };
      }
      const fill = mark.isFilled ? tone : "panel";
      const look = { kind: "path", fill, stroke: tone, width: 1.6 } as const;
      if (mark.kind === "mean")
        return { ...look, d: markPath(mark.shape, [x(mark.at), below], MEAN_PX) };
      const place = [x(mark.at), middle - LEVEL_PX * (levels[dots.indexOf(mark)] ?? 0)] as const;
      if (mark.joins !== null) {
        const [row, ...before] = joined.get(mark.joins) ?? [-2, 0, 0];
        if (row === at - 1)
          links.push({ kind: "path", d: pathOf([before, place]), stroke: "tone-other" });
        joined.set(mark.joins, [at, ...place]);
      }
      const dot = { ...look, d: markPath(mark.shape, place, DOT_PX), width: 1, opacity: 0.85 };
      return { kind: "group", says: mark.says, href: mark.href, shapes: [dot] };
    });
    const line = isNarrow ? top + textPx * 1.2 : middle + textPx * 0.34;
    const name: Shape = isNarrow
      ? { ...text, at: [side, line], text: labels[at] ?? "" }
      : { ...text, at: [from - 8, line], text: labels[at] ?? "", anchor: "end" };
    const more = { ...text, text: row.more ?? "", fill: "ink-soft" } as const;
    const says = [row.label, ":", row.value, row.more, row.spoken].filter(Boolean).join(" ");
    return {
      kind: "group",
      says: says.replace(" :", ":"),
      shapes: [
        row.href === undefined
          ? name
          : { kind: "group", href: row.href, says: row.label, shapes: [name] },
        ...marks,
        isNarrow
          ? { ...text, at: [width - side, line], text: row.value, anchor: "end" }
          : { ...text, at: [to + 12, line], text: row.value },
        ...(row.more === undefined
          ? []
          : isNarrow
            ? [
                {
                  ...more,
                  at: [width - side, line + 1.3 * textPx] as const,
                  anchor: "end" as const,
                },
              ]
            : [{ ...more, at: [to + 28 + valuePx, line] as const }]),
      ],
    };
  });
  const end = bottom + (axis.ticks.length > 0 ? textPx * 1.5 : 0);
  const keys = keyShapes(
    parts.length < 2 ? [] : parts.map((part, at) => ({ text: part, tone: toneAt(at) })),
    { at: [side, end + 12], width: width - 2 * side, size: textPx },
  );
  return {
    title,
    note,
    width,
    height: Math.ceil(end + (keys.height > 0 ? keys.height + 20 : 8)),
    shapes: [...grid, ...links, ...drawn, ...keys.shapes],
  };
};

export const rowsTable = ({ table }: RowsSpec): string => table.map(csvLine).join("");
