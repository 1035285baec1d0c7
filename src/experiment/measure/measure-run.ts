import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { groupsOf, measureRun, type RunMetrics } from "../../figures/index.ts";
import { type Event, errorMessage, type Result } from "../../kernel/index.ts";
import { decodeEvent, isRunEvent, type Journal, sha256 } from "../../world/index.ts";
import type { Measure } from "../design/experiment.ts";
import { figureNames, isFlow } from "../design/figures.ts";
import type { Factors, Trajectory } from "../result/result.ts";

/** An event of a run with its number and its run time. */
type TimedEvent = { readonly seq: number; readonly at_ms: number; readonly event: Event };

/** A finished run, as a measure of the user sees it. */
export type MeasuredRun = {
  readonly id: string;
  readonly arm: string;
  readonly factors: Factors;
  readonly seed: number;
  /** `metrics` of `sim report --json`. docs/report.md describes each figure. */
  readonly metrics: RunMetrics;
  /** All events since the start of the run, or since its fork. */
  readonly events: () => Iterable<TimedEvent>;
};

/** The default export of a module of the user. Returns null if the run has no such value. */
export type UserMeasure = (run: MeasuredRun) => number | null;

/** Imports the module of a measure. */
export const loadMeasure = async (file: string): Promise<Result<{ measure: UserMeasure }>> => {
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(file)).href);
    if (typeof module.default === "function") {
      return { ok: true, measure: module.default as UserMeasure };
    }
    return { ok: false, problem: `${file} must export a function as its default export` };
  } catch (error) {
    return { ok: false, problem: `${file} cannot be loaded: ${String(error)}` };
  }
};

/**
 * Calls the measure `name` of the module `file`.
 * @throws Error that names the measure and, if the module throws, the line.
 */
const callMeasure = (
  measure: UserMeasure,
  name: string,
  file: string,
  run: MeasuredRun,
): number | null => {
  let value: unknown;
  try {
    value = measure(run);
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? "") : "";
    const [, line] = stack.split(pathToFileURL(resolve(file)).href);
    const place = `${file}${/^:\d+:\d+/.exec(line ?? "")?.[0] ?? ""}`;
    throw new Error(`measure ${name}: ${place}: ${errorMessage(error)}`, { cause: error });
  }
  if (value === null) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const given = typeof value === "number" ? String(value) : typeof value;
  throw new Error(`measure ${name}: ${file} must return a finite number or null, not ${given}`);
};

type Request = {
  readonly id: string;
  readonly arm: string;
  readonly factors: Factors;
  readonly seed: number;
  readonly measures: readonly Measure[];
  /** The modules of the user, by path. */
  readonly modules: ReadonlyMap<string, UserMeasure>;
};

/**
 * Measures a run from its journal: what an experiment keeps of it.
 * @throws Error that names the measure of the user that fails.
 */
export const measurementOf = (journal: Journal, request: Request) => {
  const metrics = measureRun(journal).metrics();
  const { id, arm, factors, seed, measures, modules } = request;
  const events = function* () {
    for (const row of journal.events({ after: metrics.from_seq })) {
      if (!isRunEvent(row.kind)) yield { seq: row.seq, at_ms: row.atMs, event: decodeEvent(row) };
    }
  };
  const figures = measures.map((measure): readonly [string, number | null] => {
    if (measure.kind === "figure") return [measure.name, figureIn(metrics, measure)];
    const { name, file } = measure;
    const module = modules.get(file);
    // A module may change what it gets, and must not change other figures.
    const run: MeasuredRun = { id, arm, factors, seed, metrics: structuredClone(metrics), events };
    return [name, module === undefined ? null : callMeasure(module, name, file, run)];
  });
  return {
    figures: Object.fromEntries(figures),
    trajectory: trajectoryOf(metrics.timeline),
    digest: sha256(JSON.stringify([metrics.principals, metrics.timeline])),
    tradesByQuarter: [0, 1, 2, 3].map((quarter) => tradesIn(metrics, quarter)),
  };
};

const tradesIn = ({ timeline, from_ms, at_ms }: RunMetrics, quarter: number): number => {
  const width = (at_ms - from_ms) / 4;
  return (
    sumOrMean(timeline, "trades", from_ms + quarter * width, from_ms + (quarter + 1) * width) ?? 0
  );
};

const figureIn = (
  metrics: RunMetrics,
  { figure, group, agent, atS, betweenS }: Extract<Measure, { readonly kind: "figure" }>,
): number | null => {
  const { timeline, principals } = metrics;
  if (atS !== null) return valueAt(timeline, figure, atS * 1_000);
  if (betweenS !== null) {
    return sumOrMean(timeline, figure, betweenS[0] * 1_000, betweenS[1] * 1_000);
  }
  if (group !== null) {
    return numberAt(
      groupsOf(principals).find((row) => row.group === group),
      figure,
    );
  }
  if (agent !== null) {
    return numberAt(
      principals.find(({ id }) => id === agent),
      figure,
    );
  }
  return numberAt(metrics, figure);
};

/** The number at a dotted path, or null if there is none. */
const numberAt = (from: unknown, path: string): number | null => {
  const found = path.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null && Object.hasOwn(value, key)
      ? (value as Readonly<Record<string, unknown>>)[key]
      : null;
  }, from);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
};

type Timeline = RunMetrics["timeline"];

/** The value of a figure at a moment, or null if the run has none there. */
const valueAt = (timeline: Timeline, figure: string, atMs: number): number | null => {
  const { at_ms } = timeline;
  if ((at_ms.at(-1) ?? 0) < atMs) return null;
  return columnOf(timeline, figure)[at_ms.findLastIndex((at) => at <= atMs)] ?? null;
};

/**
 * The value of a figure over a period: a flow is added up, and a stock has its mean value, or null
 * if the run has no value there.
 */
const sumOrMean = (
  timeline: Timeline,
  figure: string,
  fromMs: number,
  toMs: number,
): number | null => {
  const inside = columnOf(timeline, figure).filter((value, at) => {
    const time = timeline.at_ms[at] ?? 0;
    return value !== null && time > fromMs && time <= toMs;
  });
  const sum = inside.reduce<number>((all, value) => all + (value ?? 0), 0);
  if (isFlow(figure)) return sum;
  return inside.length === 0 ? null : sum / inside.length;
};

/** All figures of a run over time, at up to 60 moments. */
const trajectoryOf = (timeline: Timeline): Trajectory => {
  const { at_ms } = timeline;
  const step = Math.ceil(at_ms.length / 60);
  const kept = at_ms.flatMap((_, at) => (at % step === 0 || at === at_ms.length - 1 ? [at] : []));
  const figures = Object.keys(timeline).filter((name) => figureNames("timeline").includes(name));
  const columns = figures.map((figure): [string, readonly (number | null)[]] => {
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
  const columns: Readonly<Record<string, unknown>> = timeline;
  return (columns[figure] ?? []) as readonly (number | null)[];
};
