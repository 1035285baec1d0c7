import { readFileSync, readlinkSync } from "node:fs";
import { performance } from "node:perf_hooks";

const SYSTEM = "/proc";
const NS_PER_MS = 1e6;
/** A count that began this long ago begins anew with the next call; reading takes about 20 us. */
const STALE_MS = 20;

/** What the system calls the calling thread, for another to ask after it; empty where it cannot. */
export const nameOfThread = (): string => {
  if (process.platform !== "linux") return "";
  try {
    return readlinkSync(`${SYSTEM}/thread-self`);
  } catch {
    return "";
  }
};

/**
 * Counts the CPU time of a thread that cannot be asked, because it is stuck. On a machine with
 * other work a thread may wait for its turn longer than it runs, and only its running is its doing.
 */
export class ThreadCpu {
  readonly #thread: string;
  #fromMs: number | null = null;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(thread: string) {
    this.#thread = thread;
  }

  /** Counts from here, or from up to `STALE_MS` ago. */
  begin(): void {
    const nowMs = performance.now();
    if (nowMs - this.#readAtMs < STALE_MS) return;
    this.#readAtMs = nowMs;
    this.#fromMs = this.#totalMs();
  }

  /** CPU time since then, ms; null where the system does not tell, or the thread has ended. */
  spentMs(): number | null {
    const totalMs = this.#totalMs();
    return totalMs === null || this.#fromMs === null ? null : totalMs - this.#fromMs;
  }

  /** Linux, Documentation/scheduler/sched-stats: the first number is the time on the CPU, in ns. */
  #totalMs(): number | null {
    if (this.#thread === "") return null;
    try {
      const [running] = readFileSync(`${SYSTEM}/${this.#thread}/schedstat`, "utf8").split(" ");
      return Number(running) / NS_PER_MS;
    } catch {
      return null;
    }
  }
}
