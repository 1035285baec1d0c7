import { printable } from "../../text/index.ts";
import { curvesOf, periodsOf } from "../analysis/curves.ts";
import { decimalsOf, estimateText, fixedText, LEVEL, pNumber } from "../analysis/findings.ts";
import { pointText } from "../design/experiment-file.ts";
import type { FigureCurves, Interval, MeasureResult, Summary } from "../result/result.ts";
import {
  armStyle,
  type ChartSpec,
  type DrawnChart,
  drawCharts,
  FONT_SIZE,
  fittedName,
  fittedText,
  HAZE,
  INK,
  LINK,
  PAPER,
  SOFT,
  type Spec,
  textWidth,
} from "./drawing.ts";
import { cellsOf, type ReportCell, type ReportInput } from "./report-input.ts";

/** The charts of a report by their kind, in their order. Kinds without values are empty. */
export type Charts = {
  readonly differences: readonly DrawnChart[];
  readonly trajectories: readonly DrawnChart[];
  readonly distributions: readonly DrawnChart[];
};

/** Draws all charts of a report. The same input always gives the same charts. */
export const chartsOf = async (input: ReportInput): Promise<Charts> => ({
  differences: await drawCharts(forestCharts(input)),
  trajectories: await drawCharts(trajectoryCharts(input)),
  distributions: await drawCharts(distributionCharts(input)),
});

const LABEL_WIDTH_MAX = 260;

/** Rows one above the other, from 0 at the top. */
const rowsScale = (rows: number): Spec => ({
  type: "quantitative",
  scale: { domain: [rows - 0.5, -0.5], nice: false, zero: false },
  axis: null,
});

const FOREST = { width: 330, rowHeight: 24, gap: 14, estimateHead: "mean [95 % interval]" };

/**
 * The differences of all measures: one panel for each measure, and one row for each difference.
 * There is no chart without differences.
 */
const forestCharts = (input: ReportInput): readonly ChartSpec[] => {
  const { width, rowHeight, gap, estimateHead } = FOREST;
  const cells = cellsOf(input);
  const panels = Object.entries(input.result.measures)
    .filter(([, { differences }]) => differences.length > 0)
    .map(([measure, { differences }]) => ({
      measure: printable(measure),
      rows: differences.map((contrast, place) => {
        const { a, mean, ci95, detectable, p_holm, n } = contrast;
        const { colour, shape } = armStyle(cells.find(({ name }) => name === a)?.armAt ?? 0);
        return {
          place,
          label: fittedName(printable(a), LABEL_WIDTH_MAX),
          mean,
          low: ci95?.[0] ?? null,
          high: ci95?.[1] ?? null,
          detectableLow: detectable === null ? null : -detectable,
          detectableHigh: detectable,
          fill: p_holm !== null && p_holm < LEVEL ? colour : PAPER,
          colour,
          shape,
          estimate: estimateText(mean, ci95),
          n: String(n),
          p: p_holm === null ? "–" : pNumber(p_holm),
        };
      }),
    }));
  if (panels.length === 0) return [];
  const all = panels.flatMap(({ rows }) => rows);
  const left = Math.ceil(Math.max(60, ...all.map(({ label }) => textWidth(label)))) + gap;
  // The columns of text to the right of the plot, by their distance from its left.
  const estimates = [...all.map(({ estimate }) => estimate), estimateHead];
  const estimateAt = width + gap;
  const nAt = Math.ceil(estimateAt + Math.max(...estimates.map((text) => textWidth(text))) + 34);
  const columns = [
    { field: "label", x: -gap, align: "right", head: null },
    { field: "estimate", x: estimateAt, align: "left", head: estimateHead },
    { field: "n", x: nAt, align: "right", head: "n" },
    { field: "p", x: nAt + gap, align: "left", head: "p (Holm)" },
  ];
  const [control = "", ...others] = new Set(
    Object.values(input.result.measures).flatMap(({ differences }) =>
      differences.map(({ b }) => b),
    ),
  );
  const base = others.length === 0 ? printable(control) : "the control at the same factors";
  const own = (field: string): Spec => ({ field, type: "nominal", scale: null });
  const vconcat = panels.map(({ measure, rows }, at): Spec => {
    const ends = rows.flatMap(({ mean, low, high, detectableHigh }) => [
      ...[mean, low, high, detectableHigh],
    ]);
    // If all differences are 0, the values give no scale.
    const isFlat = ends.every((end) => (end ?? 0) === 0);
    const difference = (field: string): Spec => ({
      field,
      type: "quantitative",
      scale: isFlat ? { domain: [-1, 1] } : { zero: true, nice: true },
      axis: {
        title: at === panels.length - 1 ? `difference from ${base}` : null,
        tickCount: 5,
        labelFlush: false,
      },
    });
    return {
      width,
      height: rows.length * rowHeight,
      title: { text: measure, dx: -left, offset: at === 0 ? 12 : 8, fontSize: 13 },
      data: { values: rows },
      encoding: { y: { field: "place", ...rowsScale(rows.length) } },
      layer: [
        {
          mark: { type: "rule", strokeWidth: rowHeight - 8, color: HAZE },
          encoding: { x: difference("detectableLow"), x2: { field: "detectableHigh" } },
        },
        {
          mark: { type: "rule", strokeWidth: 1, color: INK },
          encoding: { x: { datum: 0 }, y: null },
        },
        {
          mark: { type: "rule", strokeWidth: 1.8 },
          encoding: { x: difference("low"), x2: { field: "high" }, stroke: own("colour") },
        },
        {
          mark: { type: "point", size: 62, strokeWidth: 1.8, opacity: 1 },
          encoding: {
            x: difference("mean"),
            fill: own("fill"),
            stroke: own("colour"),
            shape: own("shape"),
          },
        },
        ...columns.map(({ field, x, align }) => ({
          mark: { type: "text", align, baseline: "middle", color: INK },
          encoding: { x: { value: x }, text: { field, type: "nominal" } },
        })),
        ...columns
          .filter(({ head }) => at === 0 && head !== null)
          .map(({ head, x, align }) => ({
            data: { values: [{}] },
            mark: { type: "text", align, baseline: "bottom", color: SOFT },
            encoding: { x: { value: x }, y: { value: -6 }, text: { value: head } },
          })),
      ],
    };
  });
  const named = panels.map(({ measure }) => measure).join(", ");
  return [
    {
      name: "differences",
      says: `Differences from ${base} with 95 % intervals, for ${named}`,
      spec: { spacing: 46, bounds: "flush", vconcat },
    },
  ];
};

