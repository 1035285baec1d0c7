import { z } from "zod";
import { cutText, isObject, jsonIn, MEMORY_KINDS, parseId } from "../../kernel/index.ts";
import { sha256 } from "../sha256.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { DOCUMENT_BOUNDS } from "./document-bounds.ts";

/** What is counted, up to half of what can be: as much again has room behind it. */
const COUNT_MAX = 2 ** 52;
const count = z.int().min(0).max(COUNT_MAX);
/** A horizon is at the most so far away, `run.duration_s`, in ms of run time. */
const RUN_TIME_MS_MAX = 1e12;
const runTime = z.int().min(0).max(RUN_TIME_MS_MAX);
const digest = z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256 in hex");
/** A run is called like its folder. */
const NAME_CHARS_MAX = 255;
const runId = z.string().min(1).max(NAME_CHARS_MAX);
const id = z.string().refine((text) => parseId(text) !== null, "is no id");

/** A list that is looked at up to its first fault: there may be millions of them. */
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

/** The document in a checkpoint file. The state is looked at by who knows states. */
const DOCUMENT = z.object({
  made_by: z.object({ version: z.string(), engine: z.string() }),
  run: z.object({
    id: runId,
    seed: count,
    clock: z.enum(["wall", "virtual"]),
    lineage: listOf(z.object({ run_id: runId, seq: count })),
  }),
  seq: count.min(1),
  at_ms: runTime,
  event_hash: digest,
  state_hash: digest,
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
  state: z.unknown(),
});

/** What stands before the state in every document that we write. */
const STATE_MARK = '],"state":';

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
  yield STATE_MARK;
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

/** The text of a state as it stands in a document, with its hash. */
export type WrittenState = { readonly text: string; readonly hash: string };

/**
 * A document of the present format as a checkpoint, if it is one and its state has its hash. What
 * state that is, whoever goes on from it looks (see `soundState`). `written` is the text of the
 * state, where it is not in the document.
 */
export const decodeDocument = (document: unknown, written: WrittenState | null): Decoded => {
  const parsed = DOCUMENT.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") || "its document";
    return refuse(`is no checkpoint: ${where}: ${issue?.message ?? "wrong"}; ${CURE}`);
  }
  const { made_by, run, seq, config, spent_micros, state_hash, ...rest } = parsed.data;
  const { text, hash } = written ?? writtenAs(rest.state);
  if (hash !== state_hash) {
    return refuse(`holds a state that does not agree with its hash: it was changed; ${CURE}`);
  }
  const checkpoint: Checkpoint = {
    madeBy: made_by,
    run,
    seq,
    atMs: rest.at_ms,
    eventHash: rest.event_hash,
    stateHash: state_hash,
    state: text,
    memories: rest.memories.map(({ at_ms: atMs, ...memory }) => ({ ...memory, atMs })),
    spentMicros: spent_micros,
    config,
  };
  return { ok: true, checkpoint };
};

const CURE = "use an unchanged copy of it";

const refuse = (problem: string): Decoded => ({ ok: false, problem });

const writtenAs = (state: unknown): WrittenState => {
  const text = JSON.stringify(state) ?? "";
  return { text, hash: sha256(text) };
};

const CLOSING_BRACE = 0x7d;

type Split = { readonly head: unknown; readonly state: WrittenState };

/**
 * A document with its state at the end, as we write it: what is before, with null for the state,
 * and the text of the state, which then need neither be parsed here nor be written again. Null for
 * one that is laid out in another way, or whose state is not what it says.
 */
export const splitDocument = (bytes: Buffer): Split | null => {
  const from = bytes.indexOf(STATE_MARK) + STATE_MARK.length;
  if (from < STATE_MARK.length || bytes.at(-1) !== CLOSING_BRACE) return null;
  const state = bytes.subarray(from, -1);
  const hash = sha256(state);
  const head = jsonIn(`${bytes.toString("utf8", 0, from)}null}`);
  if (!isObject(head) || head.state_hash !== hash) return null;
  return { head, state: { text: state.toString("utf8"), hash } };
};
