import { createHash } from "node:crypto";
import { firstLineOf, type Upcasts, upcastDocument } from "../../kernel/index.ts";
import { JsonCensus } from "../json-census.ts";
import { packedBeside } from "../packed-json.ts";
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
import { takenApart } from "./first-format.ts";

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
  const { packed, census } = await packedBeside(documentChunks(checkpoint));
  const crowded = crowding(census, bounds);
  if (crowded !== null) return refuse(crowded);
  const { state } = checkpoint;
  const sizeBytes = packed.sizeBytes + state.sizeBytes;
  const { bytesMax } = bounds;
  if (sizeBytes > bytesMax) {
    return refuse(`${megabytes(sizeBytes)} of ${megabytes(bytesMax)} at the most`);
  }
  const fileBytes = packed.frame.length + state.frame.length;
  if (sizeBytes > bytesIn(fileBytes, bounds)) {
    return refuse(`${megabytes(sizeBytes)} in a file of ${megabytes(fileBytes)}`);
  }
  const digest = createHash("sha256").update(packed.frame).update(state.frame).digest("hex");
  const line = Buffer.from(`${MAGIC}${CHECKPOINT_VERSION} ${digest}\n`);
  return { ok: true, parts: [line, packed.frame, state.frame] };
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

/** The checkpoint in the bytes of a file that is not foreign. Its state is not looked at. */
export const opened = (bytes: Uint8Array, { bounds, upcasts }: Reading = READING): Decoded => {
  const start = Buffer.from(bytes.subarray(0, FIRST_LINE_BYTES_MAX)).toString("latin1");
  const [line = "", version, digest] = FIRST_LINE.exec(start) ?? [];
  const frames = bytes.subarray(line.length);
  if (frames.length === 0 || sha256(frames) !== digest) {
    return refuse("was cut short or changed: it does not agree with its digest; use a copy of it");
  }
  const [from, to] = [Number(version), CHECKPOINT_VERSION];
  try {
    const apart = from > to ? NOTHING : partsOf(frames, from, bounds);
    if (typeof apart === "string") return refuse(apart);
    const { document, frame } = apart;
    const upcasted = upcastDocument({ document, from, to, table: upcasts });
    if (!upcasted.ok) return refuse(upcasted.problem);
    const decoded = decodeDocument(upcasted.document, frame);
    if (!decoded.ok) return decoded;
    const bytesMax = bytesIn(frames.length, bounds);
    return decoded.checkpoint.state.sizeBytes > bytesMax ? tooMany(bytesMax) : decoded;
  } catch (error) {
    return refuse(`is not a checkpoint: its document cannot be read: ${firstLineOf(error)}`);
  }
};

/** A document without its state, and the zstd frame in which that is. */
type Parts = { readonly document: unknown; readonly frame: Uint8Array };

/** Of what was written by a newer program nobody can tell the parts. */
const NOTHING: Parts = { document: null, frame: new Uint8Array() };

/** The parts, or what is wrong with them. */
const partsOf = (frames: Uint8Array, version: number, bounds: DocumentBounds): Parts | string => {
  const bytesMax = bytesIn(frames.length, bounds);
  const first = inflated(frames, { bytesMax });
  if (!first.ok) {
    if (first.why === "too_large") return tooMuch(`more than ${megabytes(bytesMax)}`);
    return "is not a checkpoint: what follows its first line is no zstd frame";
  }
  const census = new JsonCensus();
  census.take(first.bytes);
  const crowded = crowding(census.found, bounds);
  if (crowded !== null) return tooMuch(crowded);
  const frame = frames.subarray(first.readBytes);
  if (version > STATE_WITHIN) return { document: JSON.parse(first.bytes.toString("utf8")), frame };
  if (frame.length === 0) return takenApart(first.bytes);
  return "is not a checkpoint: more than one zstd frame follows its first line";
};

const refuse = (problem: string): Decoded => ({ ok: false, problem });

const tooMany = (bytesMax: number): Decoded => refuse(tooMuch(`more than ${megabytes(bytesMax)}`));

const tooMuch = (what: string): string =>
  `holds ${what}, which no checkpoint of its size does; it is not read any further`;
