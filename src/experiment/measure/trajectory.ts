import type { RunMetrics } from "../../read/index.ts";
import { figureNames, isFlow } from "../design/figures.ts";
import type { Trajectory } from "../result/result.ts";

type Timeline = RunMetrics["timeline"];

/** The largest number of values that an experiment keeps of a figure over time. */
const POINTS_MAX = 60;

type Wanted =
  | { readonly figure: string; readonly atMs: number }
  | { readonly figure: string; readonly between: readonly [fromMs: number, toMs: number] };

/**
 * The value of a figure at a moment, or over a period: a flow is added up, and a stock has its mean
 * value. Null if the run has no value there.
 */
export const valueOverTime = (timeline: Timeline, wanted: Wanted): number | null => {
  const { at_ms } = timeline;
  const values = columnOf(timeline, wanted.figure);
  if ("atMs" in wanted) {
    const last = at_ms.findLastIndex((at) => at <= wanted.atMs);
    const isAfterEnd = (at_ms.at(-1) ?? 0) < wanted.atMs;
    return isAfterEnd ? null : (values[last] ?? null);
  }
  const [from, to] = wanted.between;
  const inside = values.filter((value, at): value is number => {
    const time = at_ms[at] ?? 0;
    return value !== null && time > from && time <= to;
  });
  const sum = inside.reduce((all, value) => all + value, 0);
  if (isFlow(wanted.figure)) return sum;
  return inside.length === 0 ? null : sum / inside.length;
};

/** All figures of a run over time, at up to `POINTS_MAX` moments. */
export const trajectoryOf = (timeline: Timeline): Trajectory => {
  const { at_ms } = timeline;
  const step = Math.ceil(at_ms.length / POINTS_MAX);
  const kept = at_ms.flatMap((_, at) => (at % step === 0 || at === at_ms.length - 1 ? [at] : []));
  const columns = figureNames("timeline").map((figure): [string, readonly (number | null)[]] => {
    const values = columnOf(timeline, figure);
    const shown = kept.map((at, order) => {
      if (!isFlow(figure)) return values[at] ?? null;
      const after = order === 0 ? -1 : (kept[order - 1] ?? -1);
      return values.slice(after + 1, at + 1).reduce<number>((sum, each) => sum + (each ?? 0), 0);
    });
    return [figure, shown];
  });
  return { at_ms: kept.map((at) => at_ms[at] ?? 0), ...Object.fromEntries(columns) };
};

const columnOf = (timeline: Timeline, figure: string): readonly (number | null)[] => {
  const column: unknown = Reflect.get(timeline, figure);
  return Array.isArray(column)
    ? column.map((value: unknown) => (typeof value === "number" ? value : null))
    : [];
};
