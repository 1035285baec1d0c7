import { join, resolve } from "node:path";
import { type RecordedCall, type Recording, readCalls } from "../../mind/index.ts";
import { packageVersion } from "../../package-root.ts";
import {
  type Config,
  type FlagValue,
  ineffectiveSettings,
  Launch,
  type Launched,
  loadConfig,
  loadPersonas,
  missingLibrary,
  newRunId,
  type OpenConfig,
  type Persona,
  programsFolder,
  type RunRequest,
  SHIPPED,
  showProblem,
} from "../../runner/index.ts";
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

export const launchOf = (launched: Launched): Launch => {
  if (launched.ok) return launched.launch;
  throw new CliError(
    launched.problems,
    launched.isUsersMistake ? EXIT.wrongUsage : EXIT.couldNotRun,
  );
};

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

/** The source run's clock, which overrides `--config`. Empty if `--set` sets a clock. */
const clockOf = ({ run: { clock } }: Checkpoint, { set }: RunFlags): readonly FlagValue[] =>
  set.some((each) => each.startsWith("run.clock="))
    ? []
    : [{ key: "run.clock", value: clock, origin: "the source" }];

/**
 * Launches a new run from a checkpoint. The flags change the configuration of the checkpoint. Each
 * persona in `--agents` replaces the agent with the same id, or joins the world as a new agent.
 */
export const startFrom = (
  { checkpoint: from, folder: sourceFolder, earlier }: Source,
  { flags, replay }: { readonly flags: RunFlags; readonly replay: Recording | null },
  shell: Shell,
): Launch => {
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
  const loaded = configFrom({ kept, file, sets: flags.set, flags: given });
  const { config } = loaded;
  const only = flags.only === undefined ? [] : config.agents.only;
  const brings = flags.agents !== undefined;
  const opened = withSourceLibrary({ ...loaded, file }, kept.origin, sourceFolder);
  const personas = brings ? personasFor(opened, only, shell) : [];
  const request = requestFor(config, { ...flags, programs: programsFolder(opened) }, shell);
  const launch = launchOf(
    Launch.start({
      ...request,
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
const withSourceLibrary = (opened: OpenConfig, kept: string, folder: string): OpenConfig => {
  const { config, origins } = opened;
  const { library } = config.policy;
  if (library === null || origins.get("policy.library") !== kept) return opened;
  const missing = missingLibrary(folder);
  if (missing !== null) throw new CliError(missing);
  const policy = { ...config.policy, library: join(folder, library) };
  return { ...opened, config: { ...config, policy } };
};

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
