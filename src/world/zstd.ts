import { constants } from "node:buffer";
import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/**
 * No text is longer in this engine (512 MB), so nothing larger can be of ours. Whoever inflates
 * what others may have made stops there, however much a few bytes pretend to hold.
 */
export const INFLATED_BYTES_MAX = constants.MAX_STRING_LENGTH;

export type Inflated =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly why: "damaged" | "too_large" };

export const deflated = (text: string): Uint8Array => zstdCompressSync(text);

/** The same on another thread. */
export const deflatedBeside: (bytes: Uint8Array) => Promise<Uint8Array> = promisify(zstdCompress);

/** What one zstd frame holds, of `bytesMax` at the most; it never throws. */
export const inflated = (frame: Uint8Array, bytesMax: number = INFLATED_BYTES_MAX): Inflated => {
  try {
    return { ok: true, bytes: zstdDecompressSync(frame, { maxOutputLength: bytesMax }) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return { ok: false, why: code === "ERR_BUFFER_TOO_LARGE" ? "too_large" : "damaged" };
  }
};
