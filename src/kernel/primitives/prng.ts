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