type Line = {
  readonly cell: ReportCell;
  readonly point: string;
  readonly curve: FigureCurves["cells"][number];
};

/**
 * One chart for each figure over time that a run has: the mean of the seeds, and a band from their
 * 5 % to their 95 % quantile. Factors give one panel for each point, up to a limit.
 */
const trajectoryCharts = (input: ReportInput): readonly ChartSpec[] => {
  const { result, trajectories } = input;
  const cells = cellsOf(input);
  const { startMs, endMs } = periodsOf([...trajectories.values()]);
  return curvesOf([], cells, result, trajectories).flatMap((figure): readonly ChartSpec[] => {
    const lines = cells.flatMap((cell): readonly Line[] => {
      const curve = figure.cells.find((each) => each.cell === cell.name);
      if (curve === undefined || curve.at_ms.length < 2) return [];
      return [{ cell, point: printable(pointText(cell.factors)), curve }];
    });
    if (lines.length === 0) return [];
    const points = [...new Set(lines.map(({ point }) => point))];
    const isSingle = points.length === 1;
    const size = isSingle ? { width: 430, height: 230 } : { width: 230, height: 160 };
    const low = Math.min(...lines.flatMap(({ curve }) => curve.q05));
    const high = Math.max(...lines.flatMap(({ curve }) => curve.q95));
    const margin = (high - low) * 0.04;
    // A figure that is never negative has an axis that is not negative either.
    const least = low >= 0 && low < margin * 4 ? 0 : low - margin;
    const panels = points.slice(0, 12).map((point) => ({
      ...(isSingle ? {} : { title: { text: point, fontSize: FONT_SIZE, offset: 6 } }),
      ...size,
      layer: trajectoryLayers(
        lines.filter((line) => line.point === point),
        [startMs, endMs],
        [least, high + margin],
        size,
      ),
    }));
    const left = points.length - panels.length;
    const more = left === 0 ? "" : `; ${left} more points are in trajectories.parquet`;
    const names = lines.map(({ cell }) => printable(cell.name)).join(", ");
    return [
      {
        name: `trajectory-${figure.figure}`,
        says: `${figure.title} over run time, for ${names}`,
        spec: {
          title: {
            text: figure.title,
            subtitle: `mean of the seeds, and 5 % to 95 % of them${more}`,
          },
          columns: 2,
          spacing: { row: 34, column: 24 },
          concat: panels,
        },
      },
    ];
  });
};

