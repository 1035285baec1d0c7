import { z } from "zod";
import { MEMORY_KINDS, type Result } from "../../kernel/index.ts";
import { id, list } from "../state-codec/schema.ts";
import { type Checkpoint, THOUGHT } from "./checkpoint.ts";
import { DOCUMENT_BOUNDS } from "./document-bounds.ts";

/** The maximum of each count in a checkpoint. The sum of two such counts is exact. */
const COUNT_MAX = 2 ** 52;
const count = z.int().min(0).max(COUNT_MAX);
/** The maximum run time in ms that `run.duration_s` allows. */
const RUN_TIME_MS_MAX = 1e12;
const runTime = z.int().min(0).max(RUN_TIME_MS_MAX);
const digest = z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in hex");
const NAME_CHARS_MAX = 255;
const runId = z.string().min(1).max(NAME_CHARS_MAX);

const MEMORY = z.object({
  artifact: id,
  number: count.min(1),
  at_ms: runTime,
  kind: z.enum(MEMORY_KINDS),
  text: z.string(),
});

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
  config: z.string().max(DOCUMENT_BOUNDS.configCharsMax),
  memories: list(MEMORY),
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
    memories: rest.memories.map(rememberedIn),
    thoughts: rest.thoughts,
    spentMicros: spent_micros,
    config,
  };
  return { ok: true, checkpoint };
};

const rememberedIn = ({ artifact, number, at_ms: atMs, kind, text }: z.infer<typeof MEMORY>) => ({
  artifact,
  number,
  atMs,
  kind,
  text,
});
