import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Event, errorMessage, type Result } from "../../kernel/index.ts";
import type { RunMetrics } from "../../read/index.ts";
import type { Factors } from "../result/result.ts";

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
export const callMeasure = (
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
