import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Executor, Job, JobOutcome } from "../../experiment/index.ts";
import { RunProcesses } from "./run-processes.ts";

/** Makes runs in `slots` processes of this machine. */
export class LocalExecutor implements Executor {
  readonly slots: number;
  readonly #processes: RunProcesses;

  constructor(slots: number) {
    this.slots = slots;
    this.#processes = new RunProcesses(slots);
  }

  async execute(job: Job): Promise<JobOutcome | null> {
    const made = await this.#processes.make(job, { folder: null, signal: null });
    return made !== null && "died" in made ? { ok: false, error: made.died } : made;
  }

  release({ id }: { readonly id: string }, runs: string): void {
    rmSync(join(runs, id), { recursive: true, force: true });
  }

  stop(): Promise<void> {
    return this.#processes.stop();
  }
}
