import { withoutFrame } from "../agent-memory.ts";
import type { Embedder } from "../memory-store.ts";

const DIMENSIONS = 512;
const TEXT_UNITS_MAX = 4_000;
const GRAM_UNITS = 4;
const WORD_WEIGHT = 1;
const GRAM_WEIGHT = 0.35;
const PAIR_WEIGHT = 0.5;
/** Replaces a text without words, whose vector would have length 0. */
const NO_WORD = "(nothing)";

const COMMON = new Set(
  "a an and are as at be by for from in is it its of on or so that the this to was with".split(" "),
);

const FNV_START = 2166136261;
const FNV_PRIME = 16777619;

/**
 * Returns a vector of length 1 from the words of a text, its pairs of words, and its pieces of four
 * letters. A hash of each gives its slot and its sign (Weinberger and others, "Feature Hashing for
 * Large Scale Multitask Learning", 2009). Vectors compare spelling; they do not find synonyms.
 */
export const hashedVector = (text: string): Float32Array => {
  const vector = new Float32Array(DIMENSIONS);
  let before = 0;
  for (const word of wordsOf(text)) {
    const whole = hashOf(word, 0, word.length);
    add(vector, whole, WORD_WEIGHT);
    if (before !== 0) add(vector, Math.imul(before, FNV_PRIME) ^ whole, PAIR_WEIGHT);
    before = whole;
    const framed = `<${word}>`;
    for (let i = 0; i + GRAM_UNITS <= framed.length; i++) {
      add(vector, hashOf(framed, i, i + GRAM_UNITS), GRAM_WEIGHT);
    }
  }
  // The square root keeps a repeated word from dominating.
  for (let slot = 0; slot < DIMENSIONS; slot++) {
    const sum = vector[slot] ?? 0;
    if (sum !== 0) vector[slot] = sum < 0 ? -Math.sqrt(-sum) : Math.sqrt(sum);
  }
  return toUnit(vector);
};

const add = (vector: Float32Array, hash: number, weight: number): void => {
  const slot = (hash >>> 0) % DIMENSIONS;
  vector[slot] = (vector[slot] ?? 0) + (hash < 0 ? -weight : weight);
};

/** Returns the FNV-1a hash of a part of a text as a signed 32-bit number, with mixed bits. */
const hashOf = (text: string, from: number, to: number): number => {
  let hash = FNV_START | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  // FNV barely changes the high bits for short texts. These steps from MurmurHash3 mix them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return hash ^ (hash >>> 13);
};

const wordsOf = (text: string): readonly string[] => {
  const words =
    text
      .slice(0, TEXT_UNITS_MAX)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !COMMON.has(word));
  return telling.length > 0 ? telling : words.length > 0 ? words : [NO_WORD];
};

/** Scales a vector to length 1. The zero vector stays unchanged. */
export const unit = (vector: Float32Array): Float32Array => toUnit(vector.slice());

const toUnit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  if (length === 0) return vector;
  for (let slot = 0; slot < vector.length; slot++) vector[slot] = (vector[slot] ?? 0) / length;
  return vector;
};

/** The dot product, which is the cosine if both vectors have length 1. */
export const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return sum;
};

export const spelledVector = (text: string): Float32Array => hashedVector(withoutFrame(text));

export const hashedEmbedder = (): Embedder => ({
  name: `hashed-${DIMENSIONS}-1`,
  bySpelling: true,
  embed: async (texts) => texts.map(hashedVector),
  close: async () => {},
});
