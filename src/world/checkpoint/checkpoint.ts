import { join } from "node:path";
import {
  is,
  isAmountOrZero,
  isObject,
  jsonIn,
  MEMORY_KINDS,
  type Result,
  type View,
} from "../../kernel/index.ts";
import type { PackedJson } from "../core/packed-json.ts";
import { JournalFailure, type PackedStartState, type StartState } from "../journal/index.ts";

/** An ancestor of a run. `seq` is the last event that the run inherits from this ancestor. */
export type Ancestor = { readonly run_id: string; readonly seq: number };

const whole = (least: number, most: number): is.Shape<number> =>
  is.checked(
    `a whole number from ${least} to ${most}`,
    (value) => isAmountOrZero(value) && value >= least && value <= most,
  );

const chars = (least: number, most: number): is.Shape<string> =>
  is.checked(
    `text of ${least} to ${most} characters`,
    (value) => typeof value === "string" && value.length >= least && value.length <= most,
  );

/** The sum of two such numbers is exact. */
const COUNT = whole(0, 2 ** 52);
const ORDINAL = whole(1, 2 ** 52);
/** A run time in ms. The maximum is that of `run.duration_s`. */
const RUN_TIME = whole(0, 1e12);
const DIGEST = is.checked<string>(
  "a SHA-256 in hex",
  (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value),
);
/** The name of a folder, and no path. */
const RUN_ID = is.checked<string>(
  "the name of a run",
  (value) => typeof value === "string" && /^(?!\.{1,2}$)[^/\\\0]{1,255}$/.test(value),
);
const ANCESTRY = is.list(is.record({ run_id: RUN_ID, seq: COUNT }));

/** A thought in progress, and the view of the world at its start. */
const THOUGHT = is.record({
  agent: is.id,
  /** Not checked, because a view only appears in prompts. */
  view: is.checked<View>("a record", isObject),
});
export type OpenThought = is.Of<typeof THOUGHT>;

const MEMORY = { artifact: is.id, number: ORDINAL, kind: is.oneOf(MEMORY_KINDS), text: is.text };

/** A memory in a memory artifact, in the format of the memory index. */
const RECORDED_MEMORY = is.record({ ...MEMORY, atMs: RUN_TIME });
export type RecordedMemory = is.Of<typeof RECORDED_MEMORY>;

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

export const startStateOf = (checkpoint: Checkpoint): PackedStartState => {
  const { seq, atMs, eventHash, state, run } = checkpoint;
  const { memories, thoughts, spentMicros, config } = checkpoint;
  const ancestry = [...run.ancestry, { run_id: run.id, seq }];
  const carried = JSON.stringify({ ancestry, memories, thoughts, spentMicros, config });
  return { seq, atMs, hash: eventHash, state, carried };
};

/** What a run inherits in addition to the state of the world. */
const CARRIED = is.record({
  ancestry: ANCESTRY,
  memories: is.list(RECORDED_MEMORY),
  thoughts: is.list(THOUGHT),
  spentMicros: COUNT,
  config: is.text,
});
type Carried = is.Of<typeof CARRIED>;

const NOTHING_CARRIED: Carried = {
  ancestry: [],
  memories: [],
  thoughts: [],
  spentMicros: 0,
  config: "",
};

/** Parses the checked `carried` of a start state. A run without a start state inherits nothing. */
export const carriedBy = (base: Pick<StartState, "carried"> | null): Carried => {
  if (base === null) return NOTHING_CARRIED;
  const carried: unknown = jsonIn(base.carried);
  const problem = CARRIED(carried);
  if (problem === null) return carried as Carried;
  const what = `the data from the earlier run is not valid: it${problem}`;
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

/** A checkpoint's document. It contains everything except the state. */
const DOCUMENT = is.record({
  made_by: is.record({ version: is.text, engine: is.text }),
  run: is.record({
    id: RUN_ID,
    seed: COUNT,
    clock: is.oneOf(["wall", "virtual"]),
    ancestry: ANCESTRY,
  }),
  seq: ORDINAL,
  at_ms: RUN_TIME,
  event_hash: DIGEST,
  state_hash: DIGEST,
  state_bytes: COUNT,
  spent_micros: COUNT,
  config: chars(0, CONFIG_CHARS_MAX),
  memories: is.list(is.record({ ...MEMORY, at_ms: RUN_TIME })),
  thoughts: is.list(THOUGHT),
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
  const problem = DOCUMENT(document);
  if (problem !== null) {
    const why = problem.startsWith(".") ? problem.slice(1) : `its document${problem}`;
    return { ok: false, problem: `is not a checkpoint: ${why}; use an unchanged copy of it` };
  }
  const parsed = document as is.Of<typeof DOCUMENT>;
  const { made_by, run, seq, config, spent_micros, ...rest } = parsed;
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