const trajectoryLayers = (
  lines: readonly Line[],
  [startMs, endMs]: Interval,
  [low, high]: Interval,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Spec[] => {
  const [unit, unitMs] =
    endMs <= 600_000 ? ["s", 1_000] : endMs <= 10_800_000 ? ["min", 60_000] : ["h", 3_600_000];
  const x = {
    field: "time",
    type: "quantitative",
    scale: { domain: [startMs / unitMs, endMs / unitMs], nice: false, zero: false },
    axis: { title: `run time (${unit})`, grid: false, ticks: true, tickCount: 6 },
  };
  const y = {
    type: "quantitative",
    scale: { domain: [low, high], nice: false, zero: false },
    axis: { title: null, tickCount: 5 },
  };
  const rowsOf = ({ curve: { at_ms, mean, q05, q95 } }: Line): readonly Spec[] =>
    at_ms.map((at, order) => {
      return { time: at / unitMs, mean: mean[order], q05: q05[order], q95: q95[order] };
    });
  const labelsAt = labelPlaces(lines, [low, high], height);
  return [
    ...lines.map((line) => ({
      data: { values: rowsOf(line) },
      mark: { type: "area", color: armStyle(line.cell.armAt).colour, opacity: 0.16, clip: false },
      encoding: { x, y: { ...y, field: "q05" }, y2: { field: "q95" } },
    })),
    ...lines.map((line) => {
      const { colour, dash } = armStyle(line.cell.armAt);
      return {
        data: { values: rowsOf(line) },
        mark: { type: "line", color: colour, strokeWidth: 2, strokeDash: dash },
        encoding: { x, y: { ...y, field: "mean" } },
      };
    }),
    ...lines.map(({ cell, curve }, at) => ({
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
        y: { datum: labelsAt[at], ...y },
        text: { value: `${fittedText(printable(cell.arm), 150)} (n = ${curve.n})` },
      },
    })),
  ];
};

