import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** The state of xoroshiro128+ (Blackman and Vigna, 2018): four 32-bit words. */
export type PrngState = readonly number[];

/** Returns the first state of a random sequence. Each text `stream` gives a different sequence. */
export const seedPrng = (seed: number, stream = ""): PrngState => {
  const generator = xoroshiro128plus(fnv1a(`${seed}/${stream}`));
  for (let i = 0; i < 8; i++) generator.next();
  return generator.getState();
};

/** Returns a random number in [0, 1) and the next state. The number is a multiple of 2^-53. */
export const draw = (state: PrngState): readonly [value: number, next: PrngState] => {
  const generator = xoroshiro128plusFromState(state);
  const value = uniformFloat64(generator);
  return [value, generator.getState()];
};

/** The 32-bit FNV-1a hash of a text (Fowler, Noll and Vo), from 0 to 2^32 - 1. */
export const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** A hash key: two 32-bit words. */
export type Secret = readonly [number, number];

/** The number of rounds after each word, and the number of rounds at the end. */
const [ROUNDS, LAST_ROUNDS] = [2, 4];

/**
 * HalfSipHash-2-4 with 64-bit output (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
 * 2012; the variant for 32-bit words). Hashes cannot be predicted or chosen without the key.
 */
export const sipHash = ([k0, k1]: Secret, words: ArrayLike<number>): Secret => {
  const v: Lanes = { a: k0, b: k1 ^ 0xee, c: 0x6c796765 ^ k0, d: 0x74656462 ^ k1 };
  for (let at = 0; at < words.length; at++) absorb(v, words[at] ?? 0);
  absorb(v, (words.length * 4) << 24);
  v.c ^= 0xee;
  mix(v, LAST_ROUNDS);
  const first = (v.b ^ v.d) >>> 0;
  v.b ^= 0xdd;
  mix(v, LAST_ROUNDS);
  return [first, (v.b ^ v.d) >>> 0];
};

/** Converts text to 32-bit words: the length, then the UTF-16 units, two in each word. */
export const wordsOf = (text: string): Uint32Array => {
  const words = new Uint32Array(1 + Math.ceil(text.length / 2));
  words[0] = text.length;
  for (let at = 0; at < text.length; at++) {
    const place = 1 + (at >> 1);
    words[place] = (words[place] ?? 0) | (text.charCodeAt(at) << (at % 2 === 0 ? 0 : 16));
  }
  return words;
};

type Lanes = { a: number; b: number; c: number; d: number };

const absorb = (v: Lanes, word: number): void => {
  v.d ^= word;
  mix(v, ROUNDS);
  v.a ^= word;
};

const turn = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const mix = (v: Lanes, rounds: number): void => {
  let { a, b, c, d } = v;
  for (let round = 0; round < rounds; round++) {
    a = (a + b) | 0;
    b = turn(b, 5) ^ a;
    a = turn(a, 16);
    c = (c + d) | 0;
    d = turn(d, 8) ^ c;
    a = (a + d) | 0;
    d = turn(d, 7) ^ a;
    c = (c + b) | 0;
    b = turn(b, 13) ^ c;
    c = turn(c, 16);
  }
  v.a = a;
  v.b = b;
  v.c = c;
  v.d = d;
};
