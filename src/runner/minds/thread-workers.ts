import { Worker } from "node:worker_threads";
import { type Environment, moduleUrl } from "../../mind/index.ts";
import type { WorkerChannel, WorkerListener, Workers } from "./mind-host.ts";
import type { MindSetup, ThoughtCounts } from "./mind-server.ts";
import type { MindThreadStart, ThreadMail } from "./mind-thread.ts";

/** Up to `max` threads of this process. Each starts when all others are busy. */
export class ThreadWorkers implements Workers {
  readonly #start: MindThreadStart;
  readonly #max: number;
  #running = 0;

  constructor(setup: MindSetup, { env, max }: { readonly env: Environment; readonly max: number }) {
    this.#start = { setup, env: { ...env } };
    this.#max = max;
  }

  want(accept: Parameters<Workers["want"]>[0]): void {
    if (this.#running >= this.#max) return;
    this.#running += 1;
    accept((listener) =>
      openMindThread(this.#start, {
        receive: listener.receive,
        lose: (why) => {
          this.#running -= 1;
          listener.lose(why);
        },
      }),
    );
  }

  async close(): Promise<void> {}
}

type ThreadListener = WorkerListener & {
  /** Takes the counts of thoughts, before each batch. */
  count?(counts: ThoughtCounts): void;
};

/** Starts a thread that makes thoughts of one run. */
export const openMindThread = (start: MindThreadStart, listener: ThreadListener): WorkerChannel => {
  const thread = new Worker(moduleUrl(import.meta.url, "./mind-thread"), {
    workerData: start,
    name: "minds",
    execArgv: [],
  });
  let why = "a thread of minds has ended";
  thread.on("message", ({ batch, counts }: ThreadMail) => {
    listener.count?.(counts);
    listener.receive(batch);
  });
  thread.on("error", (error) => {
    why = `a thread of minds has failed: ${error.message}`;
  });
  thread.on("exit", () => listener.lose(why));
  return {
    send: (batch) => thread.postMessage(batch),
    end: async () => {
      await thread.terminate();
    },
  };
};
