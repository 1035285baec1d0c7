import { errorMessage } from "../../kernel/index.ts";

/** What one side sends to the other. `number` counts the calls of the side that asks. */
export type PeerFrame =
  | {
      readonly kind: "call";
      readonly number: number;
      readonly method: string;
      readonly body: unknown;
    }
  | { readonly kind: "abort"; readonly number: number }
  | { readonly kind: "answer"; readonly number: number; readonly value: unknown }
  /** The method has a bug: it threw. */
  | { readonly kind: "bug"; readonly number: number; readonly message: string };

/** A method type accepts functions with any argument type. */
type Methods = {
  readonly [method: string]: {
    answer(body: unknown, signal: AbortSignal): Promise<unknown>;
  }["answer"];
};

/** The answer of a call, or why the other side is gone. */
export type PeerAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string };

type Waiting = { resolve(answer: PeerAnswer<unknown>): void; reject(bug: Error): void };

/**
 * One of two sides that call each other's methods, over any channel that keeps the order of its
 * frames. Both can have many calls in progress, in both directions.
 */
export class Peer<Other extends Methods> {
  readonly #post: (frame: PeerFrame) => void;
  readonly #methods: Methods;
  readonly #waiting = new Map<number, Waiting>();
  readonly #serving = new Map<number, AbortController>();
  #calls = 0;
  #lost: string | null = null;

  constructor(methods: Methods, post: (frame: PeerFrame) => void) {
    this.#methods = methods;
    this.#post = post;
  }

  /** The number of calls without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Calls a method of the other side. If `signal` aborts, tells the other side, and still waits for
   * the answer. Rejects only if the method has a bug.
   */
  call<M extends keyof Other & string>(
    method: M,
    body: Parameters<Other[M]>[0],
    signal?: AbortSignal,
  ): Promise<PeerAnswer<Awaited<ReturnType<Other[M]>>>> {
    if (this.#lost !== null) return Promise.resolve({ ok: false, problem: this.#lost });
    this.#calls += 1;
    const number = this.#calls;
    const abort = (): void => this.#post({ kind: "abort", number });
    const { promise, resolve, reject } =
      Promise.withResolvers<PeerAnswer<Awaited<ReturnType<Other[M]>>>>();
    this.#waiting.set(number, {
      resolve: (answer: PeerAnswer<Awaited<ReturnType<Other[M]>>>) => resolve(answer),
      reject,
    });
    this.#post({ kind: "call", number, method, body });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", abort));
  }

  receive(frame: PeerFrame): void {
    switch (frame.kind) {
      case "call":
        void this.#serve(frame);
        return;
      case "abort":
        this.#serving.get(frame.number)?.abort();
        return;
      case "answer":
        this.#take(frame.number)?.resolve({ ok: true, value: frame.value });
        return;
      case "bug":
        this.#take(frame.number)?.reject(new Error(frame.message));
    }
  }

  /** The other side is gone: ends all calls in both directions. */
  lose(problem: string): void {
    this.#lost ??= problem;
    for (const each of this.#waiting.values()) each.resolve({ ok: false, problem });
    this.#waiting.clear();
    for (const each of this.#serving.values()) each.abort();
    this.#serving.clear();
  }

  #take(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }

  async #serve({ number, method, body }: Extract<PeerFrame, { kind: "call" }>): Promise<void> {
    const serving = new AbortController();
    this.#serving.set(number, serving);
    const answer = await this.#answered(method, body, serving.signal);
    this.#serving.delete(number);
    if (this.#lost === null) this.#post({ ...answer, number });
  }

  async #answered(method: string, body: unknown, signal: AbortSignal) {
    const calling = (async () => this.#methods[method]?.(body, signal))();
    const [ended] = await Promise.allSettled([calling]);
    return ended.status === "fulfilled"
      ? ({ kind: "answer", value: ended.value } as const)
      : ({ kind: "bug", message: errorMessage(ended.reason) } as const);
  }
}
