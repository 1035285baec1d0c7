import { join, resolve } from "node:path";
import { type RecordedCall, type Recording, readCalls } from "../../model/index.ts";
import {
  type Config,
  checkMemories,
  type FlagValue,
  ineffectiveSettings,
  Launch,
  type Launched,
  type LaunchFailure,
  loadConfig,
  loadPersonas,
  missingLibrary,
  newRunId,
  type OpenConfig,
  openSharedLimits,
  type Persona,
  programsFolder,
  type RunRequest,
  readSchedule,
  type ScheduledSets,
  SHIPPED,
  showProblem,
} from "../../run/index.ts";
import { packageVersion } from "../../text/index.ts";
import type { Checkpoint } from "../../world/index.ts";
import { CliError, EXIT } from "../exit.ts";
import { configFrom, keptConfig, personaSource } from "../flags.ts";
import type { Shell } from "../shell.ts";
import { checkpointsIn, openRun, type Source } from "./open-run.ts";
import { type RunFlags, valuesOf } from "./run-flags.ts";

/** The parts of a run request that do not depend on how the run starts. */
export const requestFor = (
  config: Config,
  flags: Pick<RunFlags, "stopAfter" | "dashboard" | "label" | "out"> & {
    readonly programs?: string;
  },
  shell: Shell,
): RunRequest => ({
  config,
  pid: shell.pid,
  programsFolder: flags.programs ?? SHIPPED.programs,
  version: packageVersion(),
  labels: flags.label ?? [],
  additionalS: null,
  stopAfterS: flags.stopAfter ?? null,
  startedAt: new Date(),
  env: shell.env,
  replay: null,
  isWatched: flags.dashboard !== undefined,
  note: (text) => shell.output.note(`note: ${text}`),
  checkpoints: resolve(shell.cwd, checkpointsIn(flags.out, config)),
});

/** A run that can begin. @throws CliError that says why it cannot. */
export const launchOf = async (launched: Launched): Promise<Launch> => {
  if (!launched.ok) throw errorOf(launched);
  const { launch } = launched;
  const failure = (await openSharedLimits(launch)) ?? (await checkMemories(launch));
  if (failure !== null) throw errorOf(failure);
  return launch;
};

const errorOf = ({ problems, isUsersMistake }: LaunchFailure): CliError =>
  new CliError(problems, isUsersMistake ? EXIT.wrongUsage : EXIT.couldNotRun);

export const personasFor = (
  opened: OpenConfig,
  only: readonly string[],
  { output }: Shell,
): readonly Persona[] => {
  const loaded = loadPersonas({ ...personaSource(opened), only });
  if (!loaded.ok) throw new CliError(loaded.problems.map(showProblem));
  for (const warning of loaded.personas.flatMap(({ warnings }) => warnings)) {
    output.note(`note: ${showProblem(warning)}`);
  }
  return loaded.personas;
};

type Continued = {
  /** The name of the configuration that the run continues, or null for a new world. */
  readonly kept: string | null;
  /** The personas that the run starts with. */
  readonly present: readonly Persona[];
  readonly scheduled: readonly ScheduledSets[];
};

/** Reads the schedule of a run. @throws CliError that lists every problem of its files. */
export const planFor = (opened: OpenConfig, { kept, present, scheduled }: Continued) => {
  const { dirs: _dirs, ...personas } = personaSource(opened);
  const flags = scheduled.length;
  const planned = readSchedule({ opened, kept, flags, present, personas });
  if (!planned.ok) throw new CliError(planned.problems.map(showProblem));
  return planned;
};

/** The source run's clock, which overrides `--config`. Empty if `--set` sets a clock. */
const clockOf = ({ run: { clock } }: Checkpoint, { set }: RunFlags): readonly FlagValue[] =>
  set.some((each) => each.startsWith("run.clock="))
    ? []
    : [{ key: "run.clock", value: clock, origin: "the source" }];

type Continuation = {
  readonly flags: RunFlags;
  readonly scheduled?: readonly ScheduledSets[];
  readonly replay: Recording | null;
};

/**
 * Launches a new run from a checkpoint. The flags change the configuration of the checkpoint. Each
 * persona in `--agents` replaces the agent with the same id, or joins the world as a new agent.
 */
export const startFrom = async (
  { checkpoint: from, folder: sourceFolder, earlier }: Source,
  { flags, scheduled = [], replay }: Continuation,
  shell: Shell,
): Promise<Launch> => {
  if (flags.estimate === true) {
    throw new CliError(
      "--estimate works only for a new world; omit it with --from and in `sim fork`",
    );
  }
  if (flags.only !== undefined && flags.agents === undefined) {
    throw new CliError("--only selects agents from --agents; give --agents too, or omit --only");
  }
  const kept = keptConfig(from);
  const file = flags.config ?? null;
  const { duration, ...others } = flags;
  const asked = valuesOf(others);
  const given = file === null ? asked : [...clockOf(from, flags), ...asked];
  const loaded = configFrom({ kept, file, sets: flags.set, scheduled, flags: given });
  const only = flags.only === undefined ? [] : loaded.config.agents.only;
  const brings = flags.agents !== undefined;
  const own = withSourceLibrary({ ...loaded, file }, kept.origin, sourceFolder);
  const opened = earlier === null ? withoutKeptPython(own, kept.origin) : own;
  const personas = brings ? personasFor(opened, only, shell) : [];
  const planned = planFor(opened, { kept: kept.origin, scheduled, present: personas });
  const { config } = planned;
  const request = requestFor(config, { ...flags, programs: programsFolder(opened) }, shell);
  const launch = await launchOf(
    Launch.start({
      ...request,
      schedule: planned.schedule,
      additionalS: duration ?? null,
      personas,
      out: flags.out,
      runId: flags.name ?? newRunId(request.startedAt, Math.random),
      from,
      earlier,
      sourceFolder,
      replay,
    }),
  );
  // `before` lacks only --config and --set, so only these two flags can cause a warning.
  const before = loadConfig({ kept, file: null, sets: [], flags: given });
  const late = before.ok ? ineffectiveSettings(before.config, config, { brings }) : [];
  for (const text of late) shell.output.note(`warning: ${text}`);
  return launch;
};

/**
 * A library that the source run has copied is in the folder of this run.
 * @throws CliError if the library is missing there, as for a checkpoint file without its run.
 */
export const withSourceLibrary = (opened: OpenConfig, kept: string, folder: string): OpenConfig => {
  const { config, origins } = opened;
  const { library } = config.policy;
  if (library === null || origins.get("policy.library") !== kept) return opened;
  const missing = missingLibrary(folder);
  if (missing !== null) throw new CliError(missing);
  const policy = { ...config.policy, library: join(folder, library) };
  return { ...opened, config: { ...config, policy } };
};

/** A checkpoint file may come from others, so it cannot allow code outside the sandbox. */
const withoutKeptPython = (opened: OpenConfig, kept: string): OpenConfig =>
  opened.origins.get("tools.python") === kept
    ? { ...opened, config: { ...opened.config, tools: { python: false } } }
    : opened;

/** The recorded model calls of a run. @throws CliError if there are none, or one is damaged. */
export const recordedCalls = (run: string, out: string): readonly RecordedCall[] => {
  const { journal } = openRun(run, out);
  const reads = [...readCalls(journal.modelCalls())];
  journal.close();
  const calls = reads.map((read) => {
    if (read.ok) return read.call;
    throw new CliError(`record ${read.id} of run ${run} is damaged: ${read.problem}`);
  });
  if (calls.length > 0) return calls;
  throw new CliError(`run ${run} has no recorded model calls; omit --replay-models`);
};
