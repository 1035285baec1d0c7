import type { Environment, Recording } from "../../mind/index.ts";
import type { Thinker } from "../agents/llm-plan.ts";
import { type Config, msOf } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";

/** What every run needs from the process that starts it. */
export type RunRequest = {
  readonly config: Config;
  readonly pid: number;
  readonly programsFolder: string;
  readonly version: string;
  /** Simulated seconds to add when resuming; null keeps the horizon. */
  readonly furtherS: number | null;
  /** Stops after this many simulated seconds if the horizon is later; null: at the horizon. */
  readonly stopAfterS: number | null;
  readonly startedAt: Date;
  readonly env: Environment;
  /** Recorded model calls to answer from; null: models are called. */
  readonly replay: Recording | null;
  readonly fetch?: typeof globalThis.fetch;
  /** The folder for the checkpoint files of all runs; null: no files are written. */
  readonly checkpoints: string | null;
};

export type RunPlan = RunRequest & {
  /** Exists, and only this process writes to it. */
  readonly folder: string;
  /** The agents that join the world at the start. */
  readonly personas: readonly Persona[];
  /** All agents that think: `personas`, and those of the world that is resumed. */
  readonly thinkers: readonly Thinker[];
  /** Run time at which to stop: the horizon or earlier. */
  readonly stopAtMs: number;
};

type Limits = Pick<RunRequest, "furtherS" | "stopAfterS"> & {
  readonly atMs: number;
};

/** The config with its horizon moved to where `furtherS` ends, if later, and the time to stop. */
export const withHorizon = (
  config: Config,
  { atMs, furtherS, stopAfterS }: Limits,
): Pick<RunPlan, "config" | "stopAtMs"> => {
  const horizonMs = msOf(config.run.duration_s);
  const endMs = furtherS === null ? horizonMs : atMs + msOf(furtherS);
  const stopAtMs = stopAfterS === null ? endMs : Math.min(endMs, atMs + msOf(stopAfterS));
  if (endMs <= horizonMs) return { config, stopAtMs };
  return { config: { ...config, run: { ...config.run, duration_s: endMs / 1000 } }, stopAtMs };
};
