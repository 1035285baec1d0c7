/**
 * The public API of the package `catallaxy`, for programs that run simulations or read their data.
 *
 * `startRun` creates a run with defaults, and `Launch` gives full control. A wrong setting or a
 * full disk is returned as a problem, not thrown. docs/embedding.md has an example.
 */
import { pid } from "node:process";
import type { Environment } from "./model/index.ts";
import {
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  newRunId,
  programsFolder,
  readSchedule,
  SHIPPED,
  showProblem,
} from "./run/index.ts";
import { packageVersion } from "./text/index.ts";
import type { MindEvent } from "./tools/index.ts";

/** The results of `sim experiment --json`, and what a measure of your own gets and is. */
export type { ExperimentResult, MeasuredRun, Trajectory, UserMeasure } from "./experiment/index.ts";
export type {
  Action,
  Agent,
  Artifact,
  Command,
  Event,
  EventKind,
  EventOf,
  Id,
  Json,
  Physics,
  Proposal,
  Refusal,
  ReviewDecision,
  State,
  View,
} from "./kernel/index.ts";
/**
 * The kernel. `decide` turns a command into events or a refusal, and `evolve` applies an event.
 * `waitingProposals` lists the actions that wait for a reviewer.
 */
export { decide, emptyState, evolve, waitingProposals } from "./kernel/index.ts";
export type { MemoryStore } from "./memory/index.ts";
export type {
  Decided,
  DecideInput,
  Mind,
  Thought,
  UserAttribute,
  UserCommand,
  UserDecision,
  UserMind,
  UserPlugin,
  UserPluginText,
  UserTool,
} from "./mind/index.ts";
export type { Model } from "./model/index.ts";
export {
  type Config,
  type ControlAnswer,
  type ControlClient,
  connectToRun,
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  type NewRunRequest,
  newRunId,
  type Operator,
  type OperatorCommand,
  type Persona,
  type Problem,
  type ResumeRequest,
  type RunRequest,
  type RunResult,
  runPaths,
  type SeatClient,
  type SeatLook,
  type SeatOutcome,
  SHIPPED,
  SimulationRunner,
  STOP_REASONS,
  type StopReason,
  showProblem,
  takeSeat,
} from "./run/index.ts";
export type { MindEvent } from "./tools/index.ts";
/** Reads the events of a run from its journal, and restores the state after any event. */
export {
  type Clock,
  decodeEvent,
  Journal,
  type JournalRow,
  restore,
  stateHash,
  World,
} from "./world/index.ts";

export type RunOptions = {
  /** The parent folder for the run's own folder. */
  readonly out: string;
  /** The path of a `config.yaml` (default: the shipped configuration). */
  readonly config?: string;
  /** Configuration values by dotted key, such as `{ "run.seed": 7 }`. They override `config`. */
  readonly settings?: { readonly [key: string]: unknown };
  /** The folders of the personas (default: the shipped population without language models). */
  readonly agents?: string | readonly string[];
  /** The name of the run (default: made from the date and time). */
  readonly runId?: string;
  /** Environment variables with the API keys of model providers (default: no keys). */
  readonly env?: Environment;
  /** Follows what agents with tools say and do. */
  readonly onMindEvent?: (event: MindEvent) => void;
};

/** Creates a world in a new folder. For all events, follow `launch.runner` before `launch.run`. */
export const startRun = (options: RunOptions): Launched => {
  const { out, config: file = null, settings = {}, env = {}, onMindEvent } = options;
  const flags = Object.entries(settings).map(([key, value]) => ({ key, value, origin: key }));
  const loaded = loadConfig({ file, sets: [], flags });
  if (!loaded.ok)
    return { ok: false, problems: loaded.problems.map(showProblem), isUsersMistake: true };
  const { config } = loaded;
  const found = loadPersonas({
    dirs: [options.agents ?? SHIPPED.agents].flat(),
    seed: config.run.seed,
    only: config.agents.only,
  });
  if (!found.ok)
    return { ok: false, problems: found.problems.map(showProblem), isUsersMistake: true };
  const { personas } = found;
  const planned = readSchedule({
    opened: { ...loaded, file },
    kept: null,
    flags: 0,
    present: personas,
    personas: { seed: config.run.seed },
  });
  if (!planned.ok)
    return { ok: false, problems: planned.problems.map(showProblem), isUsersMistake: true };
  const startedAt = new Date();
  return Launch.start({
    config: planned.config,
    schedule: planned.schedule,
    env,
    ...(onMindEvent === undefined ? {} : { onMindEvent }),
    out,
    startedAt,
    personas,
    runId: options.runId ?? newRunId(startedAt, Math.random),
    pid,
    programsFolder: programsFolder({ ...loaded, file }),
    version: packageVersion(),
    checkpoints: null,
    additionalS: null,
    stopAfterS: null,
    from: null,
    replay: null,
  });
};
