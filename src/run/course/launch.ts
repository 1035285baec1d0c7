import { basename } from "node:path";
import { absentGenesis, type State } from "../../kernel/index.ts";
import { type ModuleHost, ModuleThread } from "../../mind/index.ts";
import { type Ancestor, type Checkpoint, checkpointFolder, RunLock } from "../../world/index.ts";
import { modelProblems, modelUsersIn } from "../agents/model-users.ts";
import { msOf, showProblem } from "../config/index.ts";
import type { ControlServer } from "../control/control-server.ts";
import { forkProblems } from "../mechanisms/install-mechanisms.ts";
import { cliNotes, cliProblems, pythonNotes, pythonProblems } from "../persona/host-programs.ts";
import type { Persona } from "../persona/persona.ts";
import { mentionProblems } from "../schedule/mentions.ts";
import { lateEntry, physicsWith, scheduleOf } from "../schedule/plan.ts";
import { type ClockKind, chooseClock, type SettledConfig } from "./clock-choice.ts";
import { type ResumePoint, resumePointFrom, resumePointIn, stateFrom } from "./resume-point.ts";
import {
  discard,
  failed,
  holdsCheckpoints,
  type LaunchFailure,
  makeRunDirectory,
  missingLibrary,
  type RunDirectory,
  type RunFile,
  runPaths,
  usersMistake,
  writeConfig,
  writeRunFile,
} from "./run-directory.ts";
import {
  copyModules,
  type ModuleNeeds,
  moduleProblems,
  modulesIn,
  needsOf,
} from "./run-modules.ts";
import { type RunPlan, type RunRequest, withHorizon } from "./run-plan.ts";
import { changedFrom } from "./run-settings.ts";
import { type RunResult, SimulationRunner } from "./simulation-runner.ts";
import { actionsIn } from "./stop-rule.ts";

export type NewRunRequest = RunRequest & {
  readonly personas: readonly Persona[];
  readonly out: string;
  readonly runId: string;
  readonly from: Checkpoint | null;
  /** A flag with which the user can start from an earlier state than `from`, or null. */
  readonly earlier?: string | null;
  /** The folder of the run that saved `from`. It has the modules that agents of `from` need. */
  readonly sourceFolder?: string;
};

export type ResumeRequest = RunRequest & {
  readonly folder: string;
  readonly parent: Ancestor | null;
};

export type Launched = { readonly ok: true; readonly launch: Launch } | LaunchFailure;

type LaunchParts = Pick<Launch, "directory" | "runner" | "clockReason" | "isNew"> & {
  readonly parent: Ancestor | null;
};

export class Launch {
  readonly directory: RunDirectory;
  readonly runner: SimulationRunner;
  /** Why `run.clock: auto` chose this clock, or null if the configuration names the clock. */
  readonly clockReason: string | null;
  readonly isNew: boolean;
  readonly #request: Settled;
  readonly #parent: Ancestor | null;
  /** The number and time of the last event before the fork. Both are 0 without a fork. */
  readonly #base: { readonly seq: number; readonly atMs: number };
  #control: ControlServer | null = null;

  constructor(request: Settled, parts: LaunchParts) {
    const { directory, runner, parent, clockReason, isNew } = parts;
    this.#request = request;
    this.clockReason = clockReason;
    this.isNew = isNew;
    this.directory = directory;
    this.runner = runner;
    this.#parent = parent;
    this.#base = runner.journal.baseMark() ?? { seq: 0, atMs: 0 };
  }

  static start(given: NewRunRequest): Launched {
    const { runId, out, personas, from } = given;
    const read = from === null ? null : stateFrom(from);
    if (read?.ok === false) return usersMistake(read.problem);
    const clock = clockFor(given, { personas, state: read?.state ?? null });
    const horizon = withHorizon(clock.config, { ...given, atMs: from?.atMs ?? 0 });
    const request = { ...given, ...horizon, config: withOwnLibrary(horizon.config) };
    const { config, stopAtMs } = request;
    if (from !== null && stopAtMs <= from.atMs) {
      return atHorizon(from.run.id, from.atMs, given.earlier);
    }
    const unplanned = read === null ? null : planProblem(request, read.state, from?.atMs ?? 0);
    if (unplanned !== null) return usersMistake(unplanned);
    const unknown = mentionProblems(request.schedule?.mentions ?? [], {
      personas,
      later: joining(request),
      state: read?.state ?? null,
      atMs: from?.atMs ?? 0,
    });
    if (unknown.length > 0) return usersMistake(...unknown);
    const absent = read === null ? [] : absentGenesis(read.state, config.genesis.enabled);
    if (absent.length > 0) return usersMistake(...absent.map(notInWorld));
    const foreign =
      read === null ? [] : forkProblems(read.state, request.schedule?.mechanisms ?? []);
    if (foreign.length > 0) return usersMistake(...foreign);
    const all = [...personas, ...joining(request)];
    const unusable = pythonProblems(config, all, request.env);
    if (unusable.length > 0) return usersMistake(...unusable.map(showProblem));
    const clockProblems = cliProblems(config, all);
    if (clockProblems.length > 0) return usersMistake(...clockProblems);
    const made = makeRunDirectory({ ...request, out, runId, config, personas: all });
    if (!made.ok) return made;
    const { directory } = made;
    const state = read?.state ?? null;
    const started = startIn(directory.folder, request, state);
    if (!started.ok) {
      discard(directory.folder);
      return started;
    }
    const parent = from === null ? null : { run_id: from.run.id, seq: from.seq };
    const { runner } = started;
    const parts = { directory, runner, parent, clockReason: clock.reason, isNew: true };
    return Launch.#recorded(new Launch(request, parts));
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
    const parts = { directory, runner, parent, clockReason: null, isNew: false };
    return Launch.#recorded(new Launch(plan, parts));
  }

