import { draw, type Json, type PrngState, seedPrng } from "../../kernel/index.ts";

/** One agent's chance: seeded, and kept in its memory between thoughts. */
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

  /** In [0, 1). */
  next(): number {
    const [value, state] = draw(this.#state);
    this.#state = state;
    return value;
  }

  /** A whole number from 0 to bound - 1. */
  pick = (bound: number): number => Math.floor(this.next() * bound);

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  choose<T>(from: readonly T[]): T | undefined {
    return from[this.pick(from.length)];
  }

  /** One of them, in proportion to its weight; undefined when no weight is above zero. */
  weighted<T>(from: readonly T[], weight: (item: T) => number): T | undefined {
    const total = from.reduce((sum, item) => sum + Math.max(0, weight(item)), 0);
    if (total <= 0) return undefined;
    let left = this.next() * total;
    for (const item of from) {
      left -= Math.max(0, weight(item));
      if (left < 0) return item;
    }
    return from.at(-1);
  }
}

/** The state of dice read back from memory, null when there is none. */
export const diceState = (memory: Json | undefined): PrngState | null => {
  if (!Array.isArray(memory)) return null;
  const words = memory.filter((word): word is number => typeof word === "number");
  return words.length === 4 ? words : null;
};
