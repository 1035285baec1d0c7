import { basename, dirname, join, resolve } from "node:path";
import { type Dashboard, runStore, startDashboard } from "../../page/index.ts";
import { findRun, RUNS_FOLDER, runFolders } from "../../run/index.ts";
import { seatToken } from "../../seats/index.ts";
import { CliError, EXIT, exitCodeOf } from "../core/exit.ts";
import { addConfigFlags, type ConfigFlags, openConfig, port, RUN_HELP } from "../core/flags.ts";
import { type ListenFixes, listenError } from "../core/server-thread.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";
import { showInBrowser } from "../dashboard/run-dashboard.ts";
import { findExperiment } from "../experiment/find-experiment.ts";
import { controlError } from "../run/live-run.ts";

type Flags = ConfigFlags & {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly out: string;
  readonly seat?: string;
};

const FIXES: ListenFixes = { port: "choose another with --port", host: "try --host 127.0.0.1" };

export const register: Register = (command, shell) => {
  const run = `${RUN_HELP}; or an experiment, by its folder or its name (default: all runs)`;
  addConfigFlags(command.argument("[run]", run))
    .option("--port <port>", "port to listen on (default: any free port)", port)
    .option("--host <host>", "address to listen on (default: 127.0.0.1)")
    .option("--seat <name>", "the page on which a person plays this seat of the run")
    .option("--no-open", "do not open a browser")
    .option("--out <dir>", "folder that holds all runs", RUNS_FOLDER);
  withExamples(command, [
    "sim dashboard latest",
    "sim dashboard --port 4000 --no-open",
    "sim dashboard latest --seat ada",
    "sim dashboard results/redistribution",
  ]);
  command.action(async (run: string | undefined, flags: Flags) => {
    const { dashboard: settings } = openConfig(flags, [
      { key: "dashboard.port", value: flags.port, origin: "--port" },
      { key: "dashboard.host", value: flags.host, origin: "--host" },
    ]).config;
    const experiment = run === undefined ? null : experimentAt(run, flags.out);
    const isOfRun = run !== undefined && experiment === null;
    const folder = isOfRun ? resolve(findRun(run, flags.out)) : null;
    const made = experiment ?? experimentOf(folder);
    const out = made === null ? flags.out : join(made, RUNS_FOLDER);
    const seat = flags.seat === undefined ? null : seatIn(folder, flags.seat);
    const started = await startDashboard({
      host: settings.host,
      port: settings.port,
      store: runStore(resolve(shell.cwd, out), folder),
      live: null,
      // A player must not see more than the agent does.
      isPrivate: seat !== null,
    });
    if (!started.ok) throw listenError(started, FIXES);
    const { dashboard } = started;
    const runId = folder === null ? null : basename(folder);
    const address =
      experiment === null ? addressOf(dashboard, runId, seat) : dashboard.experimentAddress();
    shell.output.line(`dashboard at ${address}`);
    shell.output.note("press Ctrl-C to stop it");
    if (flags.open && settings.open && shell.output.isTerminal) showInBrowser(address, shell.env);
    await untilStopped(shell);
    await dashboard.close();
  });
};

/** The folder of the experiment, or null. The id of a run takes precedence. */
const experimentAt = (given: string, out: string): string | null => {
  if (runFolders(out).some((folder) => basename(folder) === given)) return null;
  return findExperiment(given)?.folder ?? null;
};

/** The folder of the experiment that made a run, or null. */
const experimentOf = (run: string | null): string | null => {
  if (run === null || basename(dirname(run)) !== RUNS_FOLDER) return null;
  return findExperiment(dirname(dirname(run)))?.folder ?? null;
};

type Seat = Parameters<Dashboard["seatAddressOf"]>[1];

const addressOf = (dashboard: Dashboard, runId: string | null, seat: Seat | null): string =>
  runId === null || seat === null
    ? dashboard.addressOf(runId)
    : dashboard.seatAddressOf(runId, seat);

/** @throws CliError if no run is given, or if it has no such seat. */
const seatIn = (folder: string | null, agent: string) => {
  if (folder === null) {
    throw new CliError(`--seat needs a run: sim dashboard RUN --seat ${agent}`, EXIT.wrongUsage);
  }
  const given = seatToken(folder, agent);
  if (!given.ok) throw controlError(given);
  return { agent, token: given.token };
};

const untilStopped = (shell: Shell): Promise<void> =>
  new Promise((stop) => {
    const unlisten = shell.onSignal((signal) => {
      shell.endWith(exitCodeOf(signal));
      unlisten();
      stop();
    });
  });
