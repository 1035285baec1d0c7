import { join } from "node:path";
import { z } from "zod";
import { asId, type Id, isObject, jsonIn, MEMORY_KINDS, type View } from "../../kernel/index.ts";
import type { PackedJson } from "../core/packed-json.ts";
import { JournalFailure, type PackedStartState, type StartState } from "../journal/index.ts";

/** An ancestor of a run. `seq` is the last event that the run inherits from this ancestor. */
export type Ancestor = { readonly run_id: string; readonly seq: number };

const count = z.int().min(0);
const MEMORY = z.object({
  artifact: z.string(),
  number: count,
  atMs: count,
  kind: z.enum(MEMORY_KINDS),
  text: z.string(),
});

/** A thought in progress, and the view of the world at its start. */
export type OpenThought = { readonly agent: Id; readonly view: View };

/** Does not check the view, because a view only appears in prompts. */
export const THOUGHT: z.ZodType<OpenThought> = z.object({
  agent: z.string().transform(asId),
  view: z.custom<View>(isObject),
});

/** A memory in a memory artifact, in the format of the memory index. */
export type RecordedMemory = Readonly<z.infer<typeof MEMORY>>;

/** A world at one moment, with everything that is needed to resume it later on any machine. */
export type Checkpoint = {
  readonly madeBy: { readonly version: string; readonly engine: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly clock: "wall" | "virtual";
    /** The ancestors of this run, oldest first. */
    readonly ancestry: readonly Ancestor[];
  };
  /** The number of the last event that the state includes. */
  readonly seq: number;
  /** The run time of the checkpoint in ms. This is the time of event `seq` or later. */
  readonly atMs: number;
  readonly eventHash: string;
  /** The packed text of the state; see `stateText`. */
  readonly state: PackedJson;
  readonly memories: readonly RecordedMemory[];
  /** The thoughts in progress, in the order in which they started. */
  readonly thoughts: readonly OpenThought[];
  /** The cost of all model calls of this run and its ancestors. */
  readonly spentMicros: number;
  readonly config: string;
};

/** What a run inherits in addition to the state of the world. */
export type Carried = Pick<Checkpoint, "memories" | "thoughts" | "spentMicros"> &
  Pick<Checkpoint["run"], "ancestry">;

const NOTHING_CARRIED: Carried = { ancestry: [], memories: [], thoughts: [], spentMicros: 0 };

export const startStateOf = (checkpoint: Checkpoint): PackedStartState => {
  const { seq, atMs, eventHash, state, run } = checkpoint;
  const { memories, thoughts, spentMicros, config } = checkpoint;
  const ancestry = [...run.ancestry, { run_id: run.id, seq }];
  const carried = JSON.stringify({ ancestry, memories, thoughts, spentMicros, config });
  return { seq, atMs, hash: eventHash, state, carried };
};

const CARRIED: z.ZodType<Carried> = z.object({
  ancestry: z.array(z.object({ run_id: z.string(), seq: count })),
  memories: z.array(MEMORY),
  thoughts: z.array(THOUGHT),
  spentMicros: count,
});

/** Parses the checked `carried` of a start state. A run without a start state inherits nothing. */
export const carriedBy = (base: Pick<StartState, "carried"> | null): Carried => {
  if (base === null) return NOTHING_CARRIED;
  const parsed = CARRIED.safeParse(jsonIn(base.carried));
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") || "the whole record";
  const what = `the data from the earlier run is not valid: ${where}`;
  throw new JournalFailure(`journal failed: ${what}; use a copy of it`);
};

const SUFFIX = ".ckpt";

export const checkpointFolder = (dir: string, run: string): string => join(dir, run);

/** The default path of a checkpoint, such as `checkpoints/first/300s-6886.ckpt`: time and event. */
export const checkpointFile = (
  dir: string,
  { id, seq, atMs }: { readonly id: string; readonly seq: number; readonly atMs: number },
): string => join(checkpointFolder(dir, id), `${atMs / 1_000}s-${seq}${SUFFIX}`);

export const isCheckpointName = (path: string): boolean => path.endsWith(SUFFIX);
