import { constants } from "node:buffer";
import { createHash } from "node:crypto";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import {
  createZstdCompress,
  ZstdDecompress,
  zstdCompressSync,
  zstdDecompressSync,
} from "node:zlib";
import { isObject } from "../../kernel/index.ts";
import { inSlices, type SliceBounds } from "./event-loop-slices.ts";
import { JsonCounter, type JsonCounts } from "./json-counter.ts";
import { sha256 } from "./sha256.ts";

/** JSON text as stored in files: a zstd frame, with the SHA-256 and the size of the UTF-8 text. */
export type PackedJson = {
  readonly frame: Uint8Array;
  readonly sha256: string;
  readonly sizeBytes: number;
};

export const packedJson = (text: string): PackedJson => ({
  frame: deflated(text),
  sha256: sha256(text),
  sizeBytes: Buffer.byteLength(text),
});

/** Extra size of a chunk. After a full chunk, Node adds another. Node's minimum is 64 bytes. */
const ROOM_BYTES = 64;

type Held = Omit<PackedJson, "frame"> & { readonly census: JsonCounts };

/** Caches hash, size and counts of each frame, to unpack it only once. Frames never change. */
const found = new WeakMap<Uint8Array, Held>();

export const unpackedText = (frame: Uint8Array, digest: string): string | null => {
  const inner = inflated(frame);
  return inner.ok && sha256(inner.bytes) === digest ? inner.bytes.toString("utf8") : null;
};

/** The bytes of the text, or null if they do not have the recorded hash and size. */
export const unpackedJson = ({ frame, sha256: digest, sizeBytes }: PackedJson): Buffer | null => {
  // Unpack into one chunk, so that Node need not join several chunks.
  const inner = inflated(frame, { bytesMax: sizeBytes, chunkBytes: sizeBytes + ROOM_BYTES });
  const isIt = inner.ok && inner.readBytes === frame.length && sha256(inner.bytes) === digest;
  if (!isIt || inner.bytes.length !== sizeBytes) return null;
  const census = new JsonCounter();
  census.take(inner.bytes);
  found.set(frame, { sha256: digest, sizeBytes, census: census.found });
  return inner.bytes;
};

/** The `JsonCounts` of the text. Null if the text does not have the recorded hash and size. */
export const jsonCountsOf = (packed: PackedJson): JsonCounts | null => {
  const { frame, sha256: digest, sizeBytes } = packed;
  if (!found.has(frame) && unpackedJson(packed) === null) return null;
  const held = found.get(frame);
  return held?.sha256 === digest && held.sizeBytes === sizeBytes ? held.census : null;
};

/**
 * Packs a text that comes in chunks. A chunk must not split a character. Never holds the whole
 * text, does not block the event loop, and compresses on another thread. The result does not depend
 * on timing.
 */
export const packedInBackground = async (
  chunks: Iterable<string>,
  bounds?: SliceBounds,
): Promise<PackedJson> => {
  const digest = createHash("sha256");
  const census = new JsonCounter();
  let sizeBytes = 0;
  function* measuredPieces(): Generator<Buffer, void, undefined> {
    for (const text of piecesOf(chunks)) {
      const piece = Buffer.from(text);
      digest.update(piece);
      census.take(piece);
      sizeBytes += piece.length;
      yield piece;
    }
  }
  async function* inTurns(): AsyncGenerator<Buffer, void, undefined> {
    for await (const slice of inSlices(measuredPieces(), bounds)) yield* slice;
  }
  const frame = await deflatedInBackground(inTurns());
  const held = { sha256: digest.digest("hex"), sizeBytes };
  found.set(frame, { ...held, census: census.found });
  return { frame, ...held };
};

const PIECE_UNITS = 65_536;

/** Joins short chunks into pieces. An empty chunk ends a piece, so that the reader can pause. */
function* piecesOf(chunks: Iterable<string>): Generator<string, void, undefined> {
  let piece = "";
  for (const chunk of chunks) {
    piece += chunk;
    if (chunk !== "" && piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

/** The maximum length of a string in Node (512 MB). No text that we write is longer. */
export const INFLATED_BYTES_MAX = constants.MAX_STRING_LENGTH;

const CHUNK_BYTES = 262_144;

type Inflated =
  | {
      readonly ok: true;
      readonly bytes: Buffer;
      /** The number of input bytes in the frame. Other data may follow the frame. */
      readonly readBytes: number;
    }
  | { readonly ok: false; readonly why: "damaged" | "too_large" };

const deflated = (text: string): Uint8Array => zstdCompressSync(text);

/** Compresses the pieces into one zstd frame, on another thread. */
const deflatedInBackground = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  const zstd = createZstdCompress({ chunkSize: CHUNK_BYTES });
  zstd.on("data", (part: Uint8Array) => parts.push(part));
  for await (const piece of pieces) await taken(zstd, piece);
  // Ends the stream after the last write. Ending it with that write would add an empty frame.
  zstd.end();
  await finished(zstd);
  await setImmediate();
  return Buffer.concat(parts);
};

const taken = (zstd: Writable, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    zstd.write(piece, (error) => (error ? reject(error) : resolve()));
  });

type InflateBounds = { readonly bytesMax?: number; readonly chunkBytes?: number };

/** Unpacks the first zstd frame. Never throws. */
export const inflated = (
  frame: Uint8Array,
  { bytesMax = INFLATED_BYTES_MAX, chunkBytes = CHUNK_BYTES }: InflateBounds = {},
): Inflated => {
  try {
    const settings = { maxOutputLength: bytesMax, chunkSize: chunkBytes, info: true };
    const made: unknown = zstdDecompressSync(frame, settings);
    if (!isWithEngine(made)) return { ok: false, why: "damaged" };
    return { ok: true, bytes: made.buffer, readBytes: made.engine.bytesWritten };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return { ok: false, why: code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "damaged" };
  }
};

/** The result of zlib with `info: true`. `bytesWritten` is the number of consumed input bytes. */
type WithEngine = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };

const isWithEngine = (made: unknown): made is WithEngine =>
  isObject(made) && made.buffer instanceof Buffer && made.engine instanceof ZstdDecompress;
