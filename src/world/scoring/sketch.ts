import type { Secret } from "../../kernel/index.ts";
import { shinglesOf } from "./shingle.ts";

/** The more numbers, the closer the estimate: the standard error is at most 1 / (2 √64). */
const SKETCH_NUMBERS = 64;
const NUMBER_BYTES = 4;

/** The numbers of a fingerprint, the least first. */
export type Sketch = Uint32Array;

/**
 * A fingerprint of code by which resemblance can be estimated: of the hashes of all that it says
 * the least, as base64 (Broder, "On the resemblance and containment of documents", 1997). Which of
 * them are least depends on the secret, so that nobody can look for code that says little and has
 * many of those. All that are to be compared must have the same secret.
 */
export const printOf = (code: string, secret: Secret): string => {
  const hashes = shinglesOf(code, secret).sort();
  const least = hashes.filter((hash, i) => hash !== hashes[i - 1]).subarray(0, SKETCH_NUMBERS);
  const bytes = Buffer.alloc(least.length * NUMBER_BYTES);
  for (const [i, number] of least.entries()) bytes.writeUInt32LE(number, i * NUMBER_BYTES);
  return bytes.toString("base64");
};

export const sketchIn = (print: string): Sketch => {
  const bytes = Buffer.from(print, "base64");
  const { buffer, byteOffset, length } = bytes;
  const view = new DataView(buffer, byteOffset, length);
  const sketch = new Uint32Array(Math.floor(length / NUMBER_BYTES));
  for (let i = 0; i < sketch.length; i++) sketch[i] = view.getUint32(i * NUMBER_BYTES, true);
  return sketch;
};

/**
 * The estimated share of what two programs have in common, from 0 to 1 (Jaccard): that of the least
 * numbers of both together. It is exact where both say no more than a fingerprint holds.
 */
export const resemblance = (one: Sketch, other: Sketch): number => {
  let i = 0;
  let j = 0;
  let both = 0;
  while (i < one.length && j < other.length && i + j - both < SKETCH_NUMBERS) {
    const a = one[i] ?? 0;
    const b = other[j] ?? 0;
    if (a === b) both += 1;
    if (a <= b) i += 1;
    if (b <= a) j += 1;
  }
  // Where one has come to its end, what is left of the other is its own.
  const rest = i < one.length ? one.length - i : other.length - j;
  const all = Math.min(SKETCH_NUMBERS, i + j - both + rest);
  return all === 0 ? 0 : both / all;
};
