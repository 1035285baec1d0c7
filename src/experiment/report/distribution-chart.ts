import type { MeasureResult, RunRow, Summary } from "../../observe/index.ts";
import { printable } from "../../printable.ts";
import { pointText } from "../design/points.ts";
import { decimalsOf, fixedText } from "../results/number-text.ts";
import { type ChartSpec, FONT_SIZE, type Spec } from "./chart.ts";
import { armStyle, INK, LINK, SOFT } from "./palette.ts";
import { cellsOf, type ReportCell, type ReportInput } from "./report-input.ts";
import { fittedName, fittedText } from "./text-width.ts";

const PLOT_WIDTH = 380;
const ROW_HEIGHT = 62;
const LABEL_WIDTH_MAX = 260;
const SAYS_WIDTH_MAX = 520;
const GAP = 12;
/** The heights of the parts of a row, in rows, from the middle of the row. */
const DOTS_AT = -0.12;
const SUMMARY_AT = 0.3;
const LEVEL_HEIGHT = 0.085;
const LEVELS = [0, 1, -1, 2, -2, 3, -3];
/** The distance from which two dots of one height do not overlap, in pixels. */
const DOT_GAP = 6;

type Dot = {
  readonly place: number;
  readonly cell: string;
  readonly seed: number;
  readonly value: number;
  readonly y: number;
};

type Row = { readonly cell: ReportCell; readonly summary: Summary };

/**
 * One chart for each measure. Each run is a dot, and lines join the runs of a seed if arms are
 * compared seed by seed. Below the dots are the mean, its 95 % interval, and the 5 % to 95 %
 * quantiles of the runs.
 */
export const distributionCharts = (input: ReportInput): readonly ChartSpec[] =>
  Object.entries(input.result.measures).flatMap(([measure, found]) => {
    const chart = chartOf(measure, found, input);
    return chart === null ? [] : [chart];
  });

const chartOf = (measure: string, found: MeasureResult, input: ReportInput): ChartSpec | null => {
  const cells = cellsOf(input);
  const rows = cells.flatMap((cell): readonly Row[] => {
    const summary = found.arms[cell.name];
    return summary === undefined ? [] : [{ cell, summary }];
  });
  const runs = input.result.runs.filter(({ status }) => status === "done");
  const values = runs.flatMap(({ figures }) => figures[measure] ?? []);
  if (values.length === 0 || rows.length === 0) return null;
  const domain = domainOf(rows, values);
  const dots = rows.flatMap((row, place) => dotsOf(runs, { row, place, measure, domain }));
  const isPaired = found.differences.some(({ paired }) => paired);
  const joined = isPaired ? " Lines join runs with the same seed." : "";
  return {
    name: `distribution-${fileWord(measure)}`,
    says: `${printable(measure)} of each run, for ${cells.map(nameOf).join(", ")}`,
    spec: {
      title: {
        text: printable(measure),
        subtitle: [
          fittedText(printable(found.says), FONT_SIZE, SAYS_WIDTH_MAX),
          `One dot a run.${joined}`,
        ],
      },
      width: PLOT_WIDTH,
      height: rows.length * ROW_HEIGHT,
      encoding: { y: yAxis(rows.length) },
      layer: [
        ...(isPaired ? [links(dots, { rows, domain })] : []),
        ...rows.flatMap((row, place) => rowLayers(row, { place, domain, dots })),
      ],
    },
  };
};

const nameOf = ({ name }: ReportCell): string => printable(name);

/** A name as part of a file name. */
const fileWord = (name: string): string => name.replaceAll(/[^A-Za-z0-9_.-]/g, "-");

type Domain = readonly [low: number, high: number];

const domainOf = (rows: readonly Row[], values: readonly number[]): Domain => {
  const ends = rows.flatMap(({ summary: { ci95, q05, q95 } }) => [...(ci95 ?? []), q05, q95]);
  const all = [...values, ...ends.filter((end) => end !== null)];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const margin = low === high ? Math.max(Math.abs(low) / 10, 0.5) : (high - low) * 0.04;
  return [low - margin, high + margin];
};

type Placed = {
  readonly row: Row;
  readonly place: number;
  readonly measure: string;
  readonly domain: Domain;
};

/** The dots of a row. Dots that would overlap move up or down, the same way each time. */
const dotsOf = (
  runs: readonly RunRow[],
  { row: { cell }, place, measure, domain: [low, high] }: Placed,
): readonly Dot[] => {
  const lastAt = new Map<number, number>();
  return runs
    .filter((run) => run.cell === cell.name)
    .flatMap(({ seed, figures }) => {
      const value = figures[measure] ?? null;
      return value === null ? [] : [{ seed, value }];
    })
    .sort((a, b) => a.value - b.value || a.seed - b.seed)
    .map(({ seed, value }) => {
      const at = ((value - low) / (high - low)) * PLOT_WIDTH;
      const isFree = (each: number): boolean => at - (lastAt.get(each) ?? -DOT_GAP) >= DOT_GAP;
      const level = LEVELS.find(isFree) ?? 0;
      lastAt.set(level, at);
      return { place, cell: cell.name, seed, value, y: place + DOTS_AT + level * LEVEL_HEIGHT };
    });
};

