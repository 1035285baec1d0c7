import type { Environment, Recording } from "../../mind/index.ts";
import { type Config, msOf } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";

/** The settings that every run needs from the process that starts it. */
export type RunRequest = {
  readonly config: Config;
  readonly pid: number;
  readonly programsFolder: string;
  readonly version: string;
  /** Simulated seconds to add when the run is resumed, or null to keep the horizon. */
  readonly additionalS: number | null;
  /** Simulated seconds after which to stop before the horizon, or null to stop at the horizon. */
  readonly stopAfterS: number | null;
  readonly startedAt: Date;
  readonly env: Environment;
  /** Recorded model calls that replace calls to models, or null to call models. */
  readonly replay: Recording | null;
  readonly fetch?: typeof globalThis.fetch;
  /** The folder for the checkpoint files of all runs, or null to write no files. */
  readonly checkpoints: string | null;
};

export type RunPlan = RunRequest & {
  /** The existing directory of the run. Only this process writes to it. */
  readonly folder: string;
  /** The agents that join the world at the start. */
  readonly personas: readonly Persona[];
  /** The run time at which to stop, which is the horizon or earlier. */
  readonly stopAtMs: number;
};

type Limits = Pick<RunRequest, "additionalS" | "stopAfterS"> & {
  readonly atMs: number;
};

/** The time to stop, and the configuration with a later horizon if `additionalS` needs one. */
export const withHorizon = (
  config: Config,
  { atMs, additionalS, stopAfterS }: Limits,
): Pick<RunPlan, "config" | "stopAtMs"> => {
  const horizonMs = msOf(config.run.duration_s);
  const endMs = additionalS === null ? horizonMs : atMs + msOf(additionalS);
  const stopAtMs = stopAfterS === null ? endMs : Math.min(endMs, atMs + msOf(stopAfterS));
  if (endMs <= horizonMs) return { config, stopAtMs };
  return { config: { ...config, run: { ...config.run, duration_s: endMs / 1000 } }, stopAtMs };
};