/** The heights of the labels, in units of the axis: near the ends of the lines, and apart. */
const labelPlaces = (
  lines: readonly Line[],
  [low, high]: Interval,
  height: number,
): readonly number[] => {
  const gap = ((high - low) * 15) / height;
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

const DISTRIBUTION = { width: 380, rowHeight: 62, gap: 12 };

type Dot = {
  /** The number of its row. */
  readonly place: number;
  readonly seed: number;
  readonly value: number;
  readonly y: number;
};

/**
 * One chart for each measure. Each run is a dot, and lines join the runs of a seed if arms are
 * compared seed by seed. Below the dots are the mean, its 95 % interval, and the 5 % to 95 %
 * quantiles of the runs.
 */
const distributionCharts = (input: ReportInput): readonly ChartSpec[] =>
  Object.entries(input.result.measures).flatMap(([measure, found]) =>
    distributionChart(measure, found, input),
  );

const distributionChart = (
  measure: string,
  { arms, differences, says }: MeasureResult,
  input: ReportInput,
): readonly ChartSpec[] => {
  const cells = cellsOf(input);
  const rows = cells.flatMap((cell) => {
    const summary = arms[cell.name];
    return summary === undefined ? [] : [{ cell, summary }];
  });
  const runs = input.result.runs.filter(({ status }) => status === "done");
  const values = runs.flatMap(({ figures }) => figures[measure] ?? []);
  if (values.length === 0 || rows.length === 0) return [];
  const ends = rows.flatMap(({ summary: { ci95, q05, q95 } }) => [...(ci95 ?? []), q05, q95]);
  const all = [...values, ...ends.filter((end) => end !== null)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = low === high ? Math.max(Math.abs(low) / 10, 0.5) : (high - low) * 0.04;
  const domain: Interval = [low - margin, high + margin];
  const dots = rows.flatMap(({ cell }, place) => {
    const own = runs.filter((run) => run.cell === cell.name);
    const valued = own.flatMap(({ seed, figures }) => {
      const value = figures[measure] ?? null;
      return value === null ? [] : [{ seed, value }];
    });
    return dotsOf(valued, place, domain);
  });
  const x = {
    type: "quantitative",
    scale: { domain, nice: false, zero: false },
    axis: { title: null, tickCount: 6 },
  };
  const y = rowsScale(rows.length);
  const isPaired = differences.some(({ paired }) => paired);
  const points = rows.map(({ cell }) => pointText(cell.factors));
  const links: Spec = {
    data: { values: linksOf(dots, points) },
    mark: { type: "rule", color: LINK, strokeWidth: 0.8, opacity: 0.7 },
    encoding: {
      x: { field: "value", ...x },
      x2: { field: "value2" },
      y: { field: "y", ...y },
      y2: { field: "y2" },
    },
  };
  return [
    {
      // The name of the measure as part of a file name.
      name: `distribution-${measure.replaceAll(/[^A-Za-z0-9_.-]/g, "-")}`,
      says: `${printable(measure)} of each run, for ${cells.map(({ name }) => printable(name)).join(", ")}`,
      spec: {
        title: {
          text: printable(measure),
          subtitle: [
            fittedText(printable(says), 520),
            `One dot a run.${isPaired ? " Lines join runs with the same seed." : ""}`,
          ],
        },
        width: DISTRIBUTION.width,
        height: rows.length * DISTRIBUTION.rowHeight,
        encoding: { y },
        layer: [
          ...(isPaired ? [links] : []),
          ...rows.flatMap(({ cell, summary }, place) => {
            const own = dots.filter((dot) => dot.place === place);
            return distributionLayers(cell, summary, own, place, x);
          }),
        ],
      },
    },
  ];
};

/** The dots of a row. Dots that would overlap move up or down, the same way each time. */
const dotsOf = (
  runs: readonly { readonly seed: number; readonly value: number }[],
  place: number,
  [low, high]: Interval,
): readonly Dot[] => {
  const lastAt = new Map<number, number>();
  return runs
    .toSorted((a, b) => a.value - b.value || a.seed - b.seed)
    .map(({ seed, value }) => {
      const at = ((value - low) / (high - low)) * DISTRIBUTION.width;
      // From a distance of 6 pixels, two dots of one height do not overlap.
      const isFree = (level: number): boolean => at - (lastAt.get(level) ?? -6) >= 6;
      const level = [0, 1, -1, 2, -2, 3, -3].find(isFree) ?? 0;
      lastAt.set(level, at);
      return { place, seed, value, y: place - 0.12 + level * 0.085 };
    });
};

/** A line between neighbouring rows for each seed that has a run in both, at equal factors. */
const linksOf = (dots: readonly Dot[], points: readonly string[]): readonly Spec[] =>
  dots.flatMap((from) => {
    const below = from.place + 1;
    const to = dots.find(({ place, seed }) => place === below && seed === from.seed);
    if (to === undefined || points[from.place] !== points[below]) return [];
    return [{ value: from.value, y: from.y, value2: to.value, y2: to.y }];
  });

const distributionLayers = (
  cell: ReportCell,
  { n, mean, ci95, q05, q95, median }: Summary,
  dots: readonly Dot[],
  place: number,
  x: Spec,
): readonly Spec[] => {
  const { colour, shape } = armStyle(cell.armAt);
  const y = { datum: place + 0.3 };
  const bar = (low: number | null, high: number | null, strokeWidth: number): readonly Spec[] =>
    low === null || high === null
      ? []
      : [
          {
            data: { values: [{ low, high }] },
            mark: { type: "rule", strokeWidth, color: colour },
            encoding: { x: { field: "low", ...x }, x2: { field: "high" }, y },
          },
        ];
  const text = (value: string, at: number, mark: Spec, xAt: number): Spec => ({
    data: { values: [{}] },
    mark: { type: "text", baseline: "middle", ...mark },
    encoding: { x: { value: xAt }, y: { datum: at }, text: { value } },
  });
  const { width, gap } = DISTRIBUTION;
  const shown = mean === null ? "" : `mean ${fixedText(mean, decimalsOf(mean, ci95))}`;
  return [
    {
      data: { values: dots },
      mark: { type: "point", filled: true, size: 30, color: colour, shape, opacity: 0.75 },
      encoding: { x: { field: "value", ...x }, y: { field: "y" } },
    },
    ...bar(q05, q95, 1.2),
    ...bar(ci95?.[0] ?? null, ci95?.[1] ?? null, 5),
    ...(median === null
      ? []
      : [
          {
            data: { values: [{ value: median }] },
            mark: { type: "tick", orient: "vertical", size: 13, thickness: 1.6, color: colour },
            encoding: { x: { field: "value", ...x }, y },
          },
        ]),
    text(
      fittedName(printable(cell.name), LABEL_WIDTH_MAX),
      place,
      { align: "right", color: INK },
      -gap,
    ),
    text(shown, place - 0.12, { align: "left", color: INK }, width + gap),
    text(`n = ${n}`, place + 0.14, { align: "left", color: SOFT }, width + gap),
  ];
};
