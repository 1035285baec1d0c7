import { tellingPart } from "../agent-memory.ts";
import type { Embedder } from "../memory-store.ts";

const DIMENSIONS = 512;
const TEXT_UNITS_MAX = 4_000;
const GRAM_UNITS = 4;
/** A word says more than one of the pieces that it is made of. */
const WORD_WEIGHT = 1;
const GRAM_WEIGHT = 0.35;
const PAIR_WEIGHT = 0.5;
/** Stands for a text without any word, so that every vector has a length. */
const NO_WORD = "(nothing)";

/** Words that stand in every sentence and tell none from another. */
const COMMON = new Set(
  "a an and are as at be by for from in is it its of on or so that the this to was with".split(" "),
);

const FNV_START = 2166136261;
const FNV_PRIME = 16777619;

/**
 * A vector of length 1 out of the words of a text, their pairs and their pieces of four letters,
 * each added in the slot and with the sign that its hash gives (Weinberger and others, "Feature
 * Hashing for Large Scale Multitask Learning", 2009). Likeness is that of spelling: other words
 * for the same thing are not found.
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
  // The root keeps a word that is said over and over from drowning the others.
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

/** FNV-1a of a part of a text, as a signed number of 32 bits. */
const hashOf = (text: string, from: number, to: number): number => {
  let hash = FNV_START | 0;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  // FNV leaves the high bits of short texts alike; this mixes them in (the end of MurmurHash3).
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

/** The same direction with length 1; a vector without length stays as it is. */
export const unit = (vector: Float32Array): Float32Array => toUnit(vector.slice());

/** As `unit`, of a vector that nobody else has. */
const toUnit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector));
  if (length === 0) return vector;
  for (let slot = 0; slot < vector.length; slot++) vector[slot] = (vector[slot] ?? 0) / length;
  return vector;
};

/** Of two vectors of length 1 the cosine. */
export const dot = (left: Float32Array, right: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return sum;
};

/** The vector of what a memory tells, or of a question for memories. */
export const spelledVector = (text: string): Float32Array => hashedVector(tellingPart(text));

/** Embeds by spelling alone: thousands of texts a second, with nothing to load. */
export const hashedEmbedder = (): Embedder => ({
  name: `hashed-${DIMENSIONS}-1`,
  bySpelling: true,
  embed: async (texts) => texts.map(hashedVector),
  close: async () => {},
});
