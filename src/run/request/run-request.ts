import { z } from "zod";
import type { Frozen } from "../../model/index.ts";

const texts = z.array(z.string());

const moment = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("event"), seq: z.int().min(1) }),
  z.strictObject({ kind: z.literal("time"), atMs: z.number() }),
]);

const runStart = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("new") }),
  /** From the state in a checkpoint file, or of a run at a moment (default: its end). */
  z.strictObject({ kind: z.literal("fork"), source: z.string(), at: moment.optional() }),
  z.strictObject({ kind: z.literal("resume"), run: z.string() }),
]);

/**
 * All that a user asks of one run. It is plain data, so that a process can give it to another one
 * as JSON. Paths are relative to the current folder.
 *
 * Settings come from the configuration of the source of the run, `config`, `sets`, `settings` and
 * the fields that name one setting. Later ones replace earlier ones.
 */
export const runRequest = z.strictObject({
  start: runStart,
  /** The folder that holds all runs. */
  out: z.string(),
  /** The id of a new run (default: made from the date and time). */
  name: z.string().optional(),
  /** Words by which people find the run again. */
  labels: texts.optional(),
  /** The path of a `config.yaml`. */
  config: z.string().optional(),
  /** Settings as text: `key=value`, where the value is YAML. */
  sets: texts.optional(),
  /** Settings as values. `origin` is the place that messages name. */
  settings: z
    .array(z.strictObject({ key: z.string(), value: z.unknown(), origin: z.string() }))
    .optional(),
  /** Settings for later times. */
  later: z.array(z.strictObject({ at: z.string(), sets: texts })).optional(),
  /** The folders of personas. In a fork, these agents join the world or replace their namesakes. */
  agents: texts.optional(),
  /** The names of the personas to use (default: all). */
  only: texts.optional(),
  seed: z.number().optional(),
  clock: z.string().optional(),
  /** The default model of agents. */
  model: z.string().optional(),
  maxActions: z.number().optional(),
  maxCostUsd: z.number().optional(),
  /**
   * The simulated seconds of a new world. For a fork or a resumed run, the seconds to add, which
   * move the horizon later if needed (default: until the horizon).
   */
  durationS: z.number().optional(),
  /** Stops after this many simulated seconds. Does not move the horizon. */
  stopAfterS: z.number().optional(),
  /** Recorded model calls that answer those of this run. */
  replay: z
    .strictObject({
      /** The run with the recording (default in a fork: its source). */
      run: z.string().optional(),
      /** What happens with a call that the recording lacks. */
      otherwise: z.enum(["fail", "ask"]),
    })
    .optional(),
  /**
   * Whether a world of somebody else can reach outside of its folder: run programs and modules, send
   * requests, read variables. False leaves those parts out. Without it, such a run is refused.
   */
  trust: z.boolean().optional(),
  /** True if a person watches or controls the run. `run.clock: auto` is then the wall clock. */
  isWatched: z.boolean().optional(),
});
export type RunRequest = Frozen<z.output<typeof runRequest>>;
