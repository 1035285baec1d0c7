import type { JsonCounts } from "../core/json-counter.ts";
import { INFLATED_BYTES_MAX } from "../core/zstd.ts";

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
  /** The maximum length of the configuration. It is YAML, which parses far slower than JSON. */
  configCharsMax: 1_000_000,
};
export type DocumentBounds = Readonly<typeof DOCUMENT_BOUNDS>;

export const bytesIn = (fileBytes: number, bounds: DocumentBounds): number =>
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
