import { basename } from "node:path";
import type { Id, State } from "../../kernel/index.ts";
import { type ModuleHost, ModuleThread } from "../../mind/index.ts";
import { printable } from "../../text/index.ts";
import { type Ancestor, checkpointFolder, RunLock } from "../../world/index.ts";
import { callsProviders, modelUsersIn } from "../agents/model-users.ts";
import { msOf, settingEffects } from "../config/index.ts";
import type { ControlServer } from "../control/control-server.ts";
import type {
  ClockKind,
  NewRun,
  PreparedRun,
  ResumedRun,
  RunPlan,
  SettledConfig,
} from "../core/run-plan.ts";
import {
  type ResumePoint,
  resumePointFrom,
  resumePointIn,
  stateFrom,
} from "../course/resume-point.ts";
import { type RunResult, SimulationRunner } from "../course/simulation-runner.ts";
import {
  discard,
  failed,
  holdsCheckpoints,
  type LaunchFailure,
  LIBRARY,
  makeRunDirectory,
  missingLibrary,
  type RunDirectory,
  type RunFile,
  runPaths,
  usersMistake,
  writeConfig,
  writeRunFile,
} from "../files/run-files.ts";
import {
  copyModules,
  type ModuleNeeds,
  moduleProblems,
  modulesIn,
  needsOf,
} from "../files/run-modules.ts";
import { changedFrom } from "../files/run-settings.ts";
import { asksModels } from "../minds/kinds.ts";
import { kindNotes, pythonNotes } from "../persona/host-programs.ts";
import type { Persona } from "../persona/persona.ts";
import { agentEffects } from "../trust/effects.ts";
import { signEffects, trustedEffects } from "../trust/signature.ts";
import { type Candidate, requestProblems } from "./checks.ts";
import { chooseClock } from "./clock-choice.ts";

export type Launched = { readonly ok: true; readonly launch: Launch } | LaunchFailure;

type LaunchParts = {
  readonly directory: RunDirectory;
  readonly plan: RunPlan;
  readonly runner: SimulationRunner;
  readonly parent: Ancestor | null;
  readonly clockReason: string | null;
  readonly isNew: boolean;
};

export class Launch {
  readonly directory: RunDirectory;
  readonly runner: SimulationRunner;
  /** Why `run.clock: auto` chose this clock, or null if the configuration names the clock. */
  readonly clockReason: string | null;
  readonly isNew: boolean;
  readonly #plan: RunPlan;
  readonly #parent: Ancestor | null;
  /** The number and time of the last event before the fork. Both are 0 without a fork. */
  readonly #base: { readonly seq: number; readonly atMs: number };
  #control: ControlServer | null = null;

  constructor({ directory, plan, runner, parent, clockReason, isNew }: LaunchParts) {
    this.#plan = plan;
    this.clockReason = clockReason;
    this.isNew = isNew;
    this.directory = directory;
    this.runner = runner;
    this.#parent = parent;
    this.#base = runner.journal.baseMark() ?? { seq: 0, atMs: 0 };
  }

  static start(run: NewRun): Launched {
    const { from, personas } = run;
    const read = from === null ? null : stateFrom(from);
    if (read?.ok === false) return usersMistake(read.problem);
    const state = read?.state ?? null;
    const name = from?.run.id ?? "";
    const continued = state && { name, earlier: run.earlier ?? null, state, journal: null };
    const { candidate, clockReason } = candidateOf(run, personas, continued, from?.atMs ?? 0);
    const problems = requestProblems(candidate);
    if (problems.length > 0) return usersMistake(...problems);
    const { stopAtMs } = candidate;
    const config = withOwnLibrary(candidate.config);
    const all = [...personas, ...candidate.later];
    const trust = trustIn(run, run.sourceFolder ?? null, state, name);
    if (!trust.ok) return trust;
    const made = makeRunDirectory({ ...run, config, personas: all });
    if (!made.ok) return made;
    const { directory } = made;
    const started = startIn(
      directory.folder,
      { ...run, config, stopAtMs, off: trust.off },
      all,
      state,
    );
    if (!started.ok) {
      discard(directory.folder);
      return started;
    }
    const parent = from === null ? null : { run_id: from.run.id, seq: from.seq };
    return Launch.#recorded({ directory, ...started, parent, clockReason, isNew: true });
  }

