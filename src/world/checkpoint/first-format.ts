import { isObject, jsonIn } from "../../kernel/index.ts";
import { packedJson } from "../packed-json.ts";
import { sha256 } from "../sha256.ts";

/** What a checkpoint file holds, part by part; or what is wrong with it. */
export type Apart =
  | {
      readonly ok: true;
      /** Without the state. */
      readonly document: unknown;
      /** The zstd frame with the state. */
      readonly frame: Uint8Array;
      /** How much was unpacked that the state is no part of. */
      readonly besideBytes: number;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * What a checkpoint of format 1 holds, whose document had the state in it, as its last field where
 * it was written by us.
 * @throws SyntaxError where it is no JSON.
 */
export const takenApart = (bytes: Buffer): Apart => {
  const { head, text } = split(bytes) ?? parsed(bytes);
  const { frame, sha256: hash, sizeBytes } = packedJson(text);
  // All that was unpacked had the state in it.
  const besides = { frame, besideBytes: 0 };
  if (!isObject(head)) return { ok: true, document: head, ...besides };
  if (head.state_hash === hash) {
    return { ok: true, document: { ...head, state_bytes: sizeBytes }, ...besides };
  }
  const changed = "holds a state that does not agree with its hash: it was changed";
  return { ok: false, problem: `${changed}; use an unchanged copy` };
};

type Split = { readonly head: unknown; readonly text: string };

/** What stands before the state in every document that we wrote. */
const STATE_MARK = '],"state":';

const CLOSING_BRACE = 0x7d;

/**
 * A document with its state at the end: the state then need neither be parsed here nor be written
 * again. Null for one that is laid out in another way, or whose state is not what it says.
 */
const split = (bytes: Buffer): Split | null => {
  const from = bytes.indexOf(STATE_MARK) + STATE_MARK.length;
  if (from < STATE_MARK.length || bytes.at(-1) !== CLOSING_BRACE) return null;
  const state = bytes.subarray(from, -1);
  const head = jsonIn(`${bytes.toString("utf8", 0, from)}null}`);
  if (!isObject(head) || head.state_hash !== sha256(state)) return null;
  return { head, text: state.toString("utf8") };
};

const parsed = (bytes: Buffer): Split => {
  const head: unknown = JSON.parse(bytes.toString("utf8"));
  return { head, text: (isObject(head) ? JSON.stringify(head.state) : null) ?? "" };
};
