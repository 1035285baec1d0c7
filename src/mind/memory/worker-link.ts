import { Worker } from "node:worker_threads";
import type { Reply } from "./worker-serve.ts";

/** A question: what it takes and what it gives. */
export type Call<Takes, Gives> = { readonly takes: Takes; readonly gives: Gives };

/** All that a thread can be asked. */
export type Calls = { readonly [call: string]: Call<unknown, unknown> };

type Waiting = { resolve(given: unknown): void; reject(error: Error): void };

export type LinkParts = {
  /** The module that the thread runs; it calls `serve`. */
  readonly url: URL;
  readonly name: string;
  readonly workerData: unknown;
  /** All that the thread sees of the environment. */
  readonly env: { readonly [name: string]: string };
  /** Hears what the thread says unasked, by `tell`. */
  onNote(text: string): void;
  /** Hears what packages print inside the thread; nothing of it reaches the terminal. */
  onPrinted(text: string): void;
};

/**
 * This side of a thread that answers questions. The thread is started by the first question, and
 * again by the next one after it has died. It never keeps the process alive but while it owes an
 * answer.
 */
export class WorkerLink<C extends Calls> {
  readonly #parts: LinkParts;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #asked = 0;
  #closed = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  get started(): boolean {
    return this.#worker !== null;
  }

  /** Rejects when the thread says that it cannot, or dies before it has answered. */
  ask<K extends keyof C & string>(call: K, taken: C[K]["takes"]): Promise<C[K]["gives"]> {
    if (this.#closed) return Promise.reject(new Error(`the ${this.#parts.name} thread is closed`));
    const worker = this.#running();
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      worker.ref();
      worker.postMessage({ number, call, taken });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
    this.#fail(new Error(`the ${this.#parts.name} thread was closed`));
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { url, name, workerData, env, onPrinted } = this.#parts;
    const worker = new Worker(url, { name, workerData, env, stdout: true, stderr: true });
    worker.on("message", (reply: Reply) => this.#take(reply));
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error(`the ${name} thread has ended`)));
    worker.stdout.on("data", (bytes) => onPrinted(String(bytes)));
    worker.stderr.on("data", (bytes) => onPrinted(String(bytes)));
    this.#worker = worker;
    return worker;
  }

  #take(reply: Reply): void {
    if (reply.kind === "note") return this.#parts.onNote(reply.text);
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (reply.kind === "given") waiting?.resolve(reply.given);
    else waiting?.reject(new Error(reply.problem));
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#fail(error);
  }

  #fail(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each.reject(error);
  }
}

/** The path of a module beside `here`, in sources and in what is built from them. */
export const besides = (here: string, module: string): string =>
  `${module}.${here.endsWith(".ts") ? "ts" : "js"}`;
