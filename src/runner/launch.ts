import { basename } from "node:path";
import { absentGenesis } from "../kernel/index.ts";
import type { Environment, Recording } from "../mind/index.ts";
import { type Ancestor, type Checkpoint, checkpointFolder, RunLock } from "../world/index.ts";
import { type Config, msOf } from "./config/index.ts";
import { horizonFrom } from "./horizon.ts";
import { modelProblems, thinkersIn } from "./llm-plan.ts";
import { type Past, pastFrom, pastIn, stateFrom } from "./past.ts";
import type { Persona } from "./persona/index.ts";
import {
  discard,
  holdsCheckpoints,
  keepConfig,
  makeRunDirectory,
  type RunDirectory,
} from "./run-directory.ts";
import { type RunFile, writeRunFile } from "./run-file.ts";
import { planOf } from "./run-plan.ts";
import { type RunResult, SimulationRunner } from "./simulation-runner.ts";
import { actionsIn } from "./stop-rule.ts";

/** What every run needs of the process that starts it. */
export type LaunchOrder = {
  readonly config: Config;
  /** The process that writes the run. */
  readonly pid: number;
  readonly programsFolder: string;
  readonly version: string;
  /** Simulated seconds until the horizon, for a world that goes on; null: the horizon it has. */
  readonly furtherS: number | null;
  /** Stops after so many simulated seconds, where the horizon is later; null for not. */
  readonly stopAfterS: number | null;
  readonly startedAt: Date;
  /** Where the keys of providers are. */
  readonly env: Environment;
  /** The model calls of another run, to be answered as they were then; null: models are asked. */
  readonly replay: Recording | null;
  /** Stands in for the network; the global one where it is not given. */
  readonly fetch?: typeof globalThis.fetch;
  /** The folder in which checkpoints of all runs are kept; null: no files are written. */
  readonly checkpoints: string | null;
};

/** A run in a directory of its own: of a new world, or of one that a checkpoint has kept. */
export type NewRunOrder = LaunchOrder & {
  readonly personas: readonly Persona[];
  readonly out: string;
  readonly runId: string;
  readonly from: Checkpoint | null;
};

export type ResumeOrder = LaunchOrder & {
  readonly folder: string;
  readonly parent: Ancestor | null;
};

/** Why no run could begin. `mistaken`: what was asked for cannot be, wherever it is tried. */
export type NoLaunch = {
  readonly ok: false;
  readonly problems: readonly string[];
  readonly mistaken: boolean;
};

export type Launched = { readonly ok: true; readonly launch: Launch } | NoLaunch;

/** A run that is ready to go, and the files that tell others of it. */
export class Launch {
  readonly directory: RunDirectory;
  readonly runner: SimulationRunner;
  readonly #order: LaunchOrder;
  readonly #parent: Ancestor | null;
  /** The last event, and its run time, of the state that it goes on from. */
  readonly #base: { readonly seq: number; readonly atMs: number };

  /** For `prepare` and `resume`. */
  constructor(order: LaunchOrder, parts: LaunchParts) {
    this.#order = order;
    this.directory = parts.directory;
    this.runner = parts.runner;
    this.#parent = parts.parent;
    this.#base = parts.runner.journal.baseMark() ?? { seq: 0, atMs: 0 };
  }

  /** Makes a directory and in it a new world, or one that goes on from a checkpoint. */
  static prepare(given: NewRunOrder): Launched {
    const { runId, out, personas, from } = given;
    const { config, stopAtMs } = horizonFrom(given.config, { ...given, atMs: from?.atMs ?? 0 });
    const order = { ...given, config };
    if (from !== null && stopAtMs <= from.atMs) return atHorizon(from.run.id, from.atMs);
    const read = from === null ? null : stateFrom(from);
    if (read?.ok === false) return mistaken([read.problem]);
    const lacking = read === null ? [] : absentGenesis(read.state, config.genesis.enabled);
    if (lacking.length > 0) return mistaken(lacking.map(lackOf));
    const made = makeRunDirectory({ out, runId, config, personas });
    if (!made.ok) return made.mistaken ? mistaken([made.problem]) : unable(made.problem);
    const { directory } = made;
    const past = from === null || read === null ? null : { from, state: read.state };
    const started = startIn(directory.folder, { ...order, stopAtMs }, past);
    if (!started.ok) {
      discard(directory.folder);
      return started;
    }
    const parent = from === null ? null : { run_id: from.run.id, seq: from.seq };
    const { runner } = started;
    return Launch.#noted(new Launch(order, { directory, runner, parent }));
  }

  /** Goes on with a run in its own directory, after a stop or a crash. */
  static resume(given: ResumeOrder): Launched {
    const { folder } = given;
    const taken = RunLock.take(folder);
    if (!taken.ok) return unable(taken.problem);
    const { lock } = taken;
    const resumed = resumeIn(folder, given);
    if (!resumed.ok) {
      lock.release();
      return resumed;
    }
    const { config, runner } = resumed;
    const directory = { runId: basename(folder), folder, lock };
    const { parent } = given;
    return Launch.#noted(new Launch({ ...given, config }, { directory, runner, parent }));
  }

