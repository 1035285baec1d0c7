import type { Contrast, ExperimentResult } from "../../observe/index.ts";
import { printable } from "../../printable.ts";
import { LEVEL } from "../results/findings.ts";
import { estimateText, pNumber } from "../results/number-text.ts";
import { type ChartSpec, FONT_SIZE, type Spec } from "./chart.ts";
import { armStyle, HAZE, INK, PAPER, SOFT } from "./palette.ts";
import type { ReportCell } from "./report-input.ts";
import { fittedName, textWidth } from "./text-width.ts";

const PLOT_WIDTH = 330;
const ROW_HEIGHT = 24;
const LABEL_WIDTH_MAX = 260;
const LABEL_WIDTH_MIN = 60;
const GAP = 14;
const ESTIMATE_HEAD = "mean [95 % interval]";
const N_WIDTH = 34;

type Row = {
  readonly place: number;
  readonly label: string;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly detectableLow: number | null;
  readonly detectableHigh: number | null;
  readonly fill: string;
  readonly colour: string;
  readonly shape: string;
  readonly estimate: string;
  readonly n: string;
  readonly p: string;
};

/**
 * The differences of all measures: one panel for each measure, and one row for each difference.
 * Returns null if there is no difference.
 */
export const forestChart = (
  result: ExperimentResult,
  cells: readonly ReportCell[],
): ChartSpec | null => {
  const panels = Object.entries(result.measures).flatMap(([measure, { differences }]) =>
    differences.length === 0 ? [] : [{ measure, differences }],
  );
  const all = panels.flatMap(({ differences }) => differences);
  if (all.length === 0) return null;
  const labelOf = ({ a }: Contrast): string => fittedName(printable(a), FONT_SIZE, LABEL_WIDTH_MAX);
  const widest = Math.max(...all.map((each) => textWidth(labelOf(each), FONT_SIZE)));
  const left = Math.ceil(Math.max(widest, LABEL_WIDTH_MIN)) + GAP;
  const estimates = all.map(({ mean, ci95 }) => estimateText(mean, ci95)).concat(ESTIMATE_HEAD);
  const columns = columnsOf(Math.max(...estimates.map((text) => textWidth(text, FONT_SIZE))));
  const controls = new Set(all.map(({ b }) => b));
  const [only = ""] = controls;
  const control = controls.size === 1 ? printable(only) : "the control at the same factors";
  const rowOf = (each: Contrast, place: number): Row =>
    forestRow(each, { place, label: labelOf(each), cells });
  const spec: Spec = {
    spacing: 46,
    bounds: "flush",
    vconcat: panels.map(({ measure, differences }, at) =>
      panel(differences.map(rowOf), {
        measure: printable(measure),
        left,
        columns,
        axisTitle: at === panels.length - 1 ? `difference from ${control}` : null,
        isFirst: at === 0,
      }),
    ),
  };
  const named = panels.map(({ measure }) => printable(measure)).join(", ");
  return {
    name: "differences",
    says: `Differences from ${control} with 95 % intervals, for ${named}`,
    spec,
  };
};

/** The columns of text to the right of the plot, by their distance from the left of the plot. */
type Columns = { readonly estimate: number; readonly n: number; readonly p: number };

const columnsOf = (estimateWidth: number): Columns => {
  const estimate = PLOT_WIDTH + GAP;
  const n = Math.ceil(estimate + estimateWidth + N_WIDTH);
  return { estimate, n, p: n + GAP };
};

type Place = {
  readonly place: number;
  readonly label: string;
  readonly cells: readonly ReportCell[];
};

