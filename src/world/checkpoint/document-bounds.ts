import type { Census } from "../json-census.ts";
import { INFLATED_BYTES_MAX } from "../zstd.ts";

/**
 * Limits on a checkpoint file, so that a reader can refuse a hostile file before it has cost much
 * time or memory. The writer keeps to the same limits.
 */
export type DocumentBounds = {
  /** Unpacked size of document and state together. */
  readonly bytesMax: number;
  /** Unpacked bytes allowed whatever the size of the file… */
  readonly bytesFree: number;
  /** …and in addition this many per byte of the file. */
  readonly bytesPerByte: number;
  /** For the state, and as many for the document. */
  readonly valuesMax: number;
  readonly depthMax: number;
  /** YAML takes far longer to parse than JSON. */
  readonly configCharsMax: number;
};

/**
 * States compress to a fifth or a tenth, and have about 40 values per artifact. A value takes up to
 * a hundred bytes of memory however short its text.
 */
export const DOCUMENT_BOUNDS: DocumentBounds = {
  bytesMax: INFLATED_BYTES_MAX,
  bytesFree: 16_000_000,
  bytesPerByte: 100,
  valuesMax: 10_000_000,
  depthMax: 1_000,
  configCharsMax: 1_000_000,
};

export const bytesIn = (fileBytes: number, bounds: DocumentBounds): number =>
  Math.min(bounds.bytesMax, bounds.bytesFree + bounds.bytesPerByte * fileBytes);

export const crowding = ({ values, deepest }: Census, bounds: DocumentBounds): string | null => {
  const { valuesMax, depthMax } = bounds;
  if (values > valuesMax) return `more than ${valuesMax} values`;
  return deepest > depthMax ? `values more than ${depthMax} deep in one another` : null;
};

export const CHANGED =
  "its state does not agree with its hash: it was changed; use an unchanged copy of it";
