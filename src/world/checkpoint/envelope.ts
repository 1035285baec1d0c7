import { firstLineOf, type Upcasts, upcastDocument } from "../../kernel/index.ts";
import { sha256 } from "../sha256.ts";
import { inSlices } from "../slices.ts";
import { deflatedBeside, inflated } from "../zstd.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type Decoded, decodeDocument, documentChunks, splitDocument } from "./checkpoint-codec.ts";
import { bytesIn, crowding, DOCUMENT_BOUNDS, type DocumentBounds } from "./document-bounds.ts";
import { JsonCensus } from "./json-census.ts";

/** Version of the first line and of the document. Raise it with an entry in `UPCASTS`. */
export const CHECKPOINT_VERSION = 1;

/** Empty as long as there has been one version only. */
const UPCASTS: Upcasts = new Map();

const MAGIC = "catallaxy-checkpoint ";
const FIRST_LINE = /^catallaxy-checkpoint ([0-9]{1,9}) ([0-9a-f]{64})\n/;

/** The longest first line there can be. */
export const FIRST_LINE_BYTES_MAX = MAGIC.length + 9 + 1 + 64 + 1;

export type Sealed =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: string };

/**
 * A checkpoint as the bytes of its file: the first line, then one zstd frame. It lets other work go
 * on meanwhile and compresses on another thread.
 */
export const sealed = async (
  checkpoint: Checkpoint,
  bounds: DocumentBounds = DOCUMENT_BOUNDS,
): Promise<Sealed> => {
  const refuse = (holds: string): Sealed => ({
    ok: false,
    problem: `the world is too large for a checkpoint: it has ${holds}`,
  });
  const configChars = checkpoint.config.length;
  if (configChars > bounds.configCharsMax) {
    return refuse(`a configuration of ${configChars} characters`);
  }
  const parts: Uint8Array[] = [];
  const census = new JsonCensus();
  for await (const slice of inSlices(encoded(checkpoint, census))) parts.push(...slice);
  const sizeBytes = parts.reduce((sum, part) => sum + part.length, 0);
  const { bytesMax } = bounds;
  if (sizeBytes > bytesMax) {
    return refuse(`${megabytes(sizeBytes)} of ${megabytes(bytesMax)} at the most`);
  }
  const crowded = crowding(census.found, bounds);
  if (crowded !== null) return refuse(crowded);
  const frame = await deflatedBeside(Buffer.concat(parts));
  if (sizeBytes > bytesIn(frame.length, bounds)) {
    return refuse(`${megabytes(sizeBytes)} in a file of ${megabytes(frame.length)}`);
  }
  const line = `${MAGIC}${CHECKPOINT_VERSION} ${sha256(frame)}\n`;
  return { ok: true, bytes: Buffer.concat([Buffer.from(line), frame]) };
};

function* encoded(
  checkpoint: Checkpoint,
  census: JsonCensus,
): Generator<Uint8Array, void, undefined> {
  for (const text of documentChunks(checkpoint)) {
    const piece = Buffer.from(text);
    census.take(piece);
    yield piece;
  }
}

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

/** The checkpoint in the bytes of a file that is not foreign. */
export const opened = (bytes: Uint8Array, { bounds, upcasts }: Reading = READING): Decoded => {
  const refuse = (problem: string): Decoded => ({ ok: false, problem });
  const start = Buffer.from(bytes.subarray(0, FIRST_LINE_BYTES_MAX)).toString("latin1");
  const [line = "", version, digest] = FIRST_LINE.exec(start) ?? [];
  const frame = bytes.subarray(line.length);
  if (frame.length === 0 || sha256(frame) !== digest) {
    return refuse("was cut short or changed: it does not agree with its digest; use a copy of it");
  }
  const bytesMax = bytesIn(frame.length, bounds);
  const inner = inflated(frame, bytesMax);
  if (!inner.ok) {
    return refuse(
      inner.why === "too_large"
        ? tooMuch(`more than ${megabytes(bytesMax)}`)
        : "is not a checkpoint: what follows its first line is no zstd frame",
    );
  }
  const census = new JsonCensus();
  census.take(inner.bytes);
  const crowded = crowding(census.found, bounds);
  if (crowded !== null) return refuse(tooMuch(crowded));
  const [from, to] = [Number(version), CHECKPOINT_VERSION];
  try {
    const ours = from === to ? splitDocument(inner.bytes) : null;
    const document = ours?.head ?? JSON.parse(inner.bytes.toString("utf8"));
    const upcasted = upcastDocument({ document, from, to, table: upcasts });
    if (!upcasted.ok) return refuse(upcasted.problem);
    return decodeDocument(upcasted.document, ours?.state ?? null);
  } catch (error) {
    return refuse(`is not a checkpoint: its document cannot be read: ${firstLineOf(error)}`);
  }
};

const tooMuch = (what: string): string =>
  `holds ${what}, which no checkpoint of its size does; it is not read any further`;
