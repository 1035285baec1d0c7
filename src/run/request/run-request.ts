import type { Moment } from "../../world/index.ts";
import type { FlagValue, ScheduledSets } from "../config/index.ts";

/**
 * All that a user asks of one run. It is plain data, so that a process can give it to another one
 * as JSON. Paths are relative to the current folder.
 *
 * Settings come from the configuration of the source of the run, `config`, `sets`, `settings` and
 * the fields that name one setting. Later ones replace earlier ones.
 */
export type RunRequest = {
  readonly start: RunStart;
  /** The folder that holds all runs. */
  readonly out: string;
  /** The id of a new run (default: made from the date and time). */
  readonly name?: string | undefined;
  /** Words by which people find the run again. */
  readonly labels?: readonly string[] | undefined;
  /** The path of a `config.yaml`. */
  readonly config?: string | undefined;
  /** Settings as text: `key=value`, where the value is YAML. */
  readonly sets?: readonly string[] | undefined;
  readonly settings?: readonly FlagValue[] | undefined;
  /** Settings for later times. */
  readonly later?: readonly ScheduledSets[] | undefined;
  /** The folders of personas. In a fork, these agents join the world or replace their namesakes. */
  readonly agents?: readonly string[] | undefined;
  /** The names of the personas to use (default: all). */
  readonly only?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly clock?: string | undefined;
  /** The default model of agents. */
  readonly model?: string | undefined;
  readonly maxActions?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  /**
   * The simulated seconds of a new world. For a fork or a resumed run, the seconds to add, which
   * move the horizon later if needed (default: until the horizon).
   */
  readonly durationS?: number | undefined;
  /** Stops after this many simulated seconds. Does not move the horizon. */
  readonly stopAfterS?: number | undefined;
  readonly replay?: ReplayRequest | undefined;
  /** True if a person watches or controls the run. `run.clock: auto` is then the wall clock. */
  readonly isWatched?: boolean | undefined;
};

type RunStart =
  | { readonly kind: "new" }
  /** From the state in a checkpoint file, or of a run at a moment (default: its end). */
  | { readonly kind: "fork"; readonly source: string; readonly at?: Moment | undefined }
  | { readonly kind: "resume"; readonly run: string };

/** Recorded model calls that answer those of this run. */
type ReplayRequest = {
  /** The run with the recording (default in a fork: its source). */
  readonly run?: string | undefined;
  /** What happens with a call that the recording lacks. */
  readonly otherwise: "fail" | "ask";
};
