/** The minute that providers count in. */
export const WINDOW_MS = 60_000;

type Ended = { readonly amount: number; readonly freeAtMs: number };

/**
 * What is taken of a limit a minute. When a provider counts a call is not known: somewhere between
 * its start and its end. So what is taken stays taken until a full window after the end, and then
 * no window whatever, wherever it begins, holds more than the limit.
 */
export class SlidingWindow {
  readonly #max: number;
  /** By calls on their way and by calls that ended within the window. */
  #taken = 0;
  /** By the time at which they no longer count, the first one first. */
  readonly #ended: Ended[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** What alone is more than the limit waits until nothing is taken. */
  hasRoom(amount: number, nowMs: number): boolean {
    for (let [first] = this.#ended; first && first.freeAtMs <= nowMs; [first] = this.#ended) {
      this.#taken -= first.amount;
      this.#ended.shift();
    }
    return this.#taken + Math.min(amount, this.#max) <= this.#max;
  }

  take(amount: number): void {
    this.#taken += amount;
  }

  /** A call that took `amount` has ended; `used` is what the provider counts at the most. */
  end({ amount, used, nowMs }: { amount: number; used: number; nowMs: number }): void {
    this.#taken += used - amount;
    if (used > 0) this.#ended.push({ amount: used, freeAtMs: nowMs + WINDOW_MS + 1 });
  }

  /** When there will be more room without any call ending; null: at no known time. */
  nextMs(): number | null {
    return this.#ended[0]?.freeAtMs ?? null;
  }
}
