import {
  type Environment,
  type KnowHow,
  knowHowOf,
  loadLibrary,
  type RecordedCall,
} from "../mind/index.ts";
import { type Config, msOf, physicsFor, tasksFor } from "./config/index.ts";
import type { HealthBounds } from "./health/index.ts";
import { llmPlanOf } from "./llm-plan.ts";
import type { Persona } from "./persona/index.ts";
import { discard, makeRunDirectory, type RunDirectory } from "./run-directory.ts";
import { type RunFile, writeRunFile } from "./run-file.ts";
import { type RunPlan, type RunResult, SimulationRunner } from "./simulation-runner.ts";

/** What a person asks for when they start a run. */
export type LaunchOrder = {
  readonly config: Config;
  readonly personas: readonly Persona[];
  readonly out: string;
  readonly runId: string;
  /** The process that writes the run. */
  readonly pid: number;
  readonly programsFolder: string;
  readonly version: string;
  /** Stops earlier than the horizon that agents know of; null for not. */
  readonly stopAfterS: number | null;
  readonly startedAt: Date;
  /** Where the keys of providers are. */
  readonly env: Environment;
  /** The model calls of another run, to be answered as they were then; null: models are asked. */
  readonly replay: readonly RecordedCall[] | null;
  /** Stands in for the network; the global one where it is not given. */
  readonly fetch?: typeof globalThis.fetch;
};

export type Launched =
  | { readonly ok: true; readonly launch: Launch }
  | { readonly ok: false; readonly problem: string };

/** A run that is ready to go, and the files that tell others of it. */
export class Launch {
  readonly directory: RunDirectory;
  readonly runner: SimulationRunner;
  readonly #order: LaunchOrder;

  constructor(order: LaunchOrder, directory: RunDirectory, runner: SimulationRunner) {
    this.#order = order;
    this.directory = directory;
    this.runner = runner;
  }

  static prepare(order: LaunchOrder): Launched {
    const { runId, out, config, personas } = order;
    const made = makeRunDirectory({ out, runId, config, personas });
    if (!made.ok) return made;
    const { directory } = made;
    const started = SimulationRunner.start(planOf(order, directory.folder));
    if (!started.ok) {
      discard(directory.folder);
      return started;
    }
    const launch = new Launch(order, directory, started.runner);
    const trouble = launch.#note("running", null);
    return trouble === null ? { ok: true, launch } : { ok: false, problem: trouble };
  }

  get seed(): number {
    return this.#order.config.run.seed;
  }

  get clock(): "wall" | "virtual" {
    return this.#order.config.run.clock;
  }

  /** Runs to the end and leaves the directory to others. */
  async run(): Promise<RunResult> {
    try {
      const result = await this.runner.run();
      const trouble = this.#note(result.problem === null ? "finished" : "failed", result);
      return result.problem === null ? { ...result, problem: trouble } : result;
    } finally {
      this.directory.lock.release();
    }
  }

  /** Returns what kept it from being written, or null. */
  #note(status: RunFile["status"], result: RunResult | null): string | null {
    const { config, version, startedAt, pid } = this.#order;
    return writeRunFile(this.directory.folder, {
      run_id: this.directory.runId,
      version,
      engine: this.runner.engineVersion,
      seed: config.run.seed,
      clock: config.run.clock,
      status,
      pid,
      started_at: startedAt.toISOString(),
      horizon_ms: msOf(config.run.duration_s),
      duration_s: (result?.atMs ?? 0) / 1000,
      events: result?.lastSeq ?? 0,
      stopped_by: result?.stoppedBy ?? null,
      parent: null,
    });
  }
}

const planOf = (order: LaunchOrder, folder: string): RunPlan => {
  const { config, personas, version, stopAfterS } = order;
  const horizonMs = msOf(config.run.duration_s);
  return {
    folder,
    version,
    physics: physicsFor(config),
    clock: config.run.clock,
    newcomers: personas.map(({ id, startingScrip, content }) => ({
      id,
      scrip: startingScrip ?? config.scrip.starting_amount,
      content,
    })),
    minds: mindParts(config, knowHowOf(loadLibrary(order.programsFolder))),
    llm: llmPlanOf(config, order),
    journal: { sync: config.journal.sync, groupMs: config.journal.group_ms },
    checkEvery: config.checks.invariants_every,
    health: healthBounds(config.health),
    mint: { scorer: config.mint.scorer, tasks: tasksFor(config) },
    stopAtMs: Math.min(horizonMs, stopAfterS === null ? horizonMs : msOf(stopAfterS)),
    maxActions: config.run.max_actions,
    shutdownMs: msOf(config.timeouts.shutdown_s),
  };
};

const healthBounds = ({ every_s, window_s, ...bounds }: Config["health"]): HealthBounds => ({
  every_ms: msOf(every_s),
  window_ms: msOf(window_s),
  ...bounds,
});

export const mindParts = (config: Config, knowHow: KnowHow): RunPlan["minds"] => ({
  knowHow,
  policyPrice: {
    micros: config.policy.thought_micros,
    calls: 0,
    tokens: config.policy.thought_tokens,
  },
  policyThinkMs: config.virtual.think_ms.policy,
  scriptThinkMs: config.virtual.think_ms.script,
});
