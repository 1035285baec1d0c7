/**
 * The package `catallaxy`: what a program needs to run simulations and to read them.
 *
 * `startRun` starts a run with defaults, and `Launch` gives full control. Problems are values:
 * nothing here throws for a wrong setting or a full disk. docs/embedding.md has an example.
 */
import { pid } from "node:process";
import type { Environment } from "./mind/index.ts";
import { packageVersion } from "./package-root.ts";
import {
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  newRunId,
  SHIPPED,
  showProblem,
} from "./runner/index.ts";

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
  Refusal,
  State,
  View,
} from "./kernel/index.ts";
/** The kernel: `decide` turns a command into events or a refusal, `evolve` applies an event. */
export { decide, emptyState, evolve } from "./kernel/index.ts";
/** The ports of an agent: how it decides, what it remembers, and the model it calls. */
export type { Decided, MemoryStore, Mind, Model, Thought } from "./mind/index.ts";
export {
  type Config,
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
  SHIPPED,
  SimulationRunner,
  STOP_REASONS,
  type StopReason,
  showProblem,
} from "./runner/index.ts";
/** The journal of a run: read its events, and restore the state at any of them. */
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
  /** The folder in which the folder of the run is made. */
  readonly out: string;
  /** A `config.yaml`; without it, the shipped defaults apply. */
  readonly config?: string;
  /** Single values, as `sim run --set` takes them: `{ "run.seed": 7 }`. */
  readonly settings?: { readonly [key: string]: unknown };
  /** The folder of the personas (default: the shipped population without language models). */
  readonly agents?: string;
  /** The name of the run (default: made from the date and time). */
  readonly runId?: string;
  /** Holds the API keys of model providers, as `process.env` does (default: no keys). */
  readonly env?: Environment;
};

/**
 * Creates a new world in a new folder. Call `launch.run()` to run it to its end; before that,
 * `launch.runner.follow` subscribes to its events.
 */
export const startRun = (options: RunOptions): Launched => {
  const { out, config: file = null, settings = {}, env = {} } = options;
  const flags = Object.entries(settings).map(([key, value]) => ({ key, value, origin: key }));
  const loaded = loadConfig({ file, sets: [], flags });
  if (!loaded.ok) return { ok: false, problems: loaded.problems.map(showProblem), mistaken: true };
  const { config } = loaded;
  const found = loadPersonas(options.agents ?? SHIPPED.agents, { only: config.agents.only });
  if (!found.ok) return { ok: false, problems: found.problems.map(showProblem), mistaken: true };
  const startedAt = new Date();
  return Launch.start({
    config,
    env,
    out,
    startedAt,
    personas: found.personas,
    runId: options.runId ?? newRunId(startedAt, Math.random),
    pid,
    programsFolder: SHIPPED.programs,
    version: packageVersion(),
    checkpoints: null,
    furtherS: null,
    stopAfterS: null,
    from: null,
    replay: null,
  });
};
