/**
 * The public API of the package `catallaxy`, for programs that run simulations or read their data.
 *
 * `startRun` creates a run with defaults, and `launchRequest` does all that `sim` can. A wrong setting or a
 * full disk is returned as a problem, not thrown. docs/embedding.md has an example.
 */
import { pid } from "node:process";
import { codingAgentFeature, TURN_METHODS } from "./coding-agents/index.ts";
import type { Environment } from "./model/index.ts";
import {
  type ControlClient as ControlClientOf,
  connectToRun as connectWith,
  type Launched,
  launchRequest as launchWith,
  OPERATOR_METHODS,
  type RunFeature,
  type RunHost,
  type RunRequest,
  SHIPPED,
} from "./run/index.ts";
import { SEAT_METHODS, seatFeature } from "./seats/index.ts";
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
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  type NewRun,
  newRunId,
  type Operator,
  type OperatorCommand,
  type Persona,
  type Problem,
  type ResumedRun,
  type RunHost,
  type RunRequest,
  type RunResult,
  runPaths,
  SHIPPED,
  SimulationRunner,
  STOP_REASONS,
  type StopReason,
  showProblem,
} from "./run/index.ts";
export { type SeatClient, type SeatLook, type SeatOutcome, takeSeat } from "./seats/index.ts";
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

/** All that takes part in runs. `Launch.start` and `Launch.resume` get it as `features`. */
export const FEATURES: readonly RunFeature[] = [seatFeature, codingAgentFeature];

const METHODS = { ...OPERATOR_METHODS, ...SEAT_METHODS, ...TURN_METHODS };

/** A connection to a live run, for all methods of the control channel. */
export type ControlClient = ControlClientOf<typeof METHODS>;

/**
 * Connects to the live run in `folder`. The failure `not_running` names the cure, `no_answer` the
 * process that runs it.
 */
export const connectToRun = (folder: string) => connectWith(folder, METHODS);

/** Reads a request and launches its run. */
export const launchRequest = (
  request: RunRequest,
  host: Omit<RunHost, "features">,
): Promise<Launched> => launchWith(request, { ...host, features: FEATURES });

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
export const startRun = async (options: RunOptions): Promise<Launched> => {
  const { settings = {}, env = {}, onMindEvent } = options;
  const request: RunRequest = {
    start: { kind: "new" },
    out: options.out,
    name: options.runId,
    config: options.config,
    settings: Object.entries(settings).map(([key, value]) => ({ key, value, origin: key })),
    agents: [options.agents ?? SHIPPED.agents].flat(),
  };
  const host = { env, pid, ...(onMindEvent === undefined ? {} : { onMindEvent }) };
  return launchRequest(request, host);
};
