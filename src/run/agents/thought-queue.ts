/**
 * Starts thoughts that ask models in parallel, and keeps the order in which they may spend the
 * budget of the run.
 *
 * A thought starts at once if the run can pay its maximum cost and the maximum cost of all thoughts
 * in progress. Otherwise it waits until all earlier thoughts have ended, and later thoughts wait
 * for it. So each thought finds the budget that it would find if thoughts ran one after another.
 */
export class ThoughtQueue {
  readonly #leftMicros: () => number;
  readonly #running = new Set<Promise<unknown>>();
  #reservedMicros = 0;
  #lastStart: Promise<void> = Promise.resolve();

  /** `leftMicros` returns the part of the run's model budget that is not spent. */
  constructor(leftMicros: () => number) {
    this.#leftMicros = leftMicros;
  }

  /** Resolves or rejects like `think`. */
  start<T>(maxMicros: number, think: () => Promise<T>): Promise<T> {
    const earlier = [...this.#running];
    const started = this.#lastStart.then(async () => {
      if (this.#reservedMicros + maxMicros > this.#leftMicros()) await Promise.allSettled(earlier);
      this.#reservedMicros += maxMicros;
    });
    this.#lastStart = started;
    const ended = started.then(think).finally(() => {
      this.#reservedMicros -= maxMicros;
      this.#running.delete(ended);
    });
    this.#running.add(ended);
    return ended;
  }
}
