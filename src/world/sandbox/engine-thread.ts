import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { Channel, MESSAGE, newChannelMemory, SIDE } from "./channel.ts";
import type { SandboxLimits } from "./limits.ts";
import { ThreadCpu } from "./thread-cpu.ts";
import type { WorkerStart } from "./worker.ts";

const START_MS_MAX = 30_000;
const MEGABYTE = 1024 * 1024;
/** Native stack that one byte of engine stack may need: measured up to 26 in unoptimised code. */
const NATIVE_STACK_FACTOR = 48;
const NATIVE_STACK_SPARE_MB = 4;

/**
 * One worker thread with an engine in it, and this side's end of the channel to it. Starting does
 * not wait; the first use does. Once killed it stays dead, and a new one takes its place.
 */
export class EngineThread {
  readonly channel: Channel;
  readonly #worker: Worker;
  readonly #stackMb: number;
  #cpu = new ThreadCpu("");
  #ready = false;
  #alive = true;

  constructor(module: WebAssembly.Module, limits: SandboxLimits) {
    const memory = newChannelMemory();
    this.#stackMb = stackMegabytes(limits);
    this.channel = new Channel(memory, SIDE.host);
    const workerData: WorkerStart = { module, memory, limits };
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    this.#worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
      workerData,
      name: "sandbox",
      env: {},
      execArgv: [],
      resourceLimits: { stackSizeMb: this.#stackMb },
    });
    // A thread that dies is noticed by the wait that it leaves unanswered.
    this.#worker.on("error", () => this.kill());
    this.#worker.unref();
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** What the thread has used of the machine; nothing before it is ready. */
  get cpu(): ThreadCpu {
    return this.#cpu;
  }

  /** Whether an engine waits in it for the next request. To be asked between two requests. */
  get isIdle(): boolean {
    return this.#alive && this.#ready;
  }

  /** Puts a new engine in the place of the old one, unless the thread cannot hold it. */
  renew(limits: SandboxLimits): boolean {
    if (!this.isIdle || stackMegabytes(limits) > this.#stackMb) return false;
    this.channel.begin(MESSAGE.renew).text(JSON.stringify(limits)).send();
    this.#ready = false;
    return true;
  }

  /** Blocks until the engine in the thread has started. */
  waitUntilReady(): void {
    if (this.#ready) return;
    const kind = this.channel.receive(START_MS_MAX);
    const reason = kind === MESSAGE.broken ? this.channel.textAt(0) : `no answer (${kind})`;
    assert(kind === MESSAGE.ready, `the sandbox thread must start: ${reason}`);
    this.#cpu = new ThreadCpu(this.channel.textAt(0));
    this.#ready = true;
  }

  kill(): void {
    if (!this.#alive) return;
    this.#alive = false;
    void this.#worker.terminate();
  }

  async close(): Promise<void> {
    this.#alive = false;
    await this.#worker.terminate();
  }
}

/** Nested calls lie on one native stack, and on each the engine's own limit must be met first. */
const stackMegabytes = (limits: SandboxLimits): number => {
  const frames = limits.depthMax + 2;
  const bytes = frames * limits.stackBytes * NATIVE_STACK_FACTOR;
  return Math.ceil(bytes / MEGABYTE) + NATIVE_STACK_SPARE_MB;
};
