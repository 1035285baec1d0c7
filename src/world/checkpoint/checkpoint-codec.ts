import { z } from "zod";
import { cutText, readState } from "../../kernel/index.ts";
import { bodyHash } from "../snapshot.ts";
import type { Checkpoint } from "./checkpoint.ts";

const whole = z.number().int().nonnegative();

/** The document in a checkpoint file. The state is looked at by who knows states. */
const DOCUMENT = z.object({
  made_by: z.object({ version: z.string(), engine: z.string() }),
  run: z.object({
    id: z.string(),
    seed: z.number().int(),
    clock: z.enum(["wall", "virtual"]),
    lineage: z.array(z.object({ run_id: z.string(), seq: whole })),
  }),
  seq: whole,
  at_ms: whole,
  event_hash: z.string(),
  state_hash: z.string(),
  spent_micros: whole,
  config: z.string(),
  memories: z.array(
    z.object({
      agent: z.string(),
      number: whole,
      at_ms: whole,
      kind: z.enum(["action", "observation"]),
      text: z.string(),
    }),
  ),
  state: z.unknown(),
});

/** Small enough that nobody waits for one, large enough that there are few. */
const PIECE_UNITS = 262_144;

/**
 * The document of a checkpoint as JSON text, piece by piece. The state comes last, so that a person
 * who looks at the text sees first what it is.
 */
export function* documentChunks(checkpoint: Checkpoint): Generator<string, void, undefined> {
  const { madeBy, run, seq, atMs, eventHash, stateHash, spentMicros, config } = checkpoint;
  const head = { made_by: madeBy, run, seq, at_ms: atMs, event_hash: eventHash };
  const rest = { state_hash: stateHash, spent_micros: spentMicros, config };
  yield `${JSON.stringify({ ...head, ...rest }).slice(0, -1)},"memories":[`;
  let before = "";
  for (const { agent, number, atMs: at_ms, kind, text } of checkpoint.memories) {
    yield `${before}${JSON.stringify({ agent, number, at_ms, kind, text })}`;
    before = ",";
  }
  yield '],"state":';
  yield* piecesOf(checkpoint.state);
  yield "}";
}

/** No piece ends in the middle of a character. */
function* piecesOf(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    const piece = cutText(text.slice(at, at + PIECE_UNITS + 1), PIECE_UNITS);
    yield piece;
    at += piece.length;
  }
}

export type Decoded =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly problem: string };

/** A document of the present format as a checkpoint, if it is one and its state is what it says. */
export const decodeDocument = (document: unknown): Decoded => {
  const parsed = DOCUMENT.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "its document";
    return { ok: false, problem: `is no checkpoint: ${where}: ${issue?.message ?? "wrong"}` };
  }
  const { made_by, run, seq, config, spent_micros, state_hash, ...rest } = parsed.data;
  const state = textOf(rest.state, state_hash);
  if (state === null) {
    const cure = "it was changed; use a copy of it";
    return { ok: false, problem: `holds a state that does not agree with its hash: ${cure}` };
  }
  const read = readState(rest.state);
  if (!read.ok) return { ok: false, problem: `cannot be used: ${read.problem}` };
  const checkpoint: Checkpoint = {
    madeBy: made_by,
    run,
    seq,
    atMs: rest.at_ms,
    eventHash: rest.event_hash,
    stateHash: state_hash,
    state,
    memories: rest.memories.map(({ at_ms: atMs, ...memory }) => ({ ...memory, atMs })),
    spentMicros: spent_micros,
    config,
  };
  return { ok: true, checkpoint };
};

/** The text of the state, or null where that is not its hash. */
const textOf = (state: unknown, hash: string): string | null => {
  const text = JSON.stringify(state) ?? "";
  return bodyHash(text) === hash ? text : null;
};
