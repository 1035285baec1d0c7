import { createHash } from "node:crypto";
import { firstLineOf, type Result, type WithProblem } from "../../kernel/index.ts";
import { JsonCounter, type JsonCounts } from "../core/json-counter.ts";
import {
  INFLATED_BYTES_MAX,
  inflated,
  jsonCountsOf,
  packedInBackground,
} from "../core/packed-json.ts";
import { sha256 } from "../core/sha256.ts";
import {
  type Checkpoint,
  CONFIG_CHARS_MAX,
  type Decoded,
  decodeDocument,
  documentChunks,
} from "./checkpoint.ts";

/**
 * The limits of a checkpoint file. Every written file is within them, so a reader can refuse a
 * hostile file early. For comparison: packing shrinks a state to between a tenth and a fifth. A
 * state has about 40 JSON values per artifact. Even a short value takes up to 100 bytes of memory.
 */
export const DOCUMENT_BOUNDS = {
  /** The maximum unpacked size in bytes of the document and the state together. */
  bytesMax: INFLATED_BYTES_MAX,
  /** The unpacked size in bytes that is allowed even for the smallest file. */
  bytesFree: 16_000_000,
  /** The additional unpacked size in bytes that is allowed for each byte of the file. */
  bytesPerByte: 100,
  /** The maximum number of JSON values in the state. The same maximum applies to the document. */
  valuesMax: 10_000_000,
  depthMax: 1_000,
  configCharsMax: CONFIG_CHARS_MAX,
};
export type DocumentBounds = Readonly<typeof DOCUMENT_BOUNDS>;

const bytesIn = (fileBytes: number, bounds: DocumentBounds): number =>
  Math.min(bounds.bytesMax, bounds.bytesFree + bounds.bytesPerByte * fileBytes);

export const crowding = (
  { values, deepest }: JsonCounts,
  bounds: DocumentBounds,
): string | null => {
  const { valuesMax, depthMax } = bounds;
  if (values > valuesMax) return `more than ${valuesMax} values`;
  return deepest > depthMax ? `values nested more than ${depthMax} levels deep` : null;
};

export const CHANGED =
  "its state was changed, because it does not match its hash; use an unchanged copy of it";

export const CHECKPOINT_VERSION = 1;

const MAGIC = "catallaxy-checkpoint ";
const FIRST_LINE = /^catallaxy-checkpoint ([0-9]{1,9}) ([0-9a-f]{64})\n/;

export const FIRST_LINE_BYTES_MAX = MAGIC.length + 9 + 1 + 64 + 1;

type Sealed = Result<{ parts: readonly Uint8Array[] }>;

/** Packs a checkpoint into first line, document and state, without blocking the event loop. */
export const sealed = async (
  checkpoint: Checkpoint,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): Promise<Sealed> => {
  const tooLarge = (what: string): Sealed =>
    refuse(`the world is too large for a checkpoint: it has ${what}`);
  const configChars = checkpoint.config.length;
  if (configChars > bounds.configCharsMax) {
    return tooLarge(`a configuration of ${configChars} characters`);
  }
  const document = await packedInBackground(documentChunks(checkpoint));
  const { state } = checkpoint;
  for (const part of [document, state]) {
    const counts = jsonCountsOf(part);
    if (counts === null) return refuse(CHANGED);
    const crowded = crowding(counts, bounds);
    if (crowded !== null) return tooLarge(crowded);
  }
  const sizeBytes = document.sizeBytes + state.sizeBytes;
  if (sizeBytes > bounds.bytesMax) {
    return tooLarge(`${megabytes(sizeBytes)}, but the maximum is ${megabytes(bounds.bytesMax)}`);
  }
  const fileBytes = document.frame.length + state.frame.length;
  if (sizeBytes > bytesIn(fileBytes, bounds)) {
    return tooLarge(`${megabytes(sizeBytes)}, too much for a file of ${megabytes(fileBytes)}`);
  }
  const digest = createHash("sha256").update(document.frame).update(state.frame).digest("hex");
  const line = Buffer.from(`${MAGIC}${CHECKPOINT_VERSION} ${digest}\n`);
  return { ok: true, parts: [line, document.frame, state.frame] };
};

const megabytes = (sizeBytes: number): string => `${Math.ceil(sizeBytes / 1e6)} MB`;

const NOT_A_CHECKPOINT =
  "is not a checkpoint of catallaxy; give the path of a .ckpt file, or name a run";

/** Why a file is no checkpoint. `isForeign`: it is a file of another kind. */
export type Unreadable = { readonly why: string; readonly isForeign: boolean };

/** Returns why a file with this start is not a checkpoint, or null if it may be a checkpoint. */
export const whyUnreadable = (start: Uint8Array): Unreadable | null => {
  const damaged = (why: string): Unreadable => ({ why, isForeign: false });
  const text = Buffer.from(start).toString("latin1");
  if (text === "") return damaged("is empty, so it is not a checkpoint; use a copy of it");
  if (FIRST_LINE.test(text)) return null;
  if (!MAGIC.startsWith(text.slice(0, MAGIC.length))) {
    return { why: NOT_A_CHECKPOINT, isForeign: true };
  }
  const isShort = text.length < FIRST_LINE_BYTES_MAX && !text.includes("\n");
  return damaged(
    isShort ? "is truncated; use a copy of it" : "has a damaged first line; use a copy of it",
  );
};

/** Reads a file that `whyUnreadable` accepted. Of the packed state, checks only the declared size. */
export const opened = (bytes: Uint8Array, bounds: DocumentBounds = DOCUMENT_BOUNDS): Decoded => {
  const start = Buffer.from(bytes.subarray(0, FIRST_LINE_BYTES_MAX)).toString("latin1");
  const [line = "", version, digest] = FIRST_LINE.exec(start) ?? [];
  if (Number(version) !== CHECKPOINT_VERSION) {
    const cure = "use the version of catallaxy that wrote it";
    return refuse(
      `has format ${version}, but this program reads format ${CHECKPOINT_VERSION}; ${cure}`,
    );
  }
  const frames = bytes.subarray(line.length);
  if (frames.length === 0 || sha256(frames) !== digest) {
    return refuse("is truncated or was changed: it does not match its digest; use a copy of it");
  }
  const bytesMax = bytesIn(frames.length, bounds);
  const first = inflated(frames, { bytesMax });
  if (!first.ok) {
    if (first.why === "too_large") return tooMuch(`more than ${megabytes(bytesMax)}`);
    return refuse("is not a checkpoint: no zstd frame follows its first line");
  }
  const counts = new JsonCounter();
  counts.take(first.bytes);
  const crowded = crowding(counts.found, bounds);
  if (crowded !== null) return tooMuch(crowded);
  const decoded = parsedDocument(first.bytes, frames.subarray(first.readBytes));
  if (!decoded.ok) return decoded;
  const sizeBytes = first.bytes.length + decoded.checkpoint.state.sizeBytes;
  return sizeBytes > bytesMax ? tooMuch(`more than ${megabytes(bytesMax)}`) : decoded;
};

const parsedDocument = (document: Buffer, stateFrame: Uint8Array): Decoded => {
  try {
    return decodeDocument(JSON.parse(document.toString("utf8")), stateFrame);
  } catch (error) {
    return refuse(`is not a checkpoint: its document cannot be read: ${firstLineOf(error)}`);
  }
};

const refuse = (problem: string): WithProblem => ({ ok: false, problem });

const tooMuch = (what: string): WithProblem =>
  refuse(`contains ${what}, too much for a checkpoint of its size; use another checkpoint`);
