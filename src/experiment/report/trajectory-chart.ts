import type { FigureCurves } from "../../observe/index.ts";
import { printable } from "../../printable.ts";
import { pointText } from "../design/points.ts";
import { curvesOf, periodsOf } from "../results/curves.ts";
import { type ChartSpec, FONT_SIZE, type Spec } from "./chart.ts";
import { armStyle } from "./palette.ts";
import { cellsOf, type ReportCell, type ReportInput } from "./report-input.ts";
import { fittedText } from "./text-width.ts";

const SINGLE = { width: 430, height: 230 } as const;
/** Of each panel, if there are several. */
const SMALL = { width: 230, height: 160 } as const;
const PANELS_MAX = 12;
const LABEL_WIDTH_MAX = 150;
const LABEL_HEIGHT = 15;
const COLUMNS = 2;

type Line = {
  readonly cell: ReportCell;
  readonly point: string;
  readonly curve: FigureCurves["cells"][number];
};

/**
 * One chart for each figure over time that a run has: the mean of the seeds, and a band from their
 * 5 % to their 95 % quantile. Factors give one panel for each point, up to a limit.
 */
export const trajectoryCharts = (input: ReportInput): readonly ChartSpec[] => {
  const { result, trajectories } = input;
  const cells = cellsOf(input);
  const times = periodsOf([...trajectories.values()]);
  return curvesOf([], cells, result, trajectories).flatMap((figure) => {
    const lines = cells.flatMap((cell): readonly Line[] => {
      const curve = figure.cells.find((each) => each.cell === cell.name);
      if (curve === undefined || curve.at_ms.length < 2) return [];
      return [{ cell, point: printable(pointText(cell.factors)), curve }];
    });
    return lines.length === 0 ? [] : [chartOf(figure, lines, times)];
  });
};

