import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { compileCache } from "../../channel/index.ts";
import { Channel, type ToEngine, type ToHost } from "./channel.ts";
import { loadEngineBinary } from "./engine-binary.ts";
import type { SandboxLimits } from "./limits.ts";
import type { WorkerStart } from "./worker.ts";

const START_MS_MAX = 30_000;
const MEGABYTE = 1024 * 1024;
const NS_PER_MS = 1e6;
/** Bytes of native stack per byte of engine stack. In measurements, unoptimised code needed 26. */
const NATIVE_STACK_FACTOR = 48;
const NATIVE_STACK_SPARE_MB = 4;

/** An engine in a thread that can be killed. */
export class EngineThread {
  readonly channel: Channel<ToEngine, ToHost>;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  /** The thread's path in /proc, or empty if it has none. */
  readonly #name: string;
  #alive = true;

  /** Starts the thread and waits until its engine is ready. */
  constructor(limits: SandboxLimits) {
    const { code } = loadEngineBinary();
    const { port1, port2 } = new MessageChannel();
    const sent = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    this.#port = port1;
    this.channel = new Channel({ port: port1, sent, own: 0 });
    const workerData: WorkerStart = { code, limits, end: { port: port2, sent, own: 1 } };
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    this.#worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
      workerData,
      transferList: [port2],
      name: "sandbox",
      env: compileCache(),
      execArgv: [],
      resourceLimits: { stackSizeMb: stackMegabytes(limits) },
    });
    // The event does not interrupt `receive`: on a dead thread, `receive` waits for its timeout.
    this.#worker.on("error", () => this.kill());
    this.#worker.unref();
    const first = this.channel.receive(START_MS_MAX);
    const reason = first?.kind === "broken" ? first.reason : "no answer";
    assert(first?.kind === "ready", `the sandbox thread must start: ${reason}`);
    this.#name = first.thread;
  }

  get alive(): boolean {
    return this.#alive;
  }

  /**
   * The CPU time of the thread in ms, even if it is stuck. Waiting for a CPU does not count. Null if
   * the time is unknown or if the thread has ended.
   */
  cpuMs(): number | null {
    if (this.#name === "") return null;
    try {
      // The first number is the CPU time in ns (Linux, Documentation/scheduler).
      const [running] = readFileSync(`/proc/${this.#name}/schedstat`, "utf8").split(" ");
      return Number(running) / NS_PER_MS;
    } catch {
      return null;
    }
  }

  kill(): void {
    if (this.#alive) void this.close();
  }

  async close(): Promise<void> {
    this.#alive = false;
    this.#port.close();
    await this.#worker.terminate();
  }
}

/** A native stack that is large enough for nested calls that all fill their engine stacks. */
const stackMegabytes = (limits: SandboxLimits): number => {
  const frames = limits.depth_max + 2;
  const bytes = frames * limits.stack_bytes * NATIVE_STACK_FACTOR;
  return Math.ceil(bytes / MEGABYTE) + NATIVE_STACK_SPARE_MB;
};
