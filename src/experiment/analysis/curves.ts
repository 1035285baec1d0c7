import type { Experiment } from "../design/experiment.ts";
import { figureOverTime, isFlow } from "../design/figures.ts";
import type { FigureCurves, RunRow, Trajectory } from "../result/result.ts";
import { quantileOf } from "../statistics/summary.ts";

/** A figure over run time. */
type TimelineFigure = {
  /** The column of the trajectory. */
  readonly column: string;
  readonly title: string;
  /** How the values of a period become one: their last, their mean, or their sum per minute. */
  readonly how: "last" | "mean" | "per_minute";
};

/** The figures that every experiment shows, in their order. Figures that no run has are left out. */
const SHOWN_FIGURES: readonly TimelineFigure[] = [
  { column: "trades", title: "trades a minute", how: "per_minute" },
  { column: "gini", title: "Gini of the agents' wealth", how: "last" },
  { column: "compute_price", title: "price of model budget (scrip per lot)", how: "last" },
  { column: "frozen_share", title: "share of time that agents were frozen", how: "mean" },
  { column: "price_index", title: "price index of services (1 at the start)", how: "last" },
  { column: "velocity_per_min", title: "velocity of money (1 / min)", how: "mean" },
];

/**
 * The figures over time of each cell, as the mean and the 5 % and 95 % quantiles of its done runs:
 * first those of `measures`, then those that every experiment shows. A figure of no measure is left
 * out if it never changes. A point has the time of the end of its period.
 */
export const curvesOf = (
  measures: Experiment["measures"],
  cells: readonly { readonly name: string }[],
  { runs }: { readonly runs: readonly RunRow[] },
  trajectories: ReadonlyMap<string, Trajectory>,
): readonly FigureCurves[] => {
  const periods = periodsOf([...trajectories.values()]);
  const trajectoriesIn = (cell: string): readonly Trajectory[] =>
    runs
      .filter((run) => run.cell === cell && run.status === "done")
      .flatMap(({ id }) => trajectories.get(id) ?? []);
  const all = cells.map(({ name }) => ({ cell: name, own: trajectoriesIn(name) }));
  return figuresOf(measures).flatMap(({ figure, measures: named }): readonly FigureCurves[] => {
    const curves = all.flatMap(({ cell, own }) => {
      const curve = curveOf(
        own.map((trajectory) => seriesOf(trajectory, figure, periods)),
        periods,
      );
      return curve.at_ms.length === 0 ? [] : [{ cell, n: own.length, ...curve }];
    });
    const values = curves.flatMap(({ q05, q95 }) => [...q05, ...q95]);
    const isFlat = values.every((value) => value === values[0]);
    if (curves.length === 0 || (isFlat && named.length === 0)) return [];
    return [{ figure: figure.column, title: figure.title, measures: named, cells: curves }];
  });
};

/** Each figure with the measures that have its value at the end of a run. */
const figuresOf = (measures: Experiment["measures"]) => {
  const named = measures.flatMap((measure) => {
    if (measure.kind !== "figure" || measure.group !== null || measure.agent !== null) return [];
    const isOfTimeline = measure.atS !== null || measure.betweenS !== null;
    const column = isOfTimeline ? measure.figure : figureOverTime(measure.figure);
    return column === null ? [] : [{ measure: measure.name, column }];
  });
  const columns = [...named, ...SHOWN_FIGURES].map(({ column }) => column);
  return [...new Set(columns)].map((column) => ({
    figure: SHOWN_FIGURES.find((shown) => shown.column === column) ?? plainFigure(column),
    measures: named.filter((each) => each.column === column).map(({ measure }) => measure),
  }));
};

const plainFigure = (column: string): TimelineFigure => {
  const words = column.replaceAll("_", " ");
  return isFlow(column)
    ? { column, title: `${words} a minute`, how: "per_minute" }
    : { column, title: words, how: "last" };
};

/** The periods into which the curves divide the run time. */
type Periods = {
  readonly startMs: number;
  readonly endMs: number;
  readonly widthMs: number;
  readonly count: number;
};

/** Periods that every trajectory can fill: a multiple of the longest interval between moments. */
const periodsOf = (trajectories: readonly Trajectory[]): Periods => {
  const times = trajectories.map(({ at_ms }) => at_ms).filter((at) => at.length > 1);
  const startMs = Math.min(...times.map((at) => at[0] ?? 0));
  const endMs = Math.max(...times.map((at) => at.at(-1) ?? 0));
  const intervalMs = Math.max(...times.map((at) => (at[1] ?? 0) - (at[0] ?? 0)));
  if (times.length === 0 || intervalMs <= 0) return { startMs: 0, endMs: 0, widthMs: 1, count: 0 };
  const widthMs = intervalMs * Math.ceil((endMs - startMs) / intervalMs / 48);
  return { startMs, endMs, widthMs, count: Math.ceil((endMs - startMs) / widthMs) };
};

/**
 * One value for each period, or null if the run has none: before its first value, and after its
 * end. A period counts if the run covers at least half of it.
 */
const seriesOf = (
  trajectory: Trajectory,
  { column, how }: TimelineFigure,
  { startMs, widthMs, count }: Periods,
): readonly (number | null)[] => {
  const times = trajectory.at_ms;
  const values = trajectory[column] ?? [];
  const endMs = times.at(-1) ?? 0;
  let at = 0;
  while (at < times.length && (times[at] ?? 0) <= startMs) at += 1;
  let last = values[at - 1] ?? null;
  return Array.from({ length: count }, (_, period) => {
    const fromMs = startMs + period * widthMs;
    const coveredMs = Math.min(endMs, fromMs + widthMs) - fromMs;
    const inside: number[] = [];
    for (; at < times.length && (times[at] ?? 0) <= fromMs + widthMs; at += 1) {
      const value = values[at] ?? null;
      if (value !== null) inside.push(value);
    }
    last = inside.at(-1) ?? last;
    if (coveredMs < widthMs / 2) return null;
    if (how === "last") return last;
    if (inside.length === 0) return null;
    const sum = inside.reduce((total, value) => total + value, 0);
    return how === "mean" ? sum / inside.length : (sum * 60_000) / coveredMs;
  });
};

/** The mean and the quantiles over runs, in each period in which a run has a value. */
const curveOf = (
  series: readonly (readonly (number | null)[])[],
  { startMs, endMs, widthMs, count }: Periods,
) => {
  const points = Array.from({ length: count }, (_, period) => {
    const values = series.flatMap((each) => each[period] ?? []).sort((a, b) => a - b);
    return { atMs: Math.min(endMs, startMs + (period + 1) * widthMs), values };
  }).filter(({ values }) => values.length > 0);
  return {
    at_ms: points.map(({ atMs }) => atMs),
    mean: points.map(({ values }) => values.reduce((sum, each) => sum + each, 0) / values.length),
    q05: points.map(({ values }) => quantileOf(values, 0.05)),
    q95: points.map(({ values }) => quantileOf(values, 0.95)),
  };
};
