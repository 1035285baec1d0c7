import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { KeyLimits } from "../../../src/model/limits/rate-limit.ts";

export type CallerTask = {
  readonly url: string;
  readonly secret: string;
  readonly limits: KeyLimits;
  readonly callMsMax: number;
  /** Most calls are much shorter. */
  readonly callMsTypical: number;
  readonly agents: number;
  readonly seed: number;
};

/** Times are in ms of the clock of the processes. */
export type LimitedCall = {
  readonly startMs: number;
  readonly endMs: number;
  readonly used: number;
};

const CALLER = fileURLToPath(new URL("./caller.ts", import.meta.url));
const ACCELERATE = new URL("./accelerate.ts", import.meta.url).href;

/** Processes that call with one key. */
export class LimitedCallers {
  readonly calls: LimitedCall[] = [];
  readonly notes: string[] = [];
  readonly #task: Omit<CallerTask, "seed">;
  readonly #factor: number;
  readonly #epochMs = Date.now();
  readonly #processes: ChildProcess[] = [];
  #seed = 0;

  /** @param factor how much faster the time of the processes goes */
  constructor(task: Omit<CallerTask, "seed">, factor: number) {
    this.#task = task;
    this.#factor = factor;
  }

  start(): void {
    this.#seed += 1;
    const task = JSON.stringify({ ...this.#task, seed: this.#seed });
    const env = {
      ...process.env,
      TIME_FACTOR: String(this.#factor),
      TIME_EPOCH_MS: String(this.#epochMs),
    };
    const args = ["--import", ACCELERATE, CALLER, task];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.calls.push(JSON.parse(line));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.notes.push(text));
    this.#processes.push(child);
  }

  /** Kills the process that has run longest. */
  async killOldest(): Promise<void> {
    const child = this.#processes.shift();
    if (child === undefined) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }

  async killAll(): Promise<void> {
    while (this.#processes.length > 0) await this.killOldest();
  }
}
