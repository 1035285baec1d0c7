import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Executor, Job, JobOutcome, Made } from "../../experiment/index.ts";
import type { ProcessSource } from "../core/shell.ts";

/** From the command to the process that makes runs. */
export type ToWorker = {
  readonly job: Job;
  /** The folder to which paths of the job are relative. */
  readonly folder: string;
};

/** From the process to the command. The process makes one run at a time. */
export type FromWorker = { readonly outcome: JobOutcome };

/** A process makes this number of runs and is then replaced, so that memory stays bounded. */
const RUNS_PER_PROCESS = 50;

/** How many runs each process has made. */
const runsOf = new WeakMap<ChildProcess, number>();

/** Processes of this machine that make runs, at most `slots` at a time. */
export class RunProcesses {
  readonly #source: ProcessSource;
  readonly #free: { process: ChildProcess | null }[];
  readonly #busy = new Set<ChildProcess>();
  #isStopped = false;

  constructor(slots: number, source: ProcessSource) {
    this.#source = source;
    this.#free = Array.from({ length: slots }, () => ({ process: null }));
  }

  /**
   * Makes one run. Paths of the job are relative to `folder`, and `signal` ends the run. Null: the
   * run was stopped, or all slots are in use.
   */
  async make(
    job: Job,
    { folder = process.cwd(), signal }: { folder?: string; signal?: AbortSignal } = {},
  ): Promise<Made> {
    const isEnded = (): boolean => this.#isStopped || signal?.aborted === true;
    if (isEnded()) return null;
    const slot = this.#free.pop();
    if (slot === undefined) return null;
    const worker = isAlive(slot.process) ? slot.process : this.#source.take();
    slot.process = worker;
    const runs = (runsOf.get(worker) ?? 0) + 1;
    runsOf.set(worker, runs);
    this.#busy.add(worker);
    const end = (): void => {
      worker.kill("SIGKILL");
    };
    signal?.addEventListener("abort", end, { once: true });
    const made = await ask(worker, { job, folder });
    signal?.removeEventListener("abort", end);
    this.#busy.delete(worker);
    if (!isAlive(worker) || runs >= RUNS_PER_PROCESS) {
      worker.kill("SIGKILL");
      slot.process = null;
    }
    this.#free.push(slot);
    return isEnded() ? null : made;
  }

  /** Ends the processes that make runs, and gives the others back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const idle = this.#free.flatMap(({ process }) => (isAlive(process) ? [process] : []));
    await Promise.all([
      ...[...this.#busy].map(ended),
      ...idle.map((worker) => this.#source.giveBack(worker)),
    ]);
  }
}

/** Makes runs in `slots` processes of this machine. */
export const localExecutor = (slots: number, source: ProcessSource): Executor => {
  const processes = new RunProcesses(slots, source);
  return {
    slots,
    execute: async (job) => {
      const made = await processes.make(job);
      return made !== null && "died" in made ? { ok: false, error: made.died } : made;
    },
    release: (past, runs) => rmSync(join(runs, past), { recursive: true, force: true }),
    stop: () => processes.stop(),
  };
};

const startWorker = (): ChildProcess => {
  const source = fileURLToPath(new URL("./run-worker.ts", import.meta.url));
  // The published package contains `.js` files instead of `.ts` files.
  const file = import.meta.url.endsWith(".ts") ? source : source.replace(/\.ts$/, ".js");
  return fork(file, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
};

const ended = (worker: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (worker.exitCode !== null || worker.signalCode !== null) return resolve();
    worker.once("exit", () => resolve());
    worker.kill("SIGKILL");
  });

/** Starts processes, and ends those that are not needed any more. */
export const newProcesses: ProcessSource = { take: startWorker, giveBack: ended };

const ask = (worker: ChildProcess, message: ToWorker): Promise<NonNullable<Made>> =>
  new Promise((resolve) => {
    const onMessage = ({ outcome }: FromWorker): void => finish(outcome);
    const onExit = (code: number | null, signal: string | null): void => {
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      finish({ died: `the process of the run ended with ${how}; it may have run out of memory` });
    };
    const finish = (made: NonNullable<Made>): void => {
      worker.off("message", onMessage).off("exit", onExit);
      resolve(made);
    };
    worker.on("message", onMessage).on("exit", onExit);
    worker.send(message, (error) => {
      if (error !== null) onExit(worker.exitCode, worker.signalCode);
    });
  });

/** False also for a process that died while it waited for a run. */
const isAlive = (worker: ChildProcess | null): worker is ChildProcess =>
  worker?.connected === true && worker.exitCode === null && worker.signalCode === null;
