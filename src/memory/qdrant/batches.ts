type BatchParts<Item, Answer> = {
  /** Resolves with one answer for each item, in order. */
  readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly requestsMax: number;
  readonly itemsMax: number;
  readonly bytesMax: number;
  readonly bytesOf: (item: Item) => number;
  /** True if the server may accept the items of a refused request in smaller requests. */
  readonly isTooLarge: (reason: unknown) => boolean;
};

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Joins the calls of many agents into few requests. While fewer than `requestsMax` requests are in
 * progress, the calls of one turn of the event loop leave together at its end, so no call waits for
 * others. Otherwise, calls wait for the end of a request, and leave together then. An item above
 * `bytesMax` gets its own request.
 */
export class Batches<Item, Answer> {
  readonly #parts: BatchParts<Item, Answer>;
  readonly #waiting: Waiting<Item, Answer>[] = [];
  #requests = 0;
  #isDue = false;

  constructor(parts: BatchParts<Item, Answer>) {
    this.#parts = parts;
  }

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#sendSoon();
    });
  }

  #sendSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      while (this.#waiting.length > 0 && this.#requests < this.#parts.requestsMax) {
        void this.#request(this.#next());
      }
    });
  }

  #next(): readonly Waiting<Item, Answer>[] {
    const { itemsMax, bytesMax, bytesOf } = this.#parts;
    let bytes = 0;
    let count = 0;
    for (const { item } of this.#waiting) {
      bytes += bytesOf(item);
      if (count === itemsMax || (count > 0 && bytes > bytesMax)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #request(calls: readonly Waiting<Item, Answer>[]): Promise<void> {
    this.#requests += 1;
    const [outcome] = await Promise.allSettled([this.#send(calls.map(({ item }) => item))]);
    this.#requests -= 1;
    if (this.#waiting.length > 0) this.#sendSoon();
    for (const [at, { resolve, reject }] of calls.entries()) {
      const answer = outcome.status === "fulfilled" ? outcome.value[at] : undefined;
      if (answer !== undefined) resolve(answer);
      else reject(outcome.status === "rejected" ? outcome.reason : new Error("no answer"));
    }
  }

  /** Sends the items. If the server refuses their number or size, sends each half. */
  async #send(items: readonly Item[]): Promise<readonly Answer[]> {
    const { send, isTooLarge } = this.#parts;
    const [outcome] = await Promise.allSettled([send(items)]);
    if (outcome.status === "fulfilled") return outcome.value;
    if (items.length === 1 || !isTooLarge(outcome.reason)) throw outcome.reason;
    const half = Math.ceil(items.length / 2);
    return [...(await this.#send(items.slice(0, half))), ...(await this.#send(items.slice(half)))];
  }
}
