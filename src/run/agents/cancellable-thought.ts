import type { Thought } from "../../mind/index.ts";

/** Lets one loop wait for a thought or cancel it. A cancelled thought may still arrive later. */
export class CancellableThought {
  readonly #ending: AbortSignal;
  #own = new AbortController();
  #signal: AbortSignal;
  #cancelled: PromiseWithResolvers<null> | null = null;

  /** `ending` is aborted when the run ends. */
  constructor(ending: AbortSignal) {
    this.#ending = ending;
    this.#signal = AbortSignal.any([ending, this.#own.signal]);
  }

  /** A signal that is aborted when the thought is cancelled or the run ends. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  /** Waits for one thought. `cancel` makes `wait` return null; `late` gets the thought later. */
  async wait(
    thinking: Promise<Thought>,
    late: (thought: Thought) => void,
  ): Promise<Thought | null> {
    const cancelled = Promise.withResolvers<null>();
    this.#cancelled = cancelled;
    const thought = await Promise.race([thinking, cancelled.promise]);
    this.#cancelled = null;
    if (thought === null) void thinking.then(late);
    return thought;
  }

  cancel(): void {
    if (this.#cancelled === null) return;
    this.#own.abort();
    this.#own = new AbortController();
    this.#signal = AbortSignal.any([this.#ending, this.#own.signal]);
    this.#cancelled.resolve(null);
  }
}
