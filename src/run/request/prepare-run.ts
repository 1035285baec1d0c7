import { dirname, join, resolve } from "node:path";
import type { RecordedCall, Recording } from "../../model/index.ts";
import { packageVersion } from "../../text/index.ts";
import type { Checkpoint } from "../../world/index.ts";
import {
  type Config,
  type ConfigSources,
  type FlagValue,
  loadConfig,
  type OpenConfig,
  programsFolder,
  RunFailure,
  SHIPPED,
  settingEffects,
  showProblem,
} from "../config/index.ts";
import type { NewRun, PreparedRun, ResumedRun, RunHost } from "../core/run-plan.ts";
import { findRun, isFile, readRun } from "../files/find-run.ts";
import {
  checkpointsIn,
  openSource,
  recordedCalls,
  type Source,
  savedConfig,
} from "../files/open-run.ts";
import { LIBRARY, missingLibrary, newRunId, runPaths } from "../files/run-files.ts";
import { ineffectiveSettings } from "../files/run-settings.ts";
import type { Persona } from "../persona/persona.ts";
import { readSchedule } from "../schedule/read-schedule.ts";
import { type Launched, launchRun } from "./launch.ts";
import { configFrom, personaSource, personasFor } from "./read-files.ts";
import type { RunRequest } from "./run-request.ts";

/** What the files of a request say, before the run starts. */
export type ReadRequest = {
  readonly run: PreparedRun;
  /** The personas of the agents that join the world at the start. */
  readonly personas: readonly Persona[];
  /** The configuration as the user wrote it, with the source of each value. */
  readonly opened: OpenConfig;
  /** The settings of the user that change nothing in a forked world, one line each. */
  readonly warnings: readonly string[];
};

/**
 * Reads all files that a request names: configuration, personas, schedule, source and recording.
 * @throws RunFailure that lists what is wrong with them.
 */
export const prepareRun = async (request: RunRequest, host: RunHost): Promise<ReadRequest> => {
  switch (request.start.kind) {
    case "new":
      return prepareNew(request, host);
    case "fork": {
      const { source: name, at } = request.start;
      const source = await openSource(name, { out: request.out, at });
      const recorded = isFile(name) ? source.checkpoint.run.id : name;
      return prepareFork(source, recorded, request, host);
    }
    case "resume":
      return prepareResume(request.start.run, request, host);
  }
};

/** Reads a request and launches its run. */
export const launchRequest = async (request: RunRequest, host: RunHost): Promise<Launched> => {
  try {
    return await launchRun((await prepareRun(request, host)).run);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    return { ok: false, problems: error.lines, isUsersMistake: error.isUsersMistake };
  }
};

const prepareNew = (request: RunRequest, host: RunHost): ReadRequest => {
  const opened = openedFrom(request, {});
  const personas = personasFor(opened, opened.config.agents.only, host.note);
  const planned = planFor(opened, null, { request, present: personas });
  const common = commonOf(request, host, planned.config);
  const run: NewRun = {
    ...common,
    programsFolder: programsFolder(opened),
    schedule: planned.schedule,
    personas,
    out: request.out,
    runId: request.name ?? newRunId(common.startedAt, Math.random),
    from: null,
    replay: replayOf(request, null, ""),
  };
  return { run, personas, opened, warnings: [] };
};

const prepareFork = (
  { checkpoint: from, folder: sourceFolder, earlier }: Source,
  /** The run whose recording is replayed, if the request names none. */
  recorded: string,
  request: RunRequest,
  host: RunHost,
): ReadRequest => {
  if (request.only !== undefined && request.agents === undefined) {
    throw new RunFailure("--only selects agents from --agents; give --agents too, or omit --only");
  }
  const origin = `the configuration of ${from.run.id}`;
  const kept = { origin, text: from.config, isForeign: request.trust === false };
  const { durationS, ...others } = request;
  // The clock of the source overrides that of a configuration file.
  const setsClock =
    request.config === undefined ||
    request.sets?.some((each) => each.startsWith("run.clock=")) === true;
  const clock = { key: "run.clock", value: from.run.clock, origin: "the source" };
  const settings = [...(setsClock ? [] : [clock]), ...(request.settings ?? [])];
  const asked = { ...others, settings };
  const opened = withSourceLibrary(openedFrom(asked, { kept }), kept.origin, sourceFolder);
  const only = request.only === undefined ? [] : opened.config.agents.only;
  const brings = request.agents !== undefined;
  const personas = brings ? personasFor(opened, only, host.note) : [];
  const planned = planFor(opened, kept.origin, { request, present: personas });
  const common = commonOf(request, host, planned.config);
  const run: NewRun = {
    ...common,
    programsFolder: programsFolder(opened),
    schedule: planned.schedule,
    additionalS: durationS ?? null,
    personas,
    out: request.out,
    runId: request.name ?? newRunId(common.startedAt, Math.random),
    from,
    earlier,
    sourceFolder,
    keptEffects: keptEffects(opened, kept.origin),
    replay: replayOf(request, from, recorded),
  };
  // `before` lacks only the configuration file and `--set`, so only these can cause a warning.
  const before = loadConfig({ kept, file: null, sets: [], flags: fieldsOf(asked) });
  const warnings = before.ok ? ineffectiveSettings(before.config, planned.config, { brings }) : [];
  return { run, personas, opened, warnings };
};