const chartOf = (
  { figure, title }: FigureCurves,
  lines: readonly Line[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): ChartSpec => {
  const points = [...new Set(lines.map(({ point }) => point))];
  const shown = points.slice(0, PANELS_MAX);
  const isSingle = points.length === 1;
  const { width, height } = isSingle ? SINGLE : SMALL;
  const scales = scalesOf(lines, { height, isSingle, startMs, endMs });
  const left = points.length - shown.length;
  const more = left === 0 ? "" : `; ${left} more points are in trajectories.parquet`;
  return {
    name: `trajectory-${figure}`,
    says: `${title} over run time, for ${lines.map(({ cell }) => printable(cell.name)).join(", ")}`,
    spec: {
      title: { text: title, subtitle: `mean of the seeds, and 5 % to 95 % of them${more}` },
      columns: COLUMNS,
      spacing: { row: 34, column: 24 },
      concat: shown.map((point) => ({
        ...(isSingle ? {} : { title: { text: point, fontSize: FONT_SIZE, offset: 6 } }),
        width,
        height,
        layer: layersOf(
          lines.filter((line) => line.point === point),
          scales,
        ),
      })),
    },
  };
};

type Scales = {
  readonly low: number;
  readonly high: number;
  readonly endMs: number;
  readonly startMs: number;
  readonly height: number;
  readonly isSingle: boolean;
};

const MARGIN = 0.04;

const scalesOf = (lines: readonly Line[], drawn: Omit<Scales, "low" | "high">): Scales => {
  const low = Math.min(...lines.flatMap(({ curve }) => curve.q05));
  const high = Math.max(...lines.flatMap(({ curve }) => curve.q95));
  const margin = (high - low) * MARGIN;
  return {
    // A figure that is never negative has an axis that is not negative either.
    low: low >= 0 && low < margin * 4 ? 0 : low - margin,
    high: high + margin,
    ...drawn,
  };
};

const layersOf = (lines: readonly Line[], scales: Scales): readonly Spec[] => {
  const { unit, perMs } = timeUnit(scales.endMs);
  const x = {
    field: "time",
    type: "quantitative",
    scale: { domain: [scales.startMs * perMs, scales.endMs * perMs], nice: false, zero: false },
    axis: { title: `run time (${unit})`, grid: false, ticks: true, tickCount: 6 },
  };
  const y = {
    type: "quantitative",
    scale: { domain: [scales.low, scales.high], nice: false, zero: false },
    axis: { title: null, tickCount: 5 },
  };
  const ends = labelPlaces(lines, scales);
  return [
    ...lines.map((line) => bandLayer(line, { x, y, perMs })),
    ...lines.map((line) => meanLayer(line, { x, y, perMs })),
    ...lines.map((line, at) => labelLayer(line, { x, y: { ...y, datum: ends[at] }, scales })),
  ];
};

type Axes = { readonly x: Spec; readonly y: Spec; readonly perMs: number };

const rowsOf = ({ curve: { at_ms, mean, q05, q95 } }: Line, perMs: number): readonly Spec[] =>
  at_ms.map((at, order) => {
    return { time: at * perMs, mean: mean[order], q05: q05[order], q95: q95[order] };
  });

const bandLayer = (line: Line, { x, y, perMs }: Axes): Spec => ({
  data: { values: rowsOf(line, perMs) },
  mark: { type: "area", color: armStyle(line.cell.armAt).colour, opacity: 0.16, clip: false },
  encoding: { x, y: { ...y, field: "q05" }, y2: { field: "q95" } },
});

const meanLayer = (line: Line, { x, y, perMs }: Axes): Spec => {
  const { colour, dash } = armStyle(line.cell.armAt);
  return {
    data: { values: rowsOf(line, perMs) },
    mark: { type: "line", color: colour, strokeWidth: 2, strokeDash: dash },
    encoding: { x, y: { ...y, field: "mean" } },
  };
};

type LabelPlace = { readonly x: Spec; readonly y: Spec; readonly scales: Scales };

const labelLayer = ({ curve, cell }: Line, { y, scales }: LabelPlace): Spec => {
  const { width } = scales.isSingle ? SINGLE : SMALL;
  const { type, scale, axis, datum } = y;
  return {
    data: { values: [{}] },
    mark: {
      type: "text",
      align: "left",
      baseline: "middle",
      color: armStyle(cell.armAt).colour,
      fontWeight: "bold",
    },
    encoding: {
      x: { value: width + 8 },
      y: { datum, type, scale, axis },
      text: {
        value: `${fittedText(printable(cell.arm), FONT_SIZE, LABEL_WIDTH_MAX)} (n = ${curve.n})`,
      },
    },
  };
};

/** The heights of the labels, in units of the axis: near the ends of the lines, and apart. */
const labelPlaces = (lines: readonly Line[], { low, high, height }: Scales): readonly number[] => {
  const gap = ((high - low) * LABEL_HEIGHT) / height;
  const order = lines
    .map(({ curve }, at) => ({ at, place: curve.mean.at(-1) ?? low }))
    .sort((a, b) => a.place - b.place || b.at - a.at);
  const placed: { at: number; place: number }[] = [];
  for (const { at, place } of order) {
    const below = placed.at(-1)?.place ?? Number.NEGATIVE_INFINITY;
    placed.push({ at, place: Math.max(place, below + gap) });
  }
  const over = Math.max(0, (placed.at(-1)?.place ?? low) - high);
  return placed.sort((a, b) => a.at - b.at).map(({ place }) => place - over);
};

const MS_PER_S = 1_000;
const SECONDS_MAX = 600;
const MINUTES_MAX = 180;

const timeUnit = (endMs: number): { readonly unit: string; readonly perMs: number } => {
  const seconds = endMs / MS_PER_S;
  if (seconds <= SECONDS_MAX) return { unit: "s", perMs: 1 / MS_PER_S };
  if (seconds <= MINUTES_MAX * 60) return { unit: "min", perMs: 1 / (60 * MS_PER_S) };
  return { unit: "h", perMs: 1 / (3_600 * MS_PER_S) };
};
