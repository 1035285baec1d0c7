import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { parentPort, type ResourceLimits, Worker } from "node:worker_threads";

/** The functions that a thread offers. A method type accepts functions with any argument type. */
type Calls = { readonly [call: string]: { answer(argument: unknown): unknown }["answer"] };

type Question = { readonly number: number; readonly call: string; readonly argument: unknown };

type Reply =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly problem: string };

type Note = { readonly note: string };

type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

type ClientParts = {
  readonly url: URL;
  readonly name: string;
  readonly workerData: unknown;
  readonly env: { readonly [name: string]: string };
  readonly resourceLimits?: ResourceLimits;
  readonly onNote?: (text: string) => void;
  readonly onLost?: (error: Error) => void;
  /** Receives the text that packages print in the thread. The text does not reach the terminal. */
  readonly onPrinted?: (text: string) => void;
};

/** The variable with the folder of compiled modules. With them, a thread starts much faster. */
export const compileCache = (): { readonly [name: string]: string } => {
  const folder = getCompileCacheDir();
  // Each version of Node has a folder of its own in it.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
};

/**
 * Calls functions in a worker thread. A call starts the thread if the thread is not running. The
 * thread keeps the process alive only while a call waits. All calls in one turn of the event loop
 * are sent in one message, because waking a thread costs more than most calls.
 */
export class WorkerClient<C extends Calls> {
  readonly #parts: ClientParts;
  readonly #waiting = new Map<number, Waiting>();
  #outbox: Question[] = [];
  #worker: Worker | null = null;
  #asked = 0;
  #closed = false;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  get started(): boolean {
    return this.#worker !== null || this.#outbox.length > 0;
  }

  /** The number of calls without an answer. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Rejects if the function throws an error, or if the thread ends before it answers. */
  ask<K extends keyof C & string>(
    call: K,
    ...[argument]: Parameters<C[K]>
  ): Promise<Awaited<ReturnType<C[K]>>> {
    if (this.#closed) return Promise.reject(new Error(`the ${this.#parts.name} thread is closed`));
    this.#asked += 1;
    const number = this.#asked;
    if (this.#outbox.length === 0) setImmediate(() => this.#post());
    this.#outbox.push({ number, call, argument });
    return new Promise((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
  }

  /** Ends the thread, even in an endless loop. Waiting calls reject. The next call restarts it. */
  kill(reason: string): void {
    const worker = this.#worker;
    if (worker === null) return;
    this.#lose(worker, new Error(reason));
    void worker.terminate();
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
    const { url, env, onNote, onPrinted, onLost: _, ...start } = this.#parts;
    const { name } = start;
    const variables = { ...compileCache(), ...env };
    const worker = new Worker(url, { ...start, env: variables, stdout: true, stderr: true });
    worker.on("message", (sent: readonly Reply[] | Note) => {
      if ("note" in sent) onNote?.(sent.note);
      else for (const reply of sent) this.#take(reply);
    });
    worker.on("error", (error) => this.#lose(worker, error));
    worker.on("exit", () => this.#lose(worker, new Error(`the ${name} thread has ended`)));
    worker.stdout.on("data", (bytes) => onPrinted?.(String(bytes)));
    worker.stderr.on("data", (bytes) => onPrinted?.(String(bytes)));
    this.#worker = worker;
    return worker;
  }

  #take(reply: Reply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("problem" in reply) waiting?.reject(new Error(reply.problem));
    else waiting?.resolve(reply.result);
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#parts.onLost?.(error);
    this.#fail(error);
  }

  #fail(error: Error): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const each of waiting) each.reject(error);
  }
}

export const moduleUrl = (here: string, module: string): URL =>
  new URL(`${module}.${here.endsWith(".ts") ? "ts" : "js"}`, here);

export const notify = (note: string): void => parentPort?.postMessage({ note });

const OUTBOX_REPLIES_MAX = 16;
let outbox: Reply[] = [];

const post = (): void => {
  if (outbox.length > 0) parentPort?.postMessage(outbox);
  outbox = [];
};

/** Sends a reply in one message with other replies of the same turn of the event loop. */
const send = (reply: Reply): void => {
  if (outbox.length === 0) setImmediate(post);
  outbox.push(reply);
  if (outbox.length >= OUTBOX_REPLIES_MAX) post();
};

/** Answers calls inside a thread. If a function throws, its call rejects with the error message. */
export const serve = (order: "in order" | "concurrent", answers: Calls): void => {
  let last = Promise.resolve();
  const answer = async ({ number, call, argument }: Question): Promise<void> => {
    try {
      send({ number, result: await answers[call]?.(argument) });
    } catch (thrown) {
      send({ number, problem: errorLine(thrown) });
    }
  };
  parentPort?.on("message", (questions: readonly Question[]) => {
    for (const question of questions) {
      if (order === "concurrent") void answer(question);
      else last = last.then(() => answer(question));
    }
  });
};

const LINE_UNITS_MAX = 300;

export const errorLine = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause instanceof Error ? `: ${thrown.cause.message}` : "";
  // Errors of Qdrant's client hold the server's answer in `data`.
  const answer = "data" in thrown ? `: ${JSON.stringify(thrown.data)}` : "";
  const line = `${thrown.message}${cause}${answer}`;
  return line.replace(/\s+/g, " ").slice(0, LINE_UNITS_MAX);
};
