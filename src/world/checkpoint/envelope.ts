import { createHash } from "node:crypto";
import { type Upcasts, upcastDocument } from "../../kernel/index.ts";
import { inSlices } from "../slices.ts";
import { deflatedBeside, INFLATED_BYTES_MAX, inflated } from "../zstd.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type Decoded, decodeDocument, documentChunks } from "./checkpoint-codec.ts";

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
export const sealed = async (checkpoint: Checkpoint): Promise<Sealed> => {
  const parts: Uint8Array[] = [];
  for await (const slice of inSlices(encoded(checkpoint))) parts.push(...slice);
  const sizeBytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (sizeBytes > INFLATED_BYTES_MAX) {
    const both = `${megabytes(sizeBytes)} of ${megabytes(INFLATED_BYTES_MAX)} at the most`;
    return { ok: false, problem: `the world is too large for a checkpoint: ${both}` };
  }
  const frame = await deflatedBeside(Buffer.concat(parts));
  const line = `${MAGIC}${CHECKPOINT_VERSION} ${sha256(frame)}\n`;
  return { ok: true, bytes: Buffer.concat([Buffer.from(line), frame]) };
};

function* encoded(checkpoint: Checkpoint): Generator<Uint8Array, void, undefined> {
  for (const piece of documentChunks(checkpoint)) yield Buffer.from(piece);
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const megabytes = (sizeBytes: number): string => `${Math.ceil(sizeBytes / 1e6)} MB`;

export type ReadingBounds = { readonly inflatedBytesMax: number; readonly upcasts: Upcasts };

export const READING_BOUNDS: ReadingBounds = {
  inflatedBytesMax: INFLATED_BYTES_MAX,
  upcasts: UPCASTS,
};

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
export const opened = (
  bytes: Uint8Array,
  { inflatedBytesMax, upcasts }: ReadingBounds = READING_BOUNDS,
): Decoded => {
  const refuse = (problem: string): Decoded => ({ ok: false, problem });
  const start = Buffer.from(bytes.subarray(0, FIRST_LINE_BYTES_MAX)).toString("latin1");
  const [line = "", version, digest] = FIRST_LINE.exec(start) ?? [];
  const frame = bytes.subarray(line.length);
  if (frame.length === 0 || sha256(frame) !== digest) {
    return refuse("was cut short or changed: it does not agree with its digest; use a copy of it");
  }
  const document = inflated(frame, inflatedBytesMax);
  if (!document.ok) {
    const bound = megabytes(inflatedBytesMax);
    return refuse(
      document.why === "too_large"
        ? `holds more than ${bound}, which no checkpoint does; it is not read any further`
        : "is not a checkpoint: what follows its first line is no zstd frame",
    );
  }
  const { text } = document;
  const [from, to] = [Number(version), CHECKPOINT_VERSION];
  try {
    const upcasted = upcastDocument({ document: JSON.parse(text), from, to, table: upcasts });
    return upcasted.ok ? decodeDocument(upcasted.document) : refuse(upcasted.problem);
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split("\n");
    return refuse(`is not a checkpoint: its document cannot be read: ${why}`);
  }
};
