import { withoutFrame } from "../port/agent-memory.ts";
import type { Embedder } from "../port/memory-store.ts";
import { scaleToUnit } from "../port/vector.ts";

const DIMENSIONS = 512;
const TEXT_UNITS_MAX = 4_000;
const GRAM_UNITS = 4;
const WORD_WEIGHT = 1;
const GRAM_WEIGHT = 0.35;
const PAIR_WEIGHT = 0.5;
/** Replaces a text without words. The vector of such a text would have length 0. */
const NO_WORD = "(nothing)";

const COMMON = new Set(
  "a an and are as at be by for from in is it its of on or so that the this to was with".split(" "),
);

const FNV_START = 2166136261;
const FNV_PRIME = 16777619;

/**
 * Returns a vector of length 1 for a text. Its features are words, pairs of adjacent words, and
 * pieces of four letters. The hash of a feature gives its slot and sign (Weinberger and others,
 * "Feature Hashing for Large Scale Multitask Learning", 2009). Such vectors do not find synonyms.
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
  // Takes square roots, so that repeated words count less.
  for (let slot = 0; slot < DIMENSIONS; slot++) {
    const sum = vector[slot] ?? 0;
    if (sum !== 0) vector[slot] = sum < 0 ? -Math.sqrt(-sum) : Math.sqrt(sum);
  }
  return scaleToUnit(vector);
};

const add = (vector: Float32Array, hash: number, weight: number): void => {
  const slot = (hash >>> 0) % DIMENSIONS;
  vector[slot] = (vector[slot] ?? 0) + (hash < 0 ? -weight : weight);
};

/** Returns the FNV-1a hash of a part of a text, with mixed bits, as a signed 32-bit number. */
const hashOf = (text: string, from: number, to: number): number => {
  let hash = FNV_START | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  // For short texts, FNV hardly changes the high bits. These steps of MurmurHash3 mix the bits.
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

export const spelledVector = (text: string): Float32Array => hashedVector(withoutFrame(text));

export const hashedEmbedder = (): Embedder => ({
  name: `hashed-${DIMENSIONS}-1`,
  bySpelling: true,
  embed: async (texts) => texts.map(hashedVector),
  close: async () => {},
});
