import { Worker } from "node:worker_threads";
import type { Note, Reply } from "./worker-serve.ts";

/** A question: what it takes and what it gives. */
export type Call<Takes, Gives> = { readonly takes: Takes; readonly gives: Gives };

/** All that a thread can be asked. */
export type Calls = { readonly [call: string]: Call<unknown, unknown> };

/** A question as it is sent. */
export type Question = {
  readonly number: number;
  readonly call: string;
  readonly taken: unknown;
};

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
  /** Hears that the thread has died, and with it all that it alone knew. */
  onLost(error: Error): void;
  /** Hears what packages print inside the thread; nothing of it reaches the terminal. */
  onPrinted(text: string): void;
};

/**
 * This side of a thread that answers questions. The thread is started by the first question, and
 * again by the next one after it has died. It never keeps the process alive but while it owes an
 * answer. Questions of one turn of the event loop go in one message, because to wake a thread costs
 * more than most questions.
 */
export class WorkerLink<C extends Calls> {
  readonly #parts: LinkParts;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: Question[] = [];
  #worker: Worker | null = null;
  #asked = 0;
  #closed = false;

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  get started(): boolean {
    return this.#worker !== null || this.#outbox.length > 0;
  }

  /** Rejects when the thread says that it cannot, or dies before it has answered. */
  ask<K extends keyof C & string>(call: K, taken: C[K]["takes"]): Promise<C[K]["gives"]> {
    if (this.#closed) return Promise.reject(new Error(`the ${this.#parts.name} thread is closed`));
    this.#asked += 1;
    const number = this.#asked;
    if (this.#outbox.length === 0) setImmediate(() => this.#post());
    this.#outbox.push({ number, call, taken });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
    this.#fail(new Error(`the ${this.#parts.name} thread was closed`));
  }

  #post(): void {
    const questions = this.#outbox;
    this.#outbox = [];
    if (this.#closed) return;
    const worker = this.#running();
    worker.ref();
    worker.postMessage(questions);
  }

  #running(): Worker {
    if (this.#worker !== null) return this.#worker;
    const { url, name, workerData, env, onPrinted } = this.#parts;
    const worker = new Worker(url, { name, workerData, env, stdout: true, stderr: true });
    worker.on("message", (sent: readonly Reply[] | Note) => {
      if ("note" in sent) this.#parts.onNote(sent.note);
      else for (const reply of sent) this.#take(reply);
    });
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error(`the ${name} thread has ended`)));
    worker.stdout.on("data", (bytes) => onPrinted(String(bytes)));
    worker.stderr.on("data", (bytes) => onPrinted(String(bytes)));
    this.#worker = worker;
    return worker;
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("problem" in reply) waiting?.reject(new Error(reply.problem));
    else waiting?.resolve(reply.given);
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#parts.onLost(error);
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
