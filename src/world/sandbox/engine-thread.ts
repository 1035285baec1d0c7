import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { loadEngineBinary } from "./binary/engine-binary.ts";
import { Channel, MESSAGE, newChannelMemory, SIDE } from "./channel.ts";
import type { SandboxLimits } from "./limits.ts";
import type { WorkerStart } from "./worker.ts";

const START_MS_MAX = 30_000;
const MEGABYTE = 1024 * 1024;
/** Bytes of native stack per byte of engine stack. In measurements, unoptimised code needed 26. */
const NATIVE_STACK_FACTOR = 48;
const NATIVE_STACK_SPARE_MB = 4;

export class EngineThread {
  readonly channel: Channel;
  readonly #worker: Worker;
  readonly #stackMb: number;
  #cpu = new ThreadCpu("");
  #ready = false;
  #alive = true;

  constructor(limits: SandboxLimits) {
    const { code } = loadEngineBinary();
    const memory = newChannelMemory();
    this.#stackMb = stackMegabytes(limits);
    this.channel = new Channel(memory, SIDE.host);
    const workerData: WorkerStart = { code, memory, limits };
    const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
    this.#worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {
      workerData,
      name: "sandbox",
      env: {},
      execArgv: [],
      resourceLimits: { stackSizeMb: this.#stackMb },
    });
    // The event does not interrupt `receive`: on a dead thread, `receive` waits for its timeout.
    this.#worker.on("error", () => this.kill());
    this.#worker.unref();
  }

  get alive(): boolean {
    return this.#alive;
  }

  get cpu(): ThreadCpu {
    return this.#cpu;
  }

  /** True if the engine is alive and has started. The caller must know that no request runs. */
  get isIdle(): boolean {
    return this.#alive && this.#ready;
  }

  /** Starts a new engine in the same thread. Returns false if the thread's stack is too small. */
  renew(limits: SandboxLimits): boolean {
    if (!this.isIdle || stackMegabytes(limits) > this.#stackMb) return false;
    this.channel.begin(MESSAGE.renew).text(JSON.stringify(limits)).send();
    this.#ready = false;
    return true;
  }

  waitUntilReady(): void {
    if (this.#ready) return;
    const kind = this.channel.receive(START_MS_MAX);
    const reason = kind === MESSAGE.broken ? this.channel.textAt(0) : `no answer (${kind})`;
    assert(kind === MESSAGE.ready, `the sandbox thread must start: ${reason}`);
    this.#cpu = new ThreadCpu(this.channel.textAt(0));
    this.#ready = true;
  }

  kill(): void {
    if (this.#alive) void this.close();
  }

  async close(): Promise<void> {
    this.#alive = false;
    await this.#worker.terminate();
  }
}

/** A native stack that is large enough for nested calls that all fill their engine stacks. */
const stackMegabytes = (limits: SandboxLimits): number => {
  const frames = limits.depth_max + 2;
  const bytes = frames * limits.stack_bytes * NATIVE_STACK_FACTOR;
  return Math.ceil(bytes / MEGABYTE) + NATIVE_STACK_SPARE_MB;
};

/** A thread to reuse for the next sandbox. A new thread would first have to load its modules. */
let spare: EngineThread | null = null;

export const acquireThread = (limits: SandboxLimits): EngineThread => {
  const kept = spare;
  spare = null;
  if (kept?.renew(limits)) return kept;
  void kept?.close();
  return new EngineThread(limits);
};

export const releaseThread = async (thread: EngineThread): Promise<void> => {
  if (spare === null && thread.isIdle) spare = thread;
  else await thread.close();
};

const NS_PER_MS = 1e6;
/** `start` rereads the CPU time only after this many ms, because reading takes about 20 us. */
const STALE_MS = 20;

/** Measures the CPU time of another thread, even a stuck one. Waiting for a CPU does not count. */
class ThreadCpu {
  readonly #thread: string;
  #fromMs: number | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(thread: string) {
    this.#thread = thread;
  }

  start(): void {
    const nowMs = performance.now();
    if (nowMs - this.#readAtMs < STALE_MS) return;
    this.#readAtMs = nowMs;
    this.#fromMs = this.#totalMs();
  }

  /** The CPU time since `start`, in ms. Null if it is unknown or if the thread has ended. */
  spentMs(): number | null {
    const totalMs = this.#totalMs();
    return totalMs === null || this.#fromMs === null ? null : totalMs - this.#fromMs;
  }

  /** The first number of Linux's schedstat is the CPU time in ns (Documentation/scheduler). */
  #totalMs(): number | null {
    if (this.#thread === "") return null;
    try {
      const [running] = readFileSync(`/proc/${this.#thread}/schedstat`, "utf8").split(" ");
      return Number(running) / NS_PER_MS;
    } catch {
      return null;
    }
  }
}
