import { constants } from "node:buffer";
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

/** The maximum length of a string in Node (512 MB). No text that we write is longer. */
export const INFLATED_BYTES_MAX = constants.MAX_STRING_LENGTH;

const CHUNK_BYTES = 262_144;

export type Inflated =
  | {
      readonly ok: true;
      readonly bytes: Buffer;
      /** The number of input bytes in the frame. Other data may follow the frame. */
      readonly readBytes: number;
    }
  | { readonly ok: false; readonly why: "damaged" | "too_large" };

export const deflated = (text: string): Uint8Array => zstdCompressSync(text);

/** Compresses the pieces into one zstd frame, on another thread. */
export const deflatedInBackground = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
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
