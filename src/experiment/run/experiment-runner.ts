import type { ArmCell, Experiment } from "../design/experiment.ts";
import {
  type NamedRequest,
  type PlannedRun,
  plannedRun,
  runsFolder,
} from "../design/planned-run.ts";
import type { Executor, Job, JobOutcome } from "./executor.ts";
import type { ResultLog } from "./result-log.ts";

/** A planned run and its outcome. Null: it was not made, because of `reason`. */
export type RunOutcome = {
  readonly run: PlannedRun;
  readonly outcome: JobOutcome | null;
  readonly reason: string | null;
};

export type ExperimentProgress = {
  /** Runs with an outcome, also those of earlier commands. */
  readonly done: number;
  readonly failed: number;
  /** Runs that this command made. */
  readonly made: number;
  /** The planned number of runs. With a stop rule it can grow. */
  readonly planned: number;
  readonly usd: number;
  readonly keptBytes: number;
};

type Rate = { readonly elapsedS: number; readonly made: number; readonly left: number };

/** The time in s that the runs left need, at the rate of the made ones. Null if none was made. */
export const secondsLeft = ({ elapsedS, made, left }: Rate): number | null =>
  made === 0 ? null : (elapsedS / made) * left;

type Parts = {
  readonly experiment: Experiment;
  readonly dir: string;
  readonly executor: Executor;
  readonly log: ResultLog;
  /** The most that a run of a cell can cost, in USD. 0 if its models cost nothing. */
  readonly capUsdOf: (cell: ArmCell) => number;
  /** Whether the interval of the stop rule's measure is narrow enough. */
  readonly isNarrow: (outcomes: readonly RunOutcome[]) => boolean;
  /** The time in ms since the start of the command. */
  readonly elapsedMs: () => number;
  readonly onProgress: (progress: ExperimentProgress, last: RunOutcome) => void;
};

/** The state of the common past of a seed. */
type Past = "waiting" | "running" | "done" | { readonly error: string };

/** The runs of one seed. */
type Block = {
  readonly seed: number;
  readonly runs: readonly PlannedRun[];
  past: Past;
  readonly started: Set<string>;
};

/**
 * Makes the runs of an experiment, seed by seed, as many at a time as the executor has slots. Runs
 * of an earlier command are not made again. What is done does not depend on the number of slots.
 */
