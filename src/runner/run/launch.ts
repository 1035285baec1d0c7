import { basename } from "node:path";
import { absentGenesis, type State } from "../../kernel/index.ts";
import { type Ancestor, type Checkpoint, checkpointFolder, RunLock } from "../../world/index.ts";
import { modelProblems, modelUsersIn } from "../agents/model-users.ts";
import { type Config, msOf } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import { type ResumePoint, resumePointFrom, resumePointIn, stateFrom } from "./resume-point.ts";
import {
  discard,
  failed,
  holdsCheckpoints,
  type LaunchFailure,
  makeRunDirectory,
  type RunDirectory,
  type RunFile,
  runPaths,
  usersMistake,
  writeConfig,
  writeRunFile,
} from "./run-directory.ts";
import { copyModules, moduleProblems } from "./run-modules.ts";
import { type RunPlan, type RunRequest, withHorizon } from "./run-plan.ts";
import { type RunResult, SimulationRunner } from "./simulation-runner.ts";
import { actionsIn } from "./stop-rule.ts";

export type NewRunRequest = RunRequest & {
  readonly personas: readonly Persona[];
  readonly out: string;
  readonly runId: string;
  readonly from: Checkpoint | null;
  /** The folder of the run that saved `from`. It has the modules that agents of `from` need. */
  readonly sourceFolder?: string;
};

export type ResumeRequest = RunRequest & {
  readonly folder: string;
  readonly parent: Ancestor | null;
};

export type Launched = { readonly ok: true; readonly launch: Launch } | LaunchFailure;

type LaunchParts = Pick<Launch, "directory" | "runner"> & { readonly parent: Ancestor | null };

export class Launch {
  readonly directory: RunDirectory;
  readonly runner: SimulationRunner;
  readonly #request: RunRequest;
  readonly #parent: Ancestor | null;
  /** The number and time of the last event before the fork. Both are 0 without a fork. */
  readonly #base: { readonly seq: number; readonly atMs: number };

  constructor(request: RunRequest, { directory, runner, parent }: LaunchParts) {
    this.#request = request;
    this.directory = directory;
    this.runner = runner;
    this.#parent = parent;
    this.#base = runner.journal.baseMark() ?? { seq: 0, atMs: 0 };
  }

  static start(given: NewRunRequest): Launched {
    const { runId, out, personas, from } = given;
    const horizon = withHorizon(given.config, { ...given, atMs: from?.atMs ?? 0 });
    const request = { ...given, ...horizon, config: withOwnLibrary(horizon.config) };
    const { config, stopAtMs } = request;
    if (from !== null && stopAtMs <= from.atMs) return atHorizon(from.run.id, from.atMs);
    const read = from === null ? null : stateFrom(from);
    if (read?.ok === false) return usersMistake(read.problem);
    const absent = read === null ? [] : absentGenesis(read.state, config.genesis.enabled);
    if (absent.length > 0) return usersMistake(...absent.map(notInWorld));
    const made = makeRunDirectory({ ...request, out, runId, config, personas });
    if (!made.ok) return made;
    const { directory } = made;
    const state = read?.state ?? null;
    const started = startIn(directory.folder, request, state);
    if (!started.ok) {
      discard(directory.folder);
      return started;
    }
    const parent = from === null ? null : { run_id: from.run.id, seq: from.seq };
    return Launch.#recorded(new Launch(request, { directory, runner: started.runner, parent }));
  }

  static resume(given: ResumeRequest): Launched {
    const { folder, parent } = given;
    const taken = RunLock.take(folder);
    if (!taken.ok) return failed(taken.problem);
    const { lock } = taken;
    const resumed = resumeIn(folder, given);
    if (!resumed.ok) {
      lock.release();
      return resumed;
    }
    const directory = { runId: basename(folder), folder, lock };
    const { plan, runner } = resumed;
    return Launch.#recorded(new Launch(plan, { directory, runner, parent }));
  }

  static #recorded(launch: Launch): Launched {
    const problem = launch.#record("running", null);
    return problem === null ? { ok: true, launch } : failed(problem);
  }

  get seed(): number {
    return this.#request.config.run.seed;
  }

  get clock(): "wall" | "virtual" {
    return this.#request.config.run.clock;
  }

  async run(): Promise<RunResult> {
    try {
      const result = await this.runner.run();
      const problem = this.#record(result.problem === null ? "finished" : "failed", result);
      return result.problem === null ? { ...result, problem } : result;
    } finally {
      this.directory.lock.release();
    }
  }

  /** Writes `run.json`. Returns why the file could not be written, or null on success. */
  #record(status: RunFile["status"], result: RunResult | null): string | null {
    const { config, version, startedAt, pid } = this.#request;
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

