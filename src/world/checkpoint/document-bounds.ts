import type { Census } from "../json-census.ts";
import { INFLATED_BYTES_MAX } from "../zstd.ts";

/**
 * How much a checkpoint file may hold. A reader must be able to turn a file down before it has
 * taken much time or memory, so a writer keeps to the same bounds.
 */
export type DocumentBounds = {
  /** Of what the file holds, unpacked: document and state together. */
  readonly bytesMax: number;
  /** So many bytes of it need no more of a file. */
  readonly bytesFree: number;
  /** Beyond those, so many times as much as there is of the file. */
  readonly bytesPerByte: number;
  /** Of the state, and as many of the document before it. */
  readonly valuesMax: number;
  readonly depthMax: number;
  /** YAML takes far longer to read than JSON. */
  readonly configCharsMax: number;
};

/**
 * States shrink to a fifth or a tenth, and there are some 40 values for each artifact. A value
 * takes up to a hundred bytes of memory however short its text.
 */
export const DOCUMENT_BOUNDS: DocumentBounds = {
  bytesMax: INFLATED_BYTES_MAX,
  bytesFree: 16_000_000,
  bytesPerByte: 100,
  valuesMax: 10_000_000,
  depthMax: 1_000,
  configCharsMax: 1_000_000,
};

/** What a world is that a checkpoint has no room for; what it has too much of follows. */
export const TOO_LARGE = "the world is too large for a checkpoint: it has ";

/** How many bytes a file of so many may hold. */
export const bytesIn = (fileBytes: number, bounds: DocumentBounds): number =>
  Math.min(bounds.bytesMax, bounds.bytesFree + bounds.bytesPerByte * fileBytes);

/** In which way a JSON text is more than a checkpoint may hold; null when it is not. */
export const crowding = ({ values, deepest }: Census, bounds: DocumentBounds): string | null => {
  const { valuesMax, depthMax } = bounds;
  if (values > valuesMax) return `more than ${valuesMax} values`;
  return deepest > depthMax ? `values more than ${depthMax} deep in one another` : null;
};