const prepareResume = (name: string, request: RunRequest, host: RunHost): ReadRequest => {
  const folder = findRun(name, request.out);
  const origin = runPaths(folder).config;
  const kept = { origin, text: savedConfig(folder), isForeign: request.trust === false };
  const { durationS, ...others } = request;
  const loaded = openedFrom(others, { kept });
  const opened = withSourceLibrary(loaded, kept.origin, folder);
  const planned = planFor(opened, kept.origin, { request, present: [] });
  const read = readRun(folder);
  // The saved configuration names the run's copy of the library by its path in the folder.
  const config = { ...planned.config, policy: loaded.config.policy };
  const common = commonOf({ ...request, out: dirname(folder) }, host, config);
  const run: ResumedRun = {
    ...common,
    schedule: planned.schedule,
    additionalS: durationS ?? null,
    folder,
    keptEffects: keptEffects(loaded, kept.origin),
    ...(read.ok
      ? {
          labels: read.record.labels,
          startedAt: new Date(read.record.started_at),
          parent: read.origin,
        }
      : { labels: [], parent: null }),
  };
  return { run, personas: [], opened, warnings: [] };
};

const commonOf = (request: RunRequest, host: RunHost, config: Config) => ({
  ...host,
  config,
  programsFolder: SHIPPED.programs,
  version: packageVersion(),
  labels: request.labels ?? [],
  additionalS: null,
  stopAfterS: request.stopAfterS ?? null,
  startedAt: new Date(),
  replay: null,
  trust: request.trust,
  isWatched: request.isWatched ?? false,
  checkpoints: resolve(checkpointsIn(request.out, config)),
});

const openedFrom = (request: RunRequest, source: Pick<ConfigSources, "kept">): OpenConfig => {
  const { config: file = null, sets = [], later = [] } = request;
  const flags = fieldsOf(request);
  return { ...configFrom({ ...source, file, sets, scheduled: later, flags }), file };
};

/** The values of the settings and of the fields that name one setting, as layers. */
const fieldsOf = (request: RunRequest): readonly FlagValue[] => [
  ...(request.settings ?? []),
  { key: "run.duration_s", value: request.durationS, origin: "--duration" },
  { key: "run.seed", value: request.seed, origin: "--seed" },
  { key: "run.clock", value: request.clock, origin: "--clock" },
  { key: "run.max_actions", value: request.maxActions, origin: "--max-actions" },
  { key: "llm.default_model", value: request.model, origin: "--model" },
  // Otherwise a file that sets this key would hide the flag from the agents.
  {
    key: "agents.defaults.llm_model",
    value: request.model === undefined ? undefined : null,
    origin: "--model",
  },
  { key: "budget.max_api_cost_usd", value: request.maxCostUsd, origin: "--max-cost" },
  { key: "agents.dir", value: request.agents, origin: "--agents" },
  { key: "agents.only", value: request.only, origin: "--only" },
];

/** Reads the schedule of a run. @throws RunFailure that lists every problem of its files. */
const planFor = (
  opened: OpenConfig,
  /** The name of the configuration that the run continues, or null for a new world. */
  kept: string | null,
  { request, present }: { readonly request: RunRequest; readonly present: readonly Persona[] },
) => {
  const { dirs: _dirs, ...personas } = personaSource(opened);
  const flags = request.later?.length ?? 0;
  const planned = readSchedule({ opened, kept, flags, present, personas });
  if (!planned.ok) throw new RunFailure(planned.problems.map(showProblem));
  return planned;
};

/**
 * A library that the source run has copied is in the folder of this run.
 * @throws RunFailure if the library is missing there, as for a checkpoint file without its run.
 */
const withSourceLibrary = (opened: OpenConfig, kept: string, folder: string): OpenConfig => {
  const { config, origins } = opened;
  const { library } = config.policy;
  if (library === null || origins.get("policy.library") !== kept) return opened;
  if (library !== LIBRARY) {
    throw new RunFailure(`${kept}: \`policy.library\` must be ${LIBRARY}, the run's own copy`);
  }
  const missing = missingLibrary(folder);
  if (missing !== null) throw new RunFailure(missing);
  const policy = { ...config.policy, library: join(folder, library) };
  return { ...opened, config: { ...config, policy } };
};

/** What the settings cause that come from the world that the run continues. */
const keptEffects = ({ config, origins }: OpenConfig, kept: string): readonly string[] =>
  settingEffects(config, (key) => origins.get(key) === kept);

/** The recording to replay. Calls outside of it fail, so no API key is needed, or ask the model. */
const replayOf = (
  { replay, out }: RunRequest,
  from: Checkpoint | null,
  source: string,
): Recording | null => {
  if (replay === undefined) return null;
  const { run = source, otherwise } = replay;
  const calls = recordedCalls(run, out);
  if (otherwise === "ask" && from !== null) return { calls: laterCalls(calls, from), otherwise };
  const read = readRun(findRun(run, out));
  return { calls, otherwise, inOrder: read.ok && read.about.run.clock === "wall" };
};

/** The calls after the moment of a checkpoint, and those of thoughts that were open then. */
const laterCalls = (calls: readonly RecordedCall[], from: Checkpoint): readonly RecordedCall[] => {
  const open = new Map(from.thoughts.map(({ agent, view }) => [agent, view.now]));
  return calls.filter(({ atMs, request: { agent } }) => {
    return atMs >= from.atMs || (agent !== null && open.get(agent) === atMs);
  });
};