/** The name of the copy of the library in the folder of a run. The path is relative to it. */
const LIBRARY = "library";

/** Makes the saved configuration name the run's own copy of the library of programs. */
const withOwnLibrary = (config: Config): Config =>
  config.policy.library === null
    ? config
    : { ...config, policy: { ...config.policy, library: LIBRARY } };

/** The folder of the programs that the policies of a run write. */
const programsOf = (folder: string, { config, programsFolder }: RunRequest): string =>
  config.policy.library === null ? programsFolder : runPaths(folder).library;

const notInWorld = (name: string): string =>
  `genesis.enabled: this world was created without ${name}; leave it out`;

const atHorizon = (run: string, atMs: number): LaunchFailure =>
  usersMistake(`${run} has reached its horizon, ${atMs / 1000} s; add --duration SECONDS`);

const atLastAction = (run: string, taken: number): LaunchFailure => {
  const fix = `set --max-actions above ${taken}; it counts all actions of the run`;
  return usersMistake(`${run} has taken ${taken} actions; ${fix}`);
};

/** Returns a problem if an earlier run with the same name left checkpoints, otherwise null. */
const earlierCheckpoints = ({ config, checkpoints, runId }: NewRunRequest): string | null => {
  const { every_s, on_end } = config.checkpoint;
  if (checkpoints === null || (every_s === null && !on_end)) return null;
  const folder = checkpointFolder(checkpoints, runId);
  if (!holdsCheckpoints(folder)) return null;
  const fix = "move or delete them, or choose another --name";
  return `${folder} holds checkpoints of an earlier run with this name; ${fix}`;
};

type Ready =
  | { readonly ok: true; readonly runner: SimulationRunner; readonly plan: RunPlan }
  | LaunchFailure;

/** @param state the state of the checkpoint `request.from`, or null if there is no checkpoint. */
const startIn = (
  folder: string,
  request: NewRunRequest & { readonly stopAtMs: number },
  state: State | null,
): Ready => {
  const { from, config, personas } = request;
  const earlier = earlierCheckpoints(request);
  if (earlier !== null) return usersMistake(earlier);
  const plan = { ...request, folder, programsFolder: programsOf(folder, request) };
  if (from === null || state === null) return runnerFor(plan, null);
  const needs = { state, replaced: new Set(personas.map(({ id }) => id)) };
  const source = request.sourceFolder ?? folder;
  copyModules(source, folder, needs);
  const missing = moduleProblems(folder, source, needs);
  if (missing.length > 0) return usersMistake(...missing);
  const point = resumePointFrom(folder, config, { from, state });
  return point.ok ? runnerFor(plan, point) : failed(point.problem);
};

const resumeIn = (folder: string, given: ResumeRequest): Ready => {
  const point = resumePointIn(folder, given.config);
  if (!point.ok) return failed(point.problem);
  const { atMs, journal } = point;
  const horizon = withHorizon(given.config, { ...given, atMs });
  const request = { ...given, ...horizon, programsFolder: programsOf(folder, given) };
  const problem = resumeProblem(folder, request, point);
  if (problem === null) return runnerFor({ ...request, personas: [] }, point);
  journal.close();
  return problem;
};

const resumeProblem = (
  folder: string,
  { config, stopAtMs }: Pick<RunPlan, "config" | "stopAtMs">,
  { atMs, journal, state }: ResumePoint,
): LaunchFailure | null => {
  const missing = moduleProblems(folder, folder, { state, replaced: new Set() });
  if (missing.length > 0) return usersMistake(...missing);
  if (stopAtMs <= atMs) return atHorizon(folder, atMs);
  const max = config.run.max_actions;
  const taken = max === null ? 0 : actionsIn(journal);
  if (max !== null && taken >= max) return atLastAction(folder, taken);
  const problem = writeConfig(folder, config);
  return problem === null ? null : failed(problem);
};

/** Creates the runner. If the runner cannot be created, closes the journal of `point`. */
const runnerFor = (plan: RunPlan, point: ResumePoint | null): Ready => {
  const { config, env, replay, personas } = plan;
  const thinkers = [...personas, ...(point === null ? [] : modelUsersIn(point.state))];
  const unusable = replay?.otherwise === "fail" ? [] : modelProblems(config, { thinkers, env });
  if (unusable.length > 0) {
    point?.journal.close();
    return usersMistake(...unusable);
  }
  const started =
    point === null ? SimulationRunner.start(plan) : SimulationRunner.resume(plan, point);
  return started.ok ? { ...started, plan } : failed(started.problem);
};
