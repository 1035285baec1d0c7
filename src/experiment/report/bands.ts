import type { RunRow, Trajectory } from "../../observe/index.ts";
import { quantileOf } from "../statistics/index.ts";

/** A figure of the timeline that the report shows as a chart. */
export type BandFigure = {
  /** The column of the trajectory. */
  readonly column: string;
  readonly title: string;
  /** How the values of a period become one: their last, their mean, or their sum per minute. */
  readonly how: "last" | "mean" | "per_minute";
};

/** The charts over time, in their order. Figures that no run has are left out. */
export const BAND_FIGURES: readonly BandFigure[] = [
  { column: "trades", title: "trades a minute", how: "per_minute" },
  { column: "gini", title: "Gini of the agents' wealth", how: "last" },
  { column: "compute_price", title: "price of model budget (scrip per lot)", how: "last" },
  { column: "frozen_share", title: "share of time that agents were frozen", how: "mean" },
  { column: "price_index", title: "price index of services (1 at the start)", how: "last" },
  { column: "velocity_per_min", title: "velocity of money (1 / min)", how: "mean" },
];

/** The mean, and the 5 % and 95 % quantiles, of `n` runs at one moment. */
export type BandPoint = {
  readonly atMs: number;
  readonly n: number;
  readonly mean: number;
  readonly q05: number;
  readonly q95: number;
};

/** The periods into which a chart divides the run time. */
export type Periods = {
  readonly startMs: number;
  readonly endMs: number;
  readonly widthMs: number;
  readonly count: number;
};

const PERIODS_MAX = 48;
const EMPTY: Periods = { startMs: 0, endMs: 0, widthMs: 1, count: 0 };

/** Periods that every trajectory can fill: a multiple of the longest interval between moments. */
export const periodsOf = (trajectories: readonly Trajectory[]): Periods => {
  const times = trajectories.map(({ at_ms }) => at_ms).filter((at) => at.length > 1);
  const startMs = Math.min(...times.map((at) => at[0] ?? 0));
  const endMs = Math.max(...times.map((at) => at.at(-1) ?? 0));
  const intervalMs = Math.max(...times.map((at) => (at[1] ?? 0) - (at[0] ?? 0)));
  if (times.length === 0 || intervalMs <= 0) return EMPTY;
  const widthMs = intervalMs * Math.ceil((endMs - startMs) / intervalMs / PERIODS_MAX);
  return { startMs, endMs, widthMs, count: Math.ceil((endMs - startMs) / widthMs) };
};

const MS_PER_MINUTE = 60_000;

/**
 * One value for each period, or null if the run has none: before its first value, and after its
 * end. A period counts if the run covers at least half of it.
 */
export const seriesOf = (
  trajectory: Trajectory,
  { column, how }: BandFigure,
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
    return how === "mean" ? sum / inside.length : (sum * MS_PER_MINUTE) / coveredMs;
  });
};

/** The mean and the 5 % and 95 % quantiles over runs, in each period in which a run has a value. */
export const bandOf = (
  series: readonly (readonly (number | null)[])[],
  { startMs, endMs, widthMs, count }: Periods,
): readonly BandPoint[] =>
  Array.from({ length: count }, (_, period) => period).flatMap((period) => {
    const values = series.flatMap((each) => each[period] ?? []).sort((a, b) => a - b);
    const n = values.length;
    if (n === 0) return [];
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    const atMs = Math.min(endMs, startMs + (period + 1) * widthMs);
    return [{ atMs, n, mean, q05: quantileOf(values, 0.05), q95: quantileOf(values, 0.95) }];
  });

/** The trajectories of the done runs of a cell. */
export const trajectoriesIn = (
  runs: readonly RunRow[],
  cell: string,
  trajectories: ReadonlyMap<string, Trajectory>,
): readonly Trajectory[] =>
  runs
    .filter((run) => run.cell === cell && run.status === "done")
    .flatMap(({ id }) => trajectories.get(id) ?? []);
