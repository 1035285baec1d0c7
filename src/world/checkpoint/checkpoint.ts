import { join } from "node:path";
import { z } from "zod";
import { jsonIn, MEMORY_KINDS, type MemoryKind } from "../../kernel/index.ts";
import { JournalFailure, type PackedStartState, type StartState } from "../journal/index.ts";
import type { PackedJson } from "../packed-json.ts";

/** An earlier run that a run continues, and the last event taken over from it. */
export type Ancestor = { readonly run_id: string; readonly seq: number };

/** A memory of an agent, as the memory index takes it. */
export type Remembered = {
  readonly agent: string;
  /** Numbers the agent's memories, from 1. */
  readonly number: number;
  readonly atMs: number;
  readonly kind: MemoryKind;
  readonly text: string;
};

/** A world at one moment, with everything needed to resume it elsewhere and later. */
export type Checkpoint = {
  readonly madeBy: { readonly version: string; readonly engine: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly clock: "wall" | "virtual";
    /** Oldest first. */
    readonly ancestry: readonly Ancestor[];
  };
  /** The last event that the state includes. */
  readonly seq: number;
  /** Run time in ms: that of the event, or later. */
  readonly atMs: number;
  /** The hash of that event. */
  readonly eventHash: string;
  /** Its text (see `stateText`), whose SHA-256 is the hash of the state. */
  readonly state: PackedJson;
  /** In the order of recording. */
  readonly memories: readonly Remembered[];
  /** The cost of all model calls, of the ancestors and this run. */
  readonly spentMicros: number;
  /** The resolved configuration, as YAML. */
  readonly config: string;
};

/** What a run inherits from the one it continues, besides the state of the world. */
export type Carried = {
  /** Oldest first. */
  readonly ancestry: readonly Ancestor[];
  readonly memories: readonly Remembered[];
  /** The cost of all model calls so far. */
  readonly spentMicros: number;
  /** The configuration of the previous run, as YAML; null if there is none. */
  readonly config: string | null;
};

export const NOTHING_CARRIED: Carried = {
  ancestry: [],
  memories: [],
  spentMicros: 0,
  config: null,
};

/** The base of the journal of a run that continues from a checkpoint. */
export const startStateOf = (checkpoint: Checkpoint): PackedStartState => {
  const { seq, atMs, eventHash, state, run } = checkpoint;
  const { memories, spentMicros, config } = checkpoint;
  const ancestry = [...run.ancestry, { run_id: run.id, seq }];
  const inherited: Carried = { ancestry, memories, spentMicros, config };
  const carried = JSON.stringify(inherited);
  return { seq, atMs, hash: eventHash, state, carried };
};

const count = z.int().min(0);
const CARRIED: z.ZodType<Carried> = z.object({
  ancestry: z.array(z.object({ run_id: z.string(), seq: count })),
  memories: z.array(
    z.object({
      agent: z.string(),
      number: count,
      atMs: count,
      kind: z.enum(MEMORY_KINDS),
      text: z.string(),
    }),
  ),
  spentMicros: count,
  config: z.string().nullable(),
});

/**
 * What the base of a journal carries; its digest must have been checked.
 * @throws JournalFailure if it has another shape.
 */
export const carriedBy = ({ carried }: Pick<StartState, "carried">): Carried => {
  const parsed = CARRIED.safeParse(jsonIn(carried));
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") || "all of it";
  const what = `what it carries along from an earlier run is not valid: ${where}`;
  throw new JournalFailure(`journal failed: ${what}; use a copy of it`);
};

const SUFFIX = ".ckpt";

/** The folder of one run's checkpoints, within the folder of all checkpoints. */
export const checkpointFolder = (dir: string, run: string): string => join(dir, run);

/** The default path of the checkpoint of a run after event `seq`. */
export const checkpointFile = (
  dir: string,
  { id, seq }: { readonly id: string; readonly seq: number },
): string => join(checkpointFolder(dir, id), `${seq}${SUFFIX}`);

/** Whether a path has the suffix of a checkpoint. */
export const isCheckpointName = (path: string): boolean => path.endsWith(SUFFIX);
