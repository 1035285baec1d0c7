import type { Thought } from "../mind/index.ts";

/** A thought that came although nobody waited for it any more. */
type Late = (thought: Thought) => void;

/**
 * What one loop is thinking: the one thought that it waits for, and the way to give it up. A mind
 * that does not heed its signal is left to itself, and what it says in the end is late.
 */
export class Attention {
  readonly #over: AbortSignal;
  #own = new AbortController();
  #signal: AbortSignal;
  #given: PromiseWithResolvers<null> | null = null;

  constructor(over: AbortSignal) {
    this.#over = over;
    this.#signal = AbortSignal.any([over, this.#own.signal]);
  }

  /** Aborted when the thought is given up, or everything is over. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** Waits for a thought; null when it was given up before it came. One at a time. */
  async on(thinking: Thought | Promise<Thought>, late: Late): Promise<Thought | null> {
    if (!(thinking instanceof Promise)) return thinking;
    const given = Promise.withResolvers<null>();
    this.#given = given;
    const thought = await Promise.race([thinking, given.promise]);
    this.#given = null;
    if (thought === null) void thinking.then(late);
    return thought;
  }

  /** Gives up the thought under way, if there is one. */
  giveUp(): void {
    if (this.#given === null) return;
    this.#own.abort();
    this.#own = new AbortController();
    this.#signal = AbortSignal.any([this.#over, this.#own.signal]);
    this.#given.resolve(null);
  }
}
