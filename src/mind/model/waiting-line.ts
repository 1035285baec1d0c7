type Waiter<Answer> = { readonly amount: number; readonly answer: (answer: Answer) => void };

/**
 * Callers who want an amount of something and wait in the order in which they came, whoever they
 * are, so that nobody starves. Whoever gives up leaves the line at once.
 */
export class WaitingLine<Answer> {
  readonly #moved: () => void;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiter<Answer>>();

  /** `moved` is called whenever somebody has come or has given up. */
  constructor(moved: () => void) {
    this.#moved = moved;
  }

  /** What whoever is first wants; null where nobody waits. */
  get first(): number | null {
    const [waiter] = this.#waiting;
    return waiter?.amount ?? null;
  }

  /** Resolves with what the caller is answered, or when it gives up. */
  enter(amount: number, signal: AbortSignal): Promise<Answer | "left"> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve("left");
        return;
      }
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
      // Most are answered at once, and then there is nothing to give up.
      if (this.#waiting.has(waiter)) signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Answers whoever is first, who then is out of the line. */
  answerFirst(answer: Answer): void {
    const [waiter] = this.#waiting;
    if (waiter === undefined) return;
    this.#waiting.delete(waiter);
    waiter.answer(answer);
  }
}
