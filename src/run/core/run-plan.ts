import type { Id } from "../../kernel/index.ts";
import type { ModuleHost } from "../../mind/index.ts";
import type { Environment, Recording } from "../../model/index.ts";
import type { MindEvent } from "../../tools/index.ts";
import type { Ancestor, Checkpoint } from "../../world/index.ts";
import type { Config } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import type { ScheduleRequest } from "../schedule/plan.ts";
import type { RunFeature } from "./run-feature.ts";

/** What a run gets from the process that starts it. */
export type RunHost = {
  readonly pid: number;
  /** What takes part in the run, in this order. A seat needs its feature. */
  readonly features: readonly RunFeature[];
  /** Environment variables with the API keys of model providers. */
  readonly env: Environment;
  readonly fetch?: typeof globalThis.fetch;
  /** Takes notes for the people who run the simulation. They do not belong in the journal. */
  readonly note?: (text: string) => void;
  /** Follows the agents with tools. Their calls are then streamed. The journal is the same. */
  readonly onMindEvent?: (event: MindEvent) => void;
};

/** A request with the content of all files that it names. */
type Prepared = RunHost & {
  readonly config: Config;
  readonly programsFolder: string;
  readonly version: string;
  readonly labels?: readonly string[];
  /** Seconds to run from now on. Moves the horizon later if needed. Null: until the horizon. */
  readonly additionalS: number | null;
  /** Maximum seconds to run from now on. Does not move the horizon. Null: no maximum. */
  readonly stopAfterS: number | null;
  readonly startedAt: Date;
  /** Recorded model calls to use instead of new calls to models. Null: call the models. */
  readonly replay: Recording | null;
  /** The folder for the checkpoint files of all runs. Null: write no checkpoint files. */
  readonly checkpoints: string | null;
  /** Changes at later times. */
  readonly schedule: ScheduleRequest;
  /** True if a person watches or controls the run. `run.clock: auto` is then the wall clock. */
  readonly isWatched?: boolean;
  /**
   * Whether a world that somebody else may have made can reach outside of its folder. False: its
   * agents with code of the host do not think. Undefined: only what the user's own key has signed.
   */
  readonly trust?: boolean | undefined;
  /** What the settings cause that the run takes over from the world that it continues. */
  readonly keptEffects?: readonly string[];
};

/** A run in a new folder: of a new world, or of the world in a checkpoint. */
export type NewRun = Prepared & {
  readonly personas: readonly Persona[];
  readonly out: string;
  readonly runId: string;
  readonly from: Checkpoint | null;
  /** A flag with which the user can start from an earlier state than `from`, or null. */
  readonly earlier?: string | null;
  /** The folder of the run that saved `from`. It has the modules that agents of `from` need. */
  readonly sourceFolder?: string;
};

/** A run that continues in its folder. */
export type ResumedRun = Prepared & { readonly folder: string; readonly parent: Ancestor | null };

export type PreparedRun = NewRun | ResumedRun;

export type ClockKind = Exclude<Config["run"]["clock"], "auto">;

/** A configuration with a chosen clock. */
export type SettledConfig = Config & { readonly run: { readonly clock: ClockKind } };

/** A run that the checks have passed, with its folder. */
export type RunPlan = Prepared & {
  readonly config: SettledConfig;
  /** The existing directory of the run. Only this process writes to it. */
  readonly folder: string;
  /** The personas of the agents that join the world at the start of the run. */
  readonly personas: readonly Persona[];
  /** Runs the modules of the user. The runner closes it at the end of the run. */
  readonly modules: ModuleHost;
  /** The agents whose minds are off, because their code is not trusted. */
  readonly off: ReadonlySet<Id>;
  /** The run time at which to stop. This time is the horizon or earlier. */
  readonly stopAtMs: number;
};