const yAxis = (rows: number): Spec => ({
  type: "quantitative",
  scale: { domain: [rows - 0.5, -0.5], nice: false, zero: false },
  axis: null,
});

const xAxis = (domain: Domain): Spec => ({
  type: "quantitative",
  scale: { domain, nice: false, zero: false },
  axis: { title: null, tickCount: 6 },
});

type Linked = { readonly rows: readonly Row[]; readonly domain: Domain };

/** A line between neighbouring rows for each seed that has a run in both, at equal factors. */
const links = (dots: readonly Dot[], { rows, domain }: Linked): Spec => {
  const at = (place: number, seed: number): Dot | undefined =>
    dots.find((dot) => dot.place === place && dot.seed === seed);
  const pointAt = (place: number): string => pointText(rows[place]?.cell.factors ?? {});
  const values = dots.flatMap((from) => {
    const to = at(from.place + 1, from.seed);
    if (to === undefined || pointAt(from.place) !== pointAt(to.place)) return [];
    return [{ value: from.value, y: from.y, value2: to.value, y2: to.y }];
  });
  const y = yAxis(rows.length);
  return {
    data: { values },
    mark: { type: "rule", color: LINK, strokeWidth: 0.8, opacity: 0.7 },
    encoding: {
      x: { field: "value", ...xAxis(domain) },
      x2: { field: "value2" },
      y: { field: "y", ...y },
      y2: { field: "y2" },
    },
  };
};

type Drawn = { readonly place: number; readonly domain: Domain; readonly dots: readonly Dot[] };

const rowLayers = ({ cell, summary }: Row, { place, domain, dots }: Drawn): readonly Spec[] => {
  const { colour, shape } = armStyle(cell.armAt);
  const x = xAxis(domain);
  const { n, mean, ci95, q05, q95, median } = summary;
  const summaryY = { datum: place + SUMMARY_AT };
  const shown = mean === null ? "" : `mean ${fixedText(mean, decimalsOf(mean, ci95))}`;
  return [
    {
      data: { values: dots.filter((dot) => dot.place === place) },
      mark: { type: "point", filled: true, size: 30, color: colour, shape, opacity: 0.75 },
      encoding: { x: { field: "value", ...x }, y: { field: "y" } },
    },
    ...bar([q05, q95], { y: summaryY, x, mark: { strokeWidth: 1.2, color: colour } }),
    ...bar(ci95, { y: summaryY, x, mark: { strokeWidth: 5, color: colour } }),
    ...(median === null ? [] : [tick(median, { y: summaryY, x, mark: { color: colour } })]),
    textAt(fittedName(printable(cell.name), FONT_SIZE, LABEL_WIDTH_MAX), {
      place,
      mark: { align: "right", color: INK },
      x: -GAP,
    }),
    textAt(shown, {
      place: place - 0.12,
      mark: { align: "left", color: INK },
      x: PLOT_WIDTH + GAP,
    }),
    textAt(`n = ${n}`, {
      place: place + 0.14,
      mark: { align: "left", color: SOFT },
      x: PLOT_WIDTH + GAP,
    }),
  ];
};

type Part = { readonly y: Spec; readonly x: Spec; readonly mark: Spec };

const bar = (
  ends: readonly [number | null, number | null] | null,
  { y, x, mark }: Part,
): readonly Spec[] => {
  if (ends === null || ends[0] === null || ends[1] === null) return [];
  return [
    {
      data: { values: [{ low: ends[0], high: ends[1] }] },
      mark: { type: "rule", ...mark },
      encoding: { x: { field: "low", ...x }, x2: { field: "high" }, y },
    },
  ];
};

const tick = (value: number, { y, x, mark }: Part): Spec => ({
  data: { values: [{ value }] },
  mark: { type: "tick", orient: "vertical", size: 13, thickness: 1.6, ...mark },
  encoding: { x: { field: "value", ...x }, y },
});

type Text = { readonly place: number; readonly mark: Spec; readonly x: number };

const textAt = (text: string, { place, mark, x }: Text): Spec => ({
  data: { values: [{}] },
  mark: { type: "text", baseline: "middle", ...mark },
  encoding: { x: { value: x }, y: { datum: place }, text: { value: text } },
});