  static resume(run: ResumedRun): Launched {
    const { folder, parent } = run;
    const taken = RunLock.take(folder);
    if (!taken.ok) return failed(taken.problem);
    const { lock } = taken;
    const resumed = resumeIn(folder, run);
    if (!resumed.ok) {
      lock.release();
      return resumed;
    }
    const directory = { runId: basename(folder), folder, lock };
    return Launch.#recorded({ directory, ...resumed, parent, clockReason: null, isNew: false });
  }

  static #recorded(parts: LaunchParts): Launched {
    const launch = new Launch(parts);
    const problem = launch.#record("running", null);
    launch.#sign();
    return problem === null ? { ok: true, launch } : failed(problem);
  }

  get seed(): number {
    return this.#plan.config.run.seed;
  }

  get config(): SettledConfig {
    return this.#plan.config;
  }

  get clock(): ClockKind {
    return this.#plan.config.run.clock;
  }

  /**
   * Lets other processes of this user operate the run until it ends, through `connectToRun`.
   * Returns why they cannot, or null.
   */
  async openControl(): Promise<string | null> {
    const { ControlServer } = await import("../control/control-server.ts");
    const opened = await ControlServer.open(this.directory.folder, () =>
      this.runner.controlMethods(),
    );
    if (!opened.ok) return opened.problem;
    this.#control = opened.control;
    return this.runner.controlled();
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

  /** Closes a run that does not begin, and leaves nothing of a new run. */
  abandon(): void {
    this.runner.abandon();
    this.directory.lock.release();
    if (this.isNew) discard(this.directory.folder);
  }

  /** Signs what the run causes: the user who starts it lets it. */
  #sign(): void {
    const { config, env, off, note } = this.#plan;
    const { folder } = this.directory;
    const agents = agentEffects(this.runner.world.state, runPaths(folder).modules)
      .filter(({ agent }) => !off.has(agent))
      .map(({ effect }) => effect);
    const problem = signEffects(folder, [...settingEffects(config), ...agents], env);
    if (problem !== null) note?.(`\`sim resume\` will need --trust: ${problem}`);
  }

  /** Writes `run.json`. Returns why the file could not be written, or null on success. */
  #record(status: RunFile["status"], result: RunResult | null): string | null {
    const { config, version, labels = [], startedAt, pid } = this.#plan;
    const { seq, atMs } = this.#base;
    return writeRunFile(this.directory.folder, {
      run_id: this.directory.runId,
      version,
      engine: this.runner.engineVersion,
      labels: [...labels],
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

/**
 * Starts or resumes a run, and connects it to the servers that it shares with others. If it can
 * never use one of them, nothing is left of a new run. A run that is started without this connects
 * later: its model calls wait for the server of `llm.limits.shared`, and it uses the server of its
 * memories as soon as the server answers.
 */
export const launchRun = async (run: PreparedRun): Promise<Launched> => {
  const launched = "folder" in run ? Launch.resume(run) : Launch.start(run);
  if (!launched.ok) return launched;
  const { launch } = launched;
  const failure = (await limitsFailure(launch)) ?? (await memoryFailure(launch));
  if (failure === null) return launched;
  launch.abandon();
  return failure;
};

const limitsFailure = async ({ runner, config }: Launch): Promise<LaunchFailure | null> => {
  if (!callsProviders(config, modelUsersIn(runner.world.state))) return null;
  const unreachable = await runner.openLimits();
  if (unreachable === null) return null;
  const { problem, isUsersMistake } = unreachable;
  return isUsersMistake ? usersMistake(problem) : failed(problem);
};

const memoryFailure = async ({ runner }: Launch): Promise<LaunchFailure | null> => {
  if (!modelUsersIn(runner.world.state).some(({ mind }) => asksModels(mind))) return null;
  const problem = await runner.memoryProblem();
  return problem === null ? null : usersMistake(problem);
};

/** The run with the clock that `run.clock: auto` chooses for its agents, and with its horizon. */
const candidateOf = (
  run: PreparedRun,
  personas: readonly Persona[],
  continued: Candidate["continued"],
  atMs: number,
): { readonly candidate: Candidate; readonly clockReason: string | null } => {
  const later = run.schedule.personas;
  const present = continued === null ? [] : modelUsersIn(continued.state);
  const { config, reason } = chooseClock(run.config, {
    thinkers: [...personas, ...later, ...present],
    isWatched: run.isWatched ?? false,
    isReplay: run.replay !== null,
  });
  const { additionalS, stopAfterS } = run;
  const horizonMs = msOf(config.run.duration_s);
  const endMs = additionalS === null ? horizonMs : atMs + msOf(additionalS);
  const stopAtMs = stopAfterS === null ? endMs : Math.min(endMs, atMs + msOf(stopAfterS));
  const longer = { ...config, run: { ...config.run, duration_s: endMs / 1000 } };
  const candidate = {
    run,
    config: endMs <= horizonMs ? config : longer,
    stopAtMs,
    personas,
    later,
    atMs,
    continued,
  };
  return { candidate, clockReason: reason };
};

/** Makes the saved configuration name the run's own copy of the library, in its folder. */
const withOwnLibrary = (config: SettledConfig): SettledConfig =>
  config.policy.library === null
    ? config
    : { ...config, policy: { ...config.policy, library: LIBRARY } };

/** The folder of the programs that the policies of a run write. */
const programsOf = (folder: string, { config, programsFolder }: PreparedRun): string =>
  config.policy.library === null ? programsFolder : runPaths(folder).library;

/** Returns a problem if an earlier run with the same name left checkpoints, otherwise null. */
const earlierCheckpoints = ({ config, checkpoints, runId }: NewRun): string | null => {
  const { every_s, on_end } = config.checkpoint;
  if (checkpoints === null || (every_s === null && !on_end)) return null;
  const folder = checkpointFolder(checkpoints, runId);
  if (!holdsCheckpoints(folder)) return null;
  const fix = "move or delete them, or choose another --name";
  return `${folder} holds checkpoints of an earlier run with this name; ${fix}`;
};

type Trusting = { readonly ok: true; readonly off: ReadonlySet<Id> } | LaunchFailure;

/**
 * Which agents of a continued world may not think, or what the user must be asked first.
 * @param folder the folder of the run that has saved the world, or null if it is not known.
 */
const trustIn = (
  { trust, env, keptEffects = [], ...run }: PreparedRun,
  folder: string | null,
  state: State | null,
  name: string,
): Trusting => {
  if (state === null || trust === true) return { ok: true, off: new Set() };
  const brought = new Set("personas" in run ? run.personas.map(({ id }) => id) : []);
  const modules = runPaths(folder ?? "").modules;
  const agents = agentEffects(state, modules).filter(({ agent }) => !brought.has(agent));
  if (trust === false) return { ok: true, off: new Set(agents.map(({ agent }) => agent)) };
  const trusted = folder === null ? new Set() : trustedEffects(folder, env);
  const untrusted = [...keptEffects, ...agents.map(({ effect }) => effect)].filter(
    (effect) => !trusted.has(effect),
  );
  if (untrusted.length === 0) return { ok: true, off: new Set() };
  return { ...usersMistake(...untrustedLines(name, untrusted)), untrusted };
};

const EFFECTS_SHOWN = 20;

const untrustedLines = (name: string, effects: readonly string[]): readonly string[] => {
  const more = effects.length - EFFECTS_SHOWN;
  return [
    `${name} was not made by you on this machine, and reaches outside of its folder:`,
    ...effects.slice(0, EFFECTS_SHOWN).map((effect) => `  it ${printable(effect)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "--trust lets it do all of this; --no-trust continues it without these parts",
  ];
};

type Ready =
  | { readonly ok: true; readonly runner: SimulationRunner; readonly plan: RunPlan }
  | LaunchFailure;

/** @param state the state of the checkpoint `run.from`, or null if there is no checkpoint. */
const startIn = (
  folder: string,
  run: NewRun & Pick<RunPlan, "config" | "stopAtMs" | "off">,
  personas: readonly Persona[],
  state: State | null,
): Ready => {
  const { from, config } = run;
  const earlier = earlierCheckpoints(run);
  if (earlier !== null) return usersMistake(earlier);
  const omitted = new Set<string>([...personas.map(({ id }) => id), ...run.off]);
  const kept: ModuleNeeds = state === null ? new Map() : modulesIn(state, omitted);
  const source = run.sourceFolder ?? folder;
  copyModules(runPaths(source).modules, runPaths(folder).modules, kept);
  const needs = new Map([...needsOf(personas), ...kept]);
  const loaded = loadedModules(folder, needs, source, config.timeouts.module_s);
  if (!loaded.ok) return loaded;
  const { modules } = loaded;
  const plan = { ...run, folder, programsFolder: programsOf(folder, run), modules };
  if (from === null || state === null) return runnerFor(plan, null);
  const point = resumePointFrom(folder, config, { from, state });
  if (point.ok) return runnerFor(plan, point);
  modules.close();
  return failed(point.problem);
};

type Modules = { readonly ok: true; readonly modules: ModuleHost } | LaunchFailure;

/** Loads the modules of a run, whose copies should be in `source`. The caller must close them. */
const loadedModules = (
  folder: string,
  needs: ModuleNeeds,
  source: string,
  limitS: number,
): Modules => {
  const modules = new ModuleThread(limitS);
  const copies = runPaths(source).modules;
  const problems = moduleProblems(runPaths(folder).modules, { needs, source: copies, modules });
  if (problems.length === 0) return { ok: true, modules };
  modules.close();
  return usersMistake(...problems);
};

const resumeIn = (folder: string, run: ResumedRun): Ready => {
  const missing = run.config.policy.library === null ? null : missingLibrary(folder);
  if (missing !== null) return usersMistake(missing);
  const point = resumePointIn(folder, run.config);
  if (!point.ok) return failed(point.problem);
  const { state, journal, atMs } = point;
  const continued = { name: folder, earlier: null, state, journal };
  const { candidate } = candidateOf(run, [], continued, atMs);
  const { config, stopAtMs } = candidate;
  const problems = requestProblems(candidate);
  const trust =
    problems.length > 0 ? usersMistake(...problems) : trustIn(run, folder, state, folder);
  const off = trust.ok ? trust.off : new Set<Id>();
  const loaded = trust.ok
    ? loadedModules(folder, modulesIn(state, off), folder, config.timeouts.module_s)
    : trust;
  if (!loaded.ok) {
    journal.close();
    return loaded;
  }
  const { modules } = loaded;
  const unwritten = writeConfig(folder, config);
  if (unwritten !== null) {
    modules.close();
    journal.close();
    return failed(unwritten);
  }
  const programs = programsOf(folder, run);
  const own = { config, stopAtMs, programsFolder: programs, personas: [], modules, off };
  const plan = { ...run, ...own };
  return runnerFor(plan, point);
};

const runnerFor = (plan: RunPlan, point: ResumePoint | null): Ready => {
  const { config, env, note } = plan;
  for (const text of pythonNotes(config, { state: point?.state ?? null, env })) note?.(text);
  const started =
    point === null ? SimulationRunner.start(plan) : SimulationRunner.resume(plan, point);
  if (!started.ok) return failed(started.problem);
  for (const text of kindNotes(started.runner.world.state)) note?.(text);
  return { ok: true, runner: started.runner, plan };
};
