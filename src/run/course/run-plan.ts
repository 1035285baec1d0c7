import type { ModuleHost } from "../../mind/index.ts";
import type { Environment, Recording } from "../../model/index.ts";
import type { MindEvent } from "../../tools/index.ts";
import { type Config, msOf } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import type { ScheduleRequest } from "../schedule/plan.ts";
import type { SettledConfig } from "./clock-choice.ts";

/** The input that is needed to start, resume or fork any run. */
export type RunRequest = {
  readonly config: Config;
  readonly pid: number;
  readonly programsFolder: string;
  readonly version: string;
  /** Words by which people find the run again. */
  readonly labels?: readonly string[];
  /** Seconds to run from now on. Moves the horizon later if needed. Null: until the horizon. */
  readonly additionalS: number | null;
  /** Maximum seconds to run from now on. Does not move the horizon. Null: no maximum. */
  readonly stopAfterS: number | null;
  readonly startedAt: Date;
  readonly env: Environment;
  /** Recorded model calls to use instead of new calls to models. Null: call the models. */
  readonly replay: Recording | null;
  readonly fetch?: typeof globalThis.fetch;
  /** Takes notes for the people who run the simulation. They do not belong in the journal. */
  readonly note?: (text: string) => void;
  /** Follows the agents with tools. Their calls are then streamed. The journal is the same. */
  readonly onMindEvent?: (event: MindEvent) => void;
  /** The folder for the checkpoint files of all runs. Null: write no checkpoint files. */
  readonly checkpoints: string | null;
  /** Changes at later times (default: what the world has planned, or none). */
  readonly schedule?: ScheduleRequest;
  /** True if a person watches or controls the run. `run.clock: auto` is then the wall clock. */
  readonly isWatched?: boolean;
};

export type RunPlan = Omit<RunRequest, "config"> & {
  readonly config: SettledConfig;
  /** The existing directory of the run. Only this process writes to it. */
  readonly folder: string;
  /** The personas of the agents that join the world at the start of the run. */
  readonly personas: readonly Persona[];
  /** Runs the modules of the user. The runner closes it at the end of the run. */
  readonly modules: ModuleHost;
  /** The run time at which to stop. This time is the horizon or earlier. */
  readonly stopAtMs: number;
};

type Limits = Pick<RunRequest, "additionalS" | "stopAfterS"> & { readonly atMs: number };

/** Returns when to stop, and the configuration with a later horizon if `additionalS` needs it. */
export const withHorizon = (
  config: SettledConfig,
  { atMs, additionalS, stopAfterS }: Limits,
): Pick<RunPlan, "config" | "stopAtMs"> => {
  const horizonMs = msOf(config.run.duration_s);
  const endMs = additionalS === null ? horizonMs : atMs + msOf(additionalS);
  const stopAtMs = stopAfterS === null ? endMs : Math.min(endMs, atMs + msOf(stopAfterS));
  if (endMs <= horizonMs) return { config, stopAtMs };
  return { config: { ...config, run: { ...config.run, duration_s: endMs / 1000 } }, stopAtMs };
};