const forestRow = (contrast: Contrast, { place, label, cells }: Place): Row => {
  const { a, mean, ci95, detectable, p_holm, n } = contrast;
  const { colour, shape } = armStyle(cells.find(({ name }) => name === a)?.armAt ?? 0);
  const isClear = p_holm !== null && p_holm < LEVEL;
  return {
    place,
    label,
    mean,
    low: ci95?.[0] ?? null,
    high: ci95?.[1] ?? null,
    detectableLow: detectable === null ? null : -detectable,
    detectableHigh: detectable,
    fill: isClear ? colour : PAPER,
    colour,
    shape,
    estimate: estimateText(mean, ci95),
    n: String(n),
    p: p_holm === null ? "–" : pNumber(p_holm),
  };
};

type Panel = {
  readonly measure: string;
  readonly left: number;
  readonly columns: Columns;
  readonly axisTitle: string | null;
  readonly isFirst: boolean;
};

type Axis = {
  readonly axisTitle: string | null;
  /** True if all differences are 0, so that the values give no scale. */
  readonly isFlat: boolean;
};

const panel = (
  rows: readonly Row[],
  { measure, left, columns, axisTitle, isFirst }: Panel,
): Spec => ({
  width: PLOT_WIDTH,
  height: rows.length * ROW_HEIGHT,
  title: { text: measure, dx: -left, offset: isFirst ? 12 : 8, fontSize: 13 },
  data: { values: rows },
  encoding: {
    y: {
      field: "place",
      type: "quantitative",
      scale: { domain: [rows.length - 0.5, -0.5], nice: false, zero: false },
      axis: null,
    },
  },
  layer: [
    ...marks({ axisTitle, isFlat: rows.every(isZero) }),
    column("label", { x: -GAP, align: "right" }),
    column("estimate", { x: columns.estimate, align: "left" }),
    column("n", { x: columns.n, align: "right" }),
    column("p", { x: columns.p, align: "left" }),
    ...(isFirst ? heads(columns) : []),
  ],
});

const isZero = ({ mean, low, high, detectableHigh }: Row): boolean =>
  [mean, low, high, detectableHigh].every((value) => (value ?? 0) === 0);

const marks = (axis: Axis): readonly Spec[] => [
  {
    mark: { type: "rule", strokeWidth: ROW_HEIGHT - 8, color: HAZE },
    encoding: { x: difference("detectableLow", axis), x2: { field: "detectableHigh" } },
  },
  { mark: { type: "rule", strokeWidth: 1, color: INK }, encoding: { x: { datum: 0 }, y: null } },
  {
    mark: { type: "rule", strokeWidth: 1.8 },
    encoding: {
      x: difference("low", axis),
      x2: { field: "high" },
      stroke: { field: "colour", type: "nominal", scale: null },
    },
  },
  {
    mark: { type: "point", size: 62, strokeWidth: 1.8, opacity: 1 },
    encoding: {
      x: difference("mean", axis),
      fill: { field: "fill", type: "nominal", scale: null },
      stroke: { field: "colour", type: "nominal", scale: null },
      shape: { field: "shape", type: "nominal", scale: null },
    },
  },
];

const difference = (field: string, { isFlat, axisTitle: title }: Axis): Spec => ({
  field,
  type: "quantitative",
  scale: isFlat ? { domain: [-1, 1] } : { zero: true, nice: true },
  axis: { title, tickCount: 5, labelFlush: false },
});

type Aligned = { readonly x: number; readonly align: "left" | "right" };

const column = (field: string, { x, align }: Aligned): Spec => ({
  mark: { type: "text", align, baseline: "middle", color: INK },
  encoding: { x: { value: x }, text: { field, type: "nominal" } },
});

const heads = (columns: Columns): readonly Spec[] =>
  (
    [
      [ESTIMATE_HEAD, { x: columns.estimate, align: "left" }],
      ["n", { x: columns.n, align: "right" }],
      ["p (Holm)", { x: columns.p, align: "left" }],
    ] as const
  ).map(([text, { x, align }]) => ({
    data: { values: [{}] },
    mark: { type: "text", align, baseline: "bottom", color: SOFT },
    encoding: { x: { value: x }, y: { value: -6 }, text: { value: text } },
  }));