  static #noted(launch: Launch): Launched {
    const trouble = launch.#note("running", null);
    return trouble === null ? { ok: true, launch } : unable(trouble);
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
    const { seq, atMs } = this.#base;
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
      from_s: atMs / 1000,
      duration_s: (result?.atMs ?? atMs) / 1000,
      events: Math.max(0, (result?.lastSeq ?? seq) - seq),
      stopped_by: result?.stoppedBy ?? null,
      parent: this.#parent?.run_id ?? null,
      parent_seq: this.#parent?.seq ?? null,
    });
  }
}

type LaunchParts = {
  readonly directory: RunDirectory;
  readonly runner: SimulationRunner;
  readonly parent: Ancestor | null;
};

/** Parts of genesis are made with a world, and not later. */
const lackOf = (name: string): string =>
  `genesis.enabled: this world began without ${name}; leave it out`;

const unable = (problem: string): NoLaunch => ({ ok: false, problems: [problem], mistaken: false });

const mistaken = (problems: readonly string[]): NoLaunch => ({
  ok: false,
  problems,
  mistaken: true,
});

const atHorizon = (run: string, atMs: number): NoLaunch => {
  const cure = "go further with --duration SECONDS";
  return mistaken([`${run} is at its horizon, ${atMs / 1000} s; ${cure}`]);
};

const atLastAction = (run: string, taken: number): NoLaunch => {
  const cure = `go further with --max-actions NUMBER above ${taken}, those before included`;
  return mistaken([`${run} has taken ${taken} actions; ${cure}`]);
};

/** Why this run's checkpoints could not be written for those of an earlier one of its name. */
const earlierFiles = ({ config, checkpoints, runId }: NewRunOrder): string | null => {
  const { every_s, on_end } = config.checkpoint;
  if (checkpoints === null || (every_s === null && !on_end)) return null;
  const folder = checkpointFolder(checkpoints, runId);
  if (!holdsCheckpoints(folder)) return null;
  const cure = "move or delete them, or choose another --name";
  return `${folder} holds checkpoints of an earlier run of this name; ${cure}`;
};

type Begun = { readonly ok: true; readonly runner: SimulationRunner } | NoLaunch;

const startIn = (
  folder: string,
  order: NewRunOrder & { readonly stopAtMs: number },
  given: Parameters<typeof pastFrom>[2] | null,
): Begun => {
  const { personas, config } = order;
  const earlier = earlierFiles(order);
  if (earlier !== null) return mistaken([earlier]);
  const past = given === null ? null : pastFrom(folder, config, given);
  if (past?.ok === false) return unable(past.problem);
  const begun = begin(order, { folder, personas, past });
  if (!begun.ok) past?.journal.close();
  return begun;
};

type Scene = {
  readonly folder: string;
  readonly personas: readonly Persona[];
  readonly past: Past | null;
};

const begin = (
  order: LaunchOrder & { readonly stopAtMs: number },
  { folder, personas, past }: Scene,
): Begun => {
  const thinkers = [...personas, ...(past === null ? [] : thinkersIn(past.state))];
  const { config, env, replay } = order;
  const unusable = replay?.otherwise === "fail" ? [] : modelProblems(config, { thinkers, env });
  if (unusable.length > 0) return mistaken(unusable);
  const plan = planOf(order, { folder, personas, thinkers });
  const started = past === null ? SimulationRunner.start(plan) : SimulationRunner.goOn(plan, past);
  return started.ok ? started : unable(started.problem);
};

type Resumed =
  | { readonly ok: true; readonly runner: SimulationRunner; readonly config: Config }
  | NoLaunch;

const resumeIn = (folder: string, given: ResumeOrder): Resumed => {
  const past = pastIn(folder, given.config);
  if (!past.ok) return unable(past.problem);
  const resumed = resumeAt(folder, given, past);
  if (!resumed.ok) past.journal.close();
  return resumed;
};

const resumeAt = (folder: string, given: ResumeOrder, past: Past): Resumed => {
  const { atMs } = past;
  const { config, stopAtMs } = horizonFrom(given.config, { ...given, atMs });
  if (stopAtMs <= atMs) return atHorizon(folder, atMs);
  const { max_actions: max } = config.run;
  const taken = max === null ? 0 : actionsIn(past.journal);
  if (max !== null && taken >= max) return atLastAction(folder, taken);
  const unkept = keepConfig(folder, config);
  if (unkept !== null) return unable(unkept);
  const begun = begin({ ...given, config, stopAtMs }, { folder, personas: [], past });
  return begun.ok ? { ...begun, config } : begun;
};
