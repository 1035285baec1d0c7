import { Worker } from "node:worker_threads";
import { type Environment, moduleUrl } from "../../mind/index.ts";
import type { WorkerChannel, WorkerListener, Workers } from "./mind-host.ts";
import type { MindSetup } from "./mind-server.ts";
import type { MindThreadStart } from "./mind-thread.ts";

type ThreadParts = { readonly setup: MindSetup; readonly env: Environment; readonly max: number };

/** Up to `max` threads of this process. Each starts when all others are busy. */
export class ThreadWorkers implements Workers {
  readonly #parts: ThreadParts;
  #running = 0;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
  }

  open(end: WorkerListener): WorkerChannel | null {
    const { setup, env, max } = this.#parts;
    if (this.#running >= max) return null;
    this.#running += 1;
    const start: MindThreadStart = { setup, env: { ...env } };
    const thread = new Worker(moduleUrl(import.meta.url, "./mind-thread"), {
      workerData: start,
      name: "minds",
      execArgv: [],
    });
    thread.on("message", end.receive);
    // A thread that fails emits `exit` too.
    thread.on("error", (error) => end.lose(`a thread of minds has failed: ${error.message}`));
    thread.on("exit", () => {
      this.#running -= 1;
      end.lose("a thread of minds has ended");
    });
    return {
      send: (frames) => thread.postMessage(frames),
      end: async () => {
        await thread.terminate();
      },
    };
  }
}
