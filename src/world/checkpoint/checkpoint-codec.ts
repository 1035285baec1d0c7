import { z } from "zod";
import { MEMORY_KINDS, parseId } from "../../kernel/index.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { DOCUMENT_BOUNDS } from "./document-bounds.ts";

/** Upper limit of counts: half of the safe integers, so that sums stay safe. */
const COUNT_MAX = 2 ** 52;
const count = z.int().min(0).max(COUNT_MAX);
/** Upper limit of run time in ms; `run.duration_s` allows no more. */
const RUN_TIME_MS_MAX = 1e12;
const runTime = z.int().min(0).max(RUN_TIME_MS_MAX);
const digest = z.string().regex(/^[0-9a-f]{64}$/, "is not a SHA-256 in hex");
/** The name of a run is the name of its folder. */
const NAME_CHARS_MAX = 255;
const runId = z.string().min(1).max(NAME_CHARS_MAX);
const id = z.string().refine((text) => parseId(text) !== null, "is not an id");

/** A list that stops at its first invalid item: there may be millions. */
const listOf = <T>(item: z.ZodType<T>) =>
  z.array(z.unknown()).transform((given, context): T[] => {
    const items: T[] = [];
    for (const [index, each] of given.entries()) {
      const parsed = item.safeParse(each);
      if (!parsed.success) {
        const [{ path = [], message = "" } = {}] = parsed.error.issues;
        context.addIssue({ code: "custom", path: [index, ...path], message });
        return z.NEVER;
      }
      items.push(parsed.data);
    }
    return items;
  });

/** The document of a checkpoint file: everything but the state. */
const DOCUMENT = z.object({
  made_by: z.object({ version: z.string(), engine: z.string() }),
  run: z.object({
    id: runId,
    seed: count,
    clock: z.enum(["wall", "virtual"]),
    ancestry: listOf(z.object({ run_id: runId, seq: count })),
  }),
  seq: count.min(1),
  at_ms: runTime,
  event_hash: digest,
  state_hash: digest,
  state_bytes: count,
  spent_micros: count,
  config: z.string().max(DOCUMENT_BOUNDS.configCharsMax),
  memories: listOf(
    z.object({
      agent: id,
      number: count.min(1),
      at_ms: runTime,
      kind: z.enum(MEMORY_KINDS),
      text: z.string(),
    }),
  ),
});

/** The document as JSON text in chunks, with a line end. */
export function* documentChunks(checkpoint: Checkpoint): Generator<string, void, undefined> {
  const { madeBy, run, seq, atMs, eventHash, state, spentMicros, config } = checkpoint;
  const head = { made_by: madeBy, run, seq, at_ms: atMs, event_hash: eventHash };
  const rest = { state_hash: state.sha256, state_bytes: state.sizeBytes };
  const more = { spent_micros: spentMicros, config };
  yield `${JSON.stringify({ ...head, ...rest, ...more }).slice(0, -1)},"memories":[`;
  let before = "";
  for (const { agent, number, atMs: at_ms, kind, text } of checkpoint.memories) {
    yield `${before}${JSON.stringify({ agent, number, at_ms, kind, text })}`;
    before = ",";
  }
  yield "]}\n";
}

export type Decoded =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly problem: string };

/** The checkpoint of a document. Does not open the frame of its state (see `validatedState`). */
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
    memories: rest.memories.map(({ at_ms: atMs, ...memory }) => ({ ...memory, atMs })),
    spentMicros: spent_micros,
    config,
  };
  return { ok: true, checkpoint };
};
