import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";

/** The host sends at index 0 and the thread at index 1. */
export const SIDE = { host: 0, thread: 1 } as const;
type Side = (typeof SIDE)[keyof typeof SIDE];

export const newCounts = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

/**
 * One side of a channel between two threads. `receive` blocks, so a caller gets its answer without
 * a promise, and no callback of the thread runs between two messages.
 */
export class BlockingPort<Sent, Received> {
  readonly #port: MessagePort;
  /** How many messages each side has sent. */
  readonly #counts: Int32Array;
  readonly #own: Side;
  readonly #other: Side;
  #received = 0;

  constructor(port: MessagePort, counts: Int32Array, own: Side) {
    this.#port = port;
    this.#counts = counts;
    this.#own = own;
    this.#other = own === SIDE.host ? SIDE.thread : SIDE.host;
  }

  send(message: Sent): void {
    this.#port.postMessage(message);
    Atomics.add(this.#counts, this.#own, 1);
    Atomics.notify(this.#counts, this.#own);
  }

  /** Returns the next message, or null if none arrives within the time. */
  receive(waitMsMax = Number.POSITIVE_INFINITY): Received | null {
    while (Atomics.load(this.#counts, this.#other) === this.#received) {
      const woken = Atomics.wait(this.#counts, this.#other, this.#received, waitMsMax);
      if (woken === "timed-out") return null;
    }
    this.#received += 1;
    const received: { readonly message: Received } | undefined = receiveMessageOnPort(this.#port);
    return received?.message ?? null;
  }

  close(): void {
    this.#port.close();
  }
}
