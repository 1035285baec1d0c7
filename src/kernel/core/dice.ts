import type { Json } from "./json.ts";
import { draw, fnv1a, type PrngState, seedPrng } from "./random.ts";

export class Dice {
  #state: PrngState;

  constructor(state: PrngState) {
    this.#state = state;
  }

  static of(seed: number, stream: string): Dice {
    return new Dice(seedPrng(seed, stream));
  }

  get state(): readonly number[] {
    return this.#state;
  }

  next(): number {
    const [value, state] = draw(this.#state);
    this.#state = state;
    return value;
  }

  pick = (bound: number): number => Math.floor(this.next() * bound);

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  choose<T>(from: readonly T[]): T | undefined {
    return from[this.pick(from.length)];
  }

  /** Picks an item with a chance in proportion to its weight. Undefined if all weights are 0. */
  weighted<T>(from: readonly T[], weight: (item: T) => number): T | undefined {
    const total = from.reduce((sum, item) => sum + Math.max(0, weight(item)), 0);
    if (total <= 0) return undefined;
    let remainder = this.next() * total;
    for (const item of from) {
      remainder -= Math.max(0, weight(item));
      if (remainder < 0) return item;
    }
    return from.at(-1);
  }
}

/** Reads the state of the dice from a mind's memory. Returns null if the state is invalid. */
export const diceState = (memory: Json | undefined): PrngState | null => {
  if (!Array.isArray(memory)) return null;
  const words = memory.filter((word): word is number => typeof word === "number");
  return words.length === 4 ? words : null;
};

/** Returns a number in [0, 1) that is always the same for a text. Gives agents different tastes. */
export const bias = (text: string): number => ((fnv1a(text) >>> 8) & 0xffff) / 0x10000;
