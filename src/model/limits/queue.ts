type Waiter<Answer> = { readonly amount: number; readonly answer: (answer: Answer) => void };

/** A first-in, first-out queue of callers. Each caller requests an amount. */
export class Queue<Answer> {
  readonly #moved: () => void;
  readonly #waiting = new Set<Waiter<Answer>>();

  constructor(moved: () => void) {
    this.#moved = moved;
  }

  get first(): number | null {
    const [waiter] = this.#waiting;
    return waiter?.amount ?? null;
  }

  enter(amount: number, signal: AbortSignal): Promise<Answer | "left"> {
    if (signal.aborted) return Promise.resolve("left");
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting.delete(waiter);
        resolve("left");
        this.#moved();
      };
      const answer = (given: Answer): void => {
        signal.removeEventListener("abort", leave);
        resolve(given);
      };
      const waiter: Waiter<Answer> = { amount, answer };
      this.#waiting.add(waiter);
      this.#moved();
      // Most callers get their answer immediately and need no listener.
      if (this.#waiting.has(waiter)) signal.addEventListener("abort", leave, { once: true });
    });
  }

  answerFirst(answer: Answer): void {
    const [waiter] = this.#waiting;
    if (waiter === undefined) return;
    this.#waiting.delete(waiter);
    waiter.answer(answer);
  }
}
