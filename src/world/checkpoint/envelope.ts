import { createHash } from "node:crypto";
import { firstLineOf, type Upcasts, upcastDocument } from "../../kernel/index.ts";
import { JsonCensus } from "../json-census.ts";
import { censusOf, packedBeside } from "../packed-json.ts";
import { sha256 } from "../sha256.ts";
import { inflated } from "../zstd.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type Decoded, decodeDocument, documentChunks } from "./checkpoint-codec.ts";
import {
  bytesIn,
  crowding,
  DOCUMENT_BOUNDS,
  type DocumentBounds,
  TOO_LARGE,
} from "./document-bounds.ts";
import { type Apart, takenApart } from "./first-format.ts";
import { CHANGED } from "./sound-state.ts";

/** Version of the first line, of what follows it and of the document. */
export const CHECKPOINT_VERSION = 2;

/** Up to it the state lay in the document (see `takenApart`); all else has stayed. */
const STATE_WITHIN = 1;

const same = (document: unknown): unknown => document;

/** How documents of earlier versions are read, without the state that lay in them. */
const UPCASTS: Upcasts = new Map([[STATE_WITHIN, same]]);

const MAGIC = "catallaxy-checkpoint ";
const FIRST_LINE = /^catallaxy-checkpoint ([0-9]{1,9}) ([0-9a-f]{64})\n/;

/** The longest first line there can be. */
export const FIRST_LINE_BYTES_MAX = MAGIC.length + 9 + 1 + 64 + 1;

export type Sealed =
  | { readonly ok: true; readonly parts: readonly Uint8Array[] }
  | { readonly ok: false; readonly problem: string };

/**
 * A checkpoint as the bytes of its file, in parts: the first line, a zstd frame with the document,
 * and the one that the state was packed in. Other work goes on meanwhile.
 */
export const sealed = async (
  checkpoint: Checkpoint,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): Promise<Sealed> => {
  const refuse = (holds: string): Sealed => ({ ok: false, problem: `${TOO_LARGE}${holds}` });
  const configChars = checkpoint.config.length;
  if (configChars > bounds.configCharsMax) {
    return refuse(`a configuration of ${configChars} characters`);
  }
  const document = await packedBeside(documentChunks(checkpoint));
  const { state } = checkpoint;
  for (const part of [document, state]) {
    const census = censusOf(part);
    if (census === null) return { ok: false, problem: CHANGED };
    const crowded = crowding(census, bounds);
    if (crowded !== null) return refuse(crowded);
  }
  const sizeBytes = document.sizeBytes + state.sizeBytes;
  const { bytesMax } = bounds;
  if (sizeBytes > bytesMax) {
    return refuse(`${megabytes(sizeBytes)} of ${megabytes(bytesMax)} at the most`);
  }
  const fileBytes = document.frame.length + state.frame.length;
  if (sizeBytes > bytesIn(fileBytes, bounds)) {
    return refuse(`${megabytes(sizeBytes)} in a file of ${megabytes(fileBytes)}`);
  }
  const digest = createHash("sha256").update(document.frame).update(state.frame).digest("hex");
  const line = Buffer.from(`${MAGIC}${CHECKPOINT_VERSION} ${digest}\n`);
  return { ok: true, parts: [line, document.frame, state.frame] };
};

const megabytes = (sizeBytes: number): string => `${Math.ceil(sizeBytes / 1e6)} MB`;

export type Reading = { readonly bounds: DocumentBounds; readonly upcasts: Upcasts };

export const READING: Reading = { bounds: DOCUMENT_BOUNDS, upcasts: UPCASTS };

/** Why a file that begins like this cannot be a checkpoint; null when it can. */
export const whyForeign = (start: Uint8Array): string | null => {
  const text = Buffer.from(start).toString("latin1");
  if (text === "") return "is empty: not a checkpoint";
  if (FIRST_LINE.test(text)) return null;
  if (!MAGIC.startsWith(text.slice(0, MAGIC.length))) return "is not a checkpoint of catallaxy";
  const isShort = text.length < FIRST_LINE_BYTES_MAX && !text.includes("\n");
  return isShort ? "was cut short; use a copy of it" : "is damaged in its first line; use a copy";
};

/**
 * The checkpoint in the bytes of a file that is not foreign. Of its state only the size is looked
 * at, which it then cannot exceed; for all else see `soundState`.
 */
export const opened = (bytes: Uint8Array, { bounds, upcasts }: Reading = READING): Decoded => {
  const start = Buffer.from(bytes.subarray(0, FIRST_LINE_BYTES_MAX)).toString("latin1");
  const [line = "", version, digest] = FIRST_LINE.exec(start) ?? [];
  const frames = bytes.subarray(line.length);
  if (frames.length === 0 || sha256(frames) !== digest) {
    return refuse("was cut short or changed: it does not agree with its digest; use a copy of it");
  }
  const [from, to] = [Number(version), CHECKPOINT_VERSION];
  try {
    const apart = takenUp(frames, from, bounds);
    if (!apart.ok) return apart;
    const { document, frame, besideBytes } = apart;
    const upcasted = upcastDocument({ document, from, to, table: upcasts });
    if (!upcasted.ok) return refuse(upcasted.problem);
    const decoded = decodeDocument(upcasted.document, frame);
    if (!decoded.ok) return decoded;
    const bytesMax = bytesIn(frames.length, bounds);
    return besideBytes + decoded.checkpoint.state.sizeBytes > bytesMax
      ? tooMany(bytesMax)
      : decoded;
  } catch (error) {
    return refuse(`is not a checkpoint: its document cannot be read: ${firstLineOf(error)}`);
  }
};

/** The parts that follow the first line, or what is wrong with them. */
const takenUp = (frames: Uint8Array, version: number, bounds: DocumentBounds): Apart => {
  // Of what was written by a newer program nobody can tell the parts.
  if (version > CHECKPOINT_VERSION) {
    return { ok: true, document: null, frame: frames, besideBytes: 0 };
  }
  const bytesMax = bytesIn(frames.length, bounds);
  const first = inflated(frames, { bytesMax });
  if (!first.ok) {
    if (first.why === "too_large") return tooMany(bytesMax);
    return refuse("is not a checkpoint: what follows its first line is no zstd frame");
  }
  const { bytes } = first;
  const census = new JsonCensus();
  census.take(bytes);
  const crowded = crowding(census.found, bounds);
  if (crowded !== null) return tooMuch(crowded);
  const frame = frames.subarray(first.readBytes);
  if (version > STATE_WITHIN) {
    const document: unknown = JSON.parse(bytes.toString("utf8"));
    return { ok: true, document, frame, besideBytes: bytes.length };
  }
  if (frame.length === 0) return takenApart(bytes);
  return refuse("is not a checkpoint: more than one zstd frame follows its first line");
};

type Refused = { readonly ok: false; readonly problem: string };

const refuse = (problem: string): Refused => ({ ok: false, problem });

const tooMany = (bytesMax: number): Refused => tooMuch(`more than ${megabytes(bytesMax)}`);

const tooMuch = (what: string): Refused =>
  refuse(`holds ${what}, which no checkpoint of its size does; it is not read any further`);