  static #recorded(launch: Launch): Launched {
    const problem = launch.#record("running", null);
    return problem === null ? { ok: true, launch } : failed(problem);
  }

  get seed(): number {
    return this.#request.config.run.seed;
  }

  get config(): SettledConfig {
    return this.#request.config;
  }

  get clock(): ClockKind {
    return this.#request.config.run.clock;
  }

  /**
   * Lets other processes of this user operate the run until it ends, through `connectToRun`.
   * Returns why they cannot, or null.
   */
  async openControl(): Promise<string | null> {
    const { ControlServer } = await import("../control/control-server.ts");
    const opened = await ControlServer.open(this.directory.folder, async () => {
      const { methodsOf } = await import("../control/methods.ts");
      const { seatMethods } = await import("../seats/seat-methods.ts");
      return methodsOf(this.runner, seatMethods(this.runner));
    });
    if (!opened.ok) return opened.problem;
    this.#control = opened.control;
    return this.runner.seats.open();
  }

  async run(): Promise<RunResult> {
    this.#control?.hold();
    try {
      const result = await this.runner.run();
      const problem = this.#record(result.problem === null ? "finished" : "failed", result);
      return result.problem === null ? { ...result, problem } : result;
    } finally {
      await this.#control?.close();
      this.directory.lock.release();
    }
  }

  /** Writes `run.json`. Returns why the file could not be written, or null on success. */
  #record(status: RunFile["status"], result: RunResult | null): string | null {
    const { config, version, labels, startedAt, pid } = this.#request;
    const { seq, atMs } = this.#base;
    return writeRunFile(this.directory.folder, {
      run_id: this.directory.runId,
      version,
      engine: this.runner.engineVersion,
      labels: [...(labels ?? [])],
      changed: changedFrom(config),
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

type Settled = Omit<RunRequest, "config"> & Pick<RunPlan, "config">;

/** The clock for the agents that join the world, and for those of the state that it starts from. */
const clockFor = (
  request: RunRequest,
  { personas, state }: { readonly personas: readonly Persona[]; readonly state: State | null },
) => {
  const { config, replay, isWatched = false } = request;
  const thinkers = [
    ...personas,
    ...joining(request),
    ...(state === null ? [] : modelUsersIn(state)),
  ];
  return chooseClock(config, { thinkers, isWatched, isReplay: replay !== null });
};

/** The personas of agents that join the world later. */
const joining = ({ schedule }: RunRequest): readonly Persona[] => schedule?.personas ?? [];

/** Why the schedule of a world that continues at `atMs` cannot be executed, or null. */
const planProblem = (
  request: RunRequest & Pick<RunPlan, "config">,
  state: State,
  atMs: number,
): string | null => {
  const late = lateEntry(request, atMs);
  if (late !== null) return late;
  const { schedule } = request;
  const { settings } = scheduleOf(schedule === undefined ? {} : { schedule }, state, atMs);
  const physics = physicsWith(request.config, settings);
  return physics.ok ? null : `the settings of its schedule do not fit: ${physics.problem}`;
};

/** The name of the copy of the library in the folder of a run. The path is relative to it. */
const LIBRARY = "library";

/** Makes the saved configuration name the run's own copy of the library of programs. */
const withOwnLibrary = (config: SettledConfig): SettledConfig =>
  config.policy.library === null
    ? config
    : { ...config, policy: { ...config.policy, library: LIBRARY } };

/** The folder of the programs that the policies of a run write. */
const programsOf = (folder: string, { config, programsFolder }: RunRequest): string =>
  config.policy.library === null ? programsFolder : runPaths(folder).library;

const notInWorld = (name: string): string =>
  `genesis.enabled: this world was created without ${name}; leave it out`;

const atHorizon = (run: string, atMs: number, earlier: string | null = null): LaunchFailure => {
  const fix = "add --duration 300s for 300 s more";
  const or = earlier === null ? "" : `, or start from an earlier moment with ${earlier}`;
  return usersMistake(`${run} has reached its horizon, ${atMs / 1000} s; ${fix}${or}`);
};

const atLastAction = (run: string, taken: number): LaunchFailure => {
  const fix = `set --max-actions above ${taken}; it counts all actions of the run`;
  return usersMistake(`${run} has taken ${taken} actions; ${fix}`);
};

/** Returns a problem if an earlier run with the same name left checkpoints, otherwise null. */
const earlierCheckpoints = ({
  config,
  checkpoints,
  runId,
}: Pick<NewRunRequest, "config" | "checkpoints" | "runId">): string | null => {
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
  request: Omit<NewRunRequest, "config"> & Pick<RunPlan, "config" | "stopAtMs">,
  state: State | null,
): Ready => {
  const { from, config } = request;
  const personas = [...request.personas, ...joining(request)];
  const earlier = earlierCheckpoints(request);
  if (earlier !== null) return usersMistake(earlier);
  const kept: ModuleNeeds = state === null ? new Map() : modulesIn(state, personas);
  const source = request.sourceFolder ?? folder;
  copyModules(runPaths(source).modules, runPaths(folder).modules, kept);
  const needs = new Map([...needsOf(personas), ...kept]);
  const modules = loadedModules(folder, { needs, source, limitS: config.timeouts.module_s });
  if (!modules.ok) return modules;
  const programs = programsOf(folder, request);
  const plan = { ...request, folder, programsFolder: programs, modules: modules.modules };
  if (from === null || state === null) return runnerFor(plan, null);
  const point = resumePointFrom(folder, config, { from, state });
  if (point.ok) return runnerFor(plan, point);
  plan.modules.close();
  return failed(point.problem);
};

type Modules = { readonly ok: true; readonly modules: ModuleHost } | LaunchFailure;

type ModuleSearch = {
  readonly needs: ModuleNeeds;
  readonly source: string;
  readonly limitS: number;
};

/** Loads the modules of a run. The caller must close them. */
const loadedModules = (folder: string, { needs, limitS, ...search }: ModuleSearch): Modules => {
  const modules = new ModuleThread(limitS);
  const source = runPaths(search.source).modules;
  const problems = moduleProblems(runPaths(folder).modules, { needs, source, modules });
  if (problems.length === 0) return { ok: true, modules };
  modules.close();
  return usersMistake(...problems);
};

const resumeIn = (folder: string, given: ResumeRequest): Ready => {
  const missing = given.config.policy.library === null ? null : missingLibrary(folder);
  if (missing !== null) return usersMistake(missing);
  const point = resumePointIn(folder, given.config);
  if (!point.ok) return failed(point.problem);
  const { atMs, journal, state } = point;
  const { config } = clockFor(given, { personas: [], state });
  const horizon = withHorizon(config, { ...given, atMs });
  const request = { ...given, ...horizon, programsFolder: programsOf(folder, given) };
  const limitS = request.config.timeouts.module_s;
  const needs = modulesIn(point.state, []);
  const loaded = loadedModules(folder, { needs, source: folder, limitS });
  if (!loaded.ok) {
    journal.close();
    return loaded;
  }
  const { modules } = loaded;
  const problem = resumeProblem(folder, request, point);
  if (problem === null) return runnerFor({ ...request, personas: [], modules }, point);
  modules.close();
  journal.close();
  return problem;
};

const resumeProblem = (
  folder: string,
  request: RunRequest & Pick<RunPlan, "config" | "stopAtMs">,
  { atMs, journal, state }: ResumePoint,
): LaunchFailure | null => {
  const { config, stopAtMs } = request;
  if (stopAtMs <= atMs) return atHorizon(folder, atMs);
  const unplanned = planProblem(request, state, atMs);
  if (unplanned !== null) return usersMistake(unplanned);
  const max = config.run.max_actions;
  const taken = max === null ? 0 : actionsIn(journal);
  if (max !== null && taken >= max) return atLastAction(folder, taken);
  const problem = writeConfig(folder, config);
  return problem === null ? null : failed(problem);
};

/** Creates the runner. If the runner cannot be created, closes the journal of `point`. */
const runnerFor = (plan: RunPlan, point: ResumePoint | null): Ready => {
  const { config, env, replay, personas } = plan;
  const thinkers = [
    ...personas,
    ...joining(plan),
    ...(point === null ? [] : modelUsersIn(point.state)),
  ];
  const users = { thinkers, env, isNewWorld: point === null };
  const unusable = replay?.otherwise === "fail" ? [] : modelProblems(config, users);
  if (unusable.length > 0) {
    point?.journal.close();
    plan.modules.close();
    return usersMistake(...unusable);
  }
  const state = point?.state ?? null;
  for (const text of pythonNotes(config, { state, env })) plan.note?.(text);
  const started =
    point === null ? SimulationRunner.start(plan) : SimulationRunner.resume(plan, point);
  if (started.ok) for (const text of cliNotes(started.runner.world.state)) plan.note?.(text);
  return started.ok ? { ...started, plan } : failed(started.problem);
};
