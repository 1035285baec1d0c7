import { join } from "node:path";
import { z } from "zod";
import {
  asId,
  type Id,
  isObject,
  jsonIn,
  MEMORY_KINDS,
  type Result,
  type View,
} from "../../kernel/index.ts";
import type { PackedJson } from "../core/packed-json.ts";
import { JournalFailure, type PackedStartState, type StartState } from "../journal/index.ts";
import { id, list } from "../state-codec/schema.ts";

/** An ancestor of a run. `seq` is the last event that the run inherits from this ancestor. */
export type Ancestor = { readonly run_id: string; readonly seq: number };

/** A whole number. The sum of two such numbers is exact. */
const count = z
  .int()
  .min(0)
  .max(2 ** 52);
/** A run time in ms. The maximum is that of `run.duration_s`. */
const runTime = z.int().min(0).max(1e12);
const memoryKind = z.enum(MEMORY_KINDS);
const digest = z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in hex");
const runId = z.string().min(1).max(255);

const MEMORY = z.object({
  artifact: z.string(),
  number: count,
  atMs: runTime,
  kind: memoryKind,
  text: z.string(),
});

/** A thought in progress, and the view of the world at its start. */
export type OpenThought = { readonly agent: Id; readonly view: View };

/** Does not check the view, because a view only appears in prompts. */
const THOUGHT: z.ZodType<OpenThought> = z.object({
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
type Carried = Pick<Checkpoint, "memories" | "thoughts" | "spentMicros"> &
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

/** The maximum length of the configuration. It is YAML, which parses far slower than JSON. */
export const CONFIG_CHARS_MAX = 1_000_000;

/** The schema of a checkpoint's document. The document contains everything except the state. */
const DOCUMENT = z.object({
  made_by: z.object({ version: z.string(), engine: z.string() }),
  run: z.object({
    id: runId,
    seed: count,
    clock: z.enum(["wall", "virtual"]),
    ancestry: list(z.object({ run_id: runId, seq: count })),
  }),
  seq: count.min(1),
  at_ms: runTime,
  event_hash: digest,
  state_hash: digest,
  state_bytes: count,
  spent_micros: count,
  config: z.string().max(CONFIG_CHARS_MAX),
  memories: list(
    z.object({
      artifact: id,
      number: count.min(1),
      at_ms: runTime,
      kind: memoryKind,
      text: z.string(),
    }),
  ),
  thoughts: list(THOUGHT),
});

export function* documentChunks(checkpoint: Checkpoint): Generator<string, void, undefined> {
  const { madeBy, run, seq, atMs, eventHash, state, spentMicros, config } = checkpoint;
  const head = { made_by: madeBy, run, seq, at_ms: atMs, event_hash: eventHash };
  const rest = { state_hash: state.sha256, state_bytes: state.sizeBytes };
  const more = { spent_micros: spentMicros, config };
  yield `${JSON.stringify({ ...head, ...rest, ...more }).slice(0, -1)},"memories":[`;
  let before = "";
  for (const { artifact, number, atMs: at_ms, kind, text } of checkpoint.memories) {
    yield `${before}${JSON.stringify({ artifact, number, at_ms, kind, text })}`;
    before = ",";
  }
  yield '],"thoughts":[';
  before = "";
  for (const thought of checkpoint.thoughts) {
    yield `${before}${JSON.stringify(thought)}`;
    before = ",";
  }
  yield "]}\n";
}

export type Decoded = Result<{ checkpoint: Checkpoint }>;

/** Decodes a document. Does not unpack the state. `validatedState` unpacks the state. */
export const decodeDocument = (document: unknown, frame: Uint8Array): Decoded => {
  const parsed = DOCUMENT.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "its document";
    const why = `${where}: ${issue?.message ?? "wrong"}`;
    return { ok: false, problem: `is not a checkpoint: ${why}; use an unchanged copy of it` };
  }
  const { made_by, run, seq, config, spent_micros, ...rest } = parsed.data;
  const checkpoint: Checkpoint = {
    madeBy: made_by,
    run,
    seq,
    atMs: rest.at_ms,
    eventHash: rest.event_hash,
    state: { frame, sha256: rest.state_hash, sizeBytes: rest.state_bytes },
    memories: rest.memories.map(({ artifact, number, at_ms, kind, text }) => ({
      artifact,
      number,
      atMs: at_ms,
      kind,
      text,
    })),
    thoughts: rest.thoughts,
    spentMicros: spent_micros,
    config,
  };
  return { ok: true, checkpoint };
};
