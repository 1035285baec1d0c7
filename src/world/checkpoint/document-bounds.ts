import type { JsonCounts } from "../json-counter.ts";
import { INFLATED_BYTES_MAX } from "../zstd.ts";

/**
 * Limits on a file, kept by writers, so that readers can refuse a hostile one early. Packed states
 * have a fifth to a tenth of their size, and about 40 values per artifact. A value takes up to a
 * hundred bytes of memory, even if its text is short.
 */
export const DOCUMENT_BOUNDS = {
  /** The maximum unpacked size of the document and the state together. */
  bytesMax: INFLATED_BYTES_MAX,
  /** The number of unpacked bytes that a file of any size may have. */
  bytesFree: 16_000_000,
  /** The number of additional unpacked bytes allowed for each byte of the file. */
  bytesPerByte: 100,
  /** The maximum number of JSON values in the state, and also in the document. */
  valuesMax: 10_000_000,
  depthMax: 1_000,
  /** The maximum length of the configuration. YAML takes far longer to parse than JSON. */
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
