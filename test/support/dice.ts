/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0, up to and not including 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From 0 to `most`. */
  upTo(most: number): number {
    return Math.floor(this.roll() * (most + 1));
  }

  chance(of: number): boolean {
    return this.roll() < of;
  }

  one<T>(items: readonly [T, ...T[]] | readonly T[]): T {
    const item = items[this.upTo(items.length - 1)];
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }
}