export class ExperimentRunner {
  readonly #parts: Parts;
  readonly #blocks: Block[] = [];
  readonly #outcomes = new Map<string, JobOutcome>();
  #made = 0;
  #usd = 0;
  #keptBytes = 0;
  #inProgress = 0;
  /** The most that runs in progress can cost, in USD. */
  #reservedUsd = 0;
  #isStopped = false;
  #limit: string | null = null;
  /** Wakes slots without work, because a finished run can give more work. */
  #wake: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const seed of parts.experiment.seeds) this.#addBlock(seed);
  }

  /** Stops after the runs in progress have been interrupted. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wakeAll();
    await this.#parts.executor.stop();
  }

  /** Makes all runs. Returns the outcomes, by seed and then in the order of the cells. */
  async run(): Promise<readonly RunOutcome[]> {
    this.#extend();
    const slots = Array.from({ length: this.#parts.executor.slots }, () => this.#work());
    await Promise.all(slots);
    return this.#blocks.flatMap((block) => this.#outcomesOf(block));
  }

  /** Why runs are missing at the end, or null. */
  get limit(): string | null {
    const isMissing = ({ id }: PlannedRun): boolean => !this.#outcomes.has(id);
    return this.#blocks.some(({ runs }) => runs.some(isMissing)) ? this.#limit : null;
  }

  #addBlock(seed: number): void {
    const { experiment, dir, log } = this.#parts;
    const runs = experiment.cells.map((cell) => plannedRun(experiment, { cell, seed, dir }));
    const block: Block = { seed, runs, past: "waiting", started: new Set() };
    this.#blocks.push(block);
    for (const { id } of runs) {
      const earlier = log.outcomeOf(id);
      // A run that failed is tried again, because its cause may be gone.
      if (earlier?.ok !== true) continue;
      this.#keep(id, earlier);
      block.started.add(id);
    }
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      const task = this.#next();
      if (task === null) {
        if (this.#inProgress === 0) return;
        await new Promise<void>((wake) => this.#wake.push(wake));
        continue;
      }
      this.#inProgress += 1;
      await task();
      this.#inProgress -= 1;
      this.#extend();
      this.#wakeAll();
    }
  }

  /** The next piece of work, or null if there is none now. */
  #next(): (() => Promise<void>) | null {
    if (this.#isStopped || this.#reachesLimit()) return null;
    let ahead = 0;
    for (const block of this.#blocks) {
      const open = block.runs.find(({ id }) => !block.started.has(id));
      if (open === undefined) continue;
      if (!this.#canAfford(open.cell)) return null;
      if (open.past === null || block.past === "done") return () => this.#make(block, open);
      if (typeof block.past === "object") {
        const { error } = block.past;
        return async () => this.#finish(block, open, { ok: false, error });
      }
      if (block.past === "waiting") {
        const { past } = open;
        return () => this.#makePast(block, past);
      }
      ahead += 1;
      if (ahead > this.#parts.executor.slots) return null;
    }
    return null;
  }

  async #makePast(block: Block, past: NamedRequest): Promise<void> {
    block.past = "running";
    const job: Job = {
      request: past,
      past: null,
      arm: "",
      factors: {},
      seed: block.seed,
      measures: [],
      keep: "past",
    };
    const caps = block.runs.map(({ cell }) => this.#parts.capUsdOf(cell));
    const outcome = await this.#execute(job, Math.max(...caps));
    if (outcome === null) return;
    if (outcome.ok) this.#usd += outcome.run.usd;
    block.past = outcome.ok ? "done" : { error: `its common past failed: ${outcome.error}` };
  }

  async #make(block: Block, run: PlannedRun): Promise<void> {
    block.started.add(run.id);
    const { cell, request } = run;
    const { arm, factors } = cell;
    const { measures, keep } = this.#parts.experiment;
    const past = run.past?.name ?? null;
    const job: Job = { request, past, arm, factors, seed: block.seed, measures, keep };
    const outcome = await this.#execute(job, this.#parts.capUsdOf(cell));
    if (outcome !== null) this.#finish(block, run, outcome);
  }

  /** Reserves what the run can cost while it is in progress. */
  async #execute(job: Job, capUsd: number): Promise<JobOutcome | null> {
    this.#reservedUsd += capUsd;
    const outcome = await this.#parts.executor.execute(job);
    this.#reservedUsd -= capUsd;
    return outcome;
  }

  /** Whether one more run fits into the money limit. Else, a run in progress can leave room. */
  #canAfford(cell: ArmCell): boolean {
    const { usd } = this.#parts.experiment.limits;
    const most = this.#usd + this.#reservedUsd + this.#parts.capUsdOf(cell);
    if (usd === null || most <= usd) return true;
    if (this.#inProgress === 0) {
      const cap = `${this.#parts.capUsdOf(cell)} USD`;
      this.#limit = `the limit of ${usd} USD is reached: one more run can cost ${cap}`;
    }
    return false;
  }

  #finish(block: Block, run: PlannedRun, outcome: JobOutcome): void {
    const { log, executor, dir, experiment, onProgress } = this.#parts;
    block.started.add(run.id);
    log.add(run.id, outcome);
    this.#keep(run.id, outcome);
    this.#made += 1;
    const isComplete = block.runs.every(({ id }) => this.#outcomes.has(id));
    if (isComplete && run.past !== null && experiment.keep !== "all") {
      executor.release(run.past.name, runsFolder(dir));
    }
    onProgress(this.#progress(), { run, outcome, reason: null });
  }

  #keep(id: string, outcome: JobOutcome): void {
    this.#outcomes.set(id, outcome);
    if (!outcome.ok) return;
    this.#usd += outcome.run.usd;
    this.#keptBytes += outcome.run.keptBytes;
  }

  /**
   * Adds seeds while the stop rule asks for one and all runs so far are done, for example by an
   * earlier command.
   */
  #extend(): void {
    const { experiment, isNarrow, log } = this.#parts;
    const { stop } = experiment;
    while (stop !== null && this.#blocks.length < stop.seedsMax) {
      const all = this.#blocks.flatMap(({ runs }) => runs);
      if (all.some(({ id }) => !this.#outcomes.has(id))) return;
      if (isNarrow(this.#blocks.flatMap((block) => this.#outcomesOf(block)))) return;
      const seed = Math.max(...this.#blocks.map((block) => block.seed)) + 1;
      this.#addBlock(seed);
      log.addSeed(seed);
    }
  }

  #reachesLimit(): boolean {
    const { experiment, elapsedMs } = this.#parts;
    const { wallS, diskBytes } = experiment.limits;
    if (wallS !== null && elapsedMs() >= wallS * 1_000) {
      this.#limit = `the limit of ${wallS} s of time is reached`;
    } else if (diskBytes !== null && this.#keptBytes >= diskBytes) {
      this.#limit = `the limit of ${diskBytes} bytes of disk is reached`;
    }
    return this.#limit !== null;
  }

  #outcomesOf({ runs }: Block): readonly RunOutcome[] {
    return runs.map((run) => {
      const outcome = this.#outcomes.get(run.id) ?? null;
      return { run, outcome, reason: outcome === null ? (this.#limit ?? "interrupted") : null };
    });
  }

  #progress(): ExperimentProgress {
    const all = [...this.#outcomes.values()];
    return {
      done: all.length,
      failed: all.filter(({ ok }) => !ok).length,
      made: this.#made,
      planned: this.#blocks.reduce((sum, { runs }) => sum + runs.length, 0),
      usd: this.#usd,
      keptBytes: this.#keptBytes,
    };
  }

  #wakeAll(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
