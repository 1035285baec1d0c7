import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, Job, JobOutcome } from "../../experiment/index.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** A process makes this number of runs and is then replaced, so that memory stays bounded. */
const RUNS_PER_PROCESS = 50;

type Slot = { process: ChildProcess | null; runs: number };

/** Makes runs in `slots` processes of this machine. */
export class LocalExecutor implements Executor {
  readonly slots: number;
  readonly #free: Slot[];
  readonly #busy = new Set<ChildProcess>();
  #isStopped = false;

  constructor(slots: number) {
    this.slots = slots;
    this.#free = Array.from({ length: slots }, () => ({ process: null, runs: 0 }));
  }

  async execute(job: Job): Promise<JobOutcome | null> {
    const slot = this.#free.pop();
    if (slot === undefined || this.#isStopped) return null;
    const worker = isAlive(slot.process) ? slot.process : this.#start();
    slot.process = worker;
    slot.runs += 1;
    this.#busy.add(worker);
    const outcome = await this.#ask(worker, job);
    this.#busy.delete(worker);
    if (!isAlive(worker) || slot.runs >= RUNS_PER_PROCESS) {
      worker.kill("SIGKILL");
      slot.process = null;
      slot.runs = 0;
    }
    this.#free.push(slot);
    return this.#isStopped ? null : outcome;
  }

  release({ id }: { readonly id: string }, runs: string): void {
    rmSync(join(runs, id), { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const idle = this.#free.flatMap(({ process }) => (process === null ? [] : [process]));
    const all = [...this.#busy, ...idle].filter(({ exitCode, signalCode }) => {
      return exitCode === null && signalCode === null;
    });
    await Promise.all(
      all.map((worker) => {
        const ended = new Promise((resolve) => worker.once("exit", resolve));
        worker.kill("SIGKILL");
        return ended;
      }),
    );
  }

  #start(): ChildProcess {
    const source = fileURLToPath(new URL("./run-worker.ts", import.meta.url));
    // The published package contains `.js` files instead of `.ts` files.
    const file = import.meta.url.endsWith(".ts") ? source : source.replace(/\.ts$/, ".js");
    return fork(file, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  }

  #ask(worker: ChildProcess, job: Job): Promise<JobOutcome> {
    return new Promise((resolve) => {
      const onMessage = ({ outcome }: FromWorker): void => finish(outcome);
      const onExit = (code: number | null, signal: string | null): void => {
        const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
        const error = `the process of the run ended with ${how}; it may have run out of memory`;
        finish({ ok: false, error });
      };
      const finish = (outcome: JobOutcome): void => {
        worker.off("message", onMessage).off("exit", onExit);
        resolve(outcome);
      };
      worker.on("message", onMessage).on("exit", onExit);
      const message: ToWorker = { job };
      worker.send(message, (error) => {
        if (error !== null) onExit(worker.exitCode, worker.signalCode);
      });
    });
  }
}

/** False also for a process that died while it waited for a run. */
const isAlive = (worker: ChildProcess | null): worker is ChildProcess =>
  worker?.connected === true && worker.exitCode === null && worker.signalCode === null;
