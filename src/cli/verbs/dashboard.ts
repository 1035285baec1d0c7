import { basename, resolve } from "node:path";
import { startDashboard } from "../../observe/index.ts";
import { type DashboardFixes, dashboardError } from "../dashboard/messages.ts";
import { showInBrowser } from "../dashboard/run-dashboard.ts";
import { exitCodeOf } from "../exit.ts";
import {
  addConfigFlags,
  type ConfigFlags,
  openConfig,
  port,
  RUN_HELP,
  RUNS_FOLDER,
} from "../flags.ts";
import { findRun } from "../run/open-run.ts";
import { runStore } from "../run/run-store.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";

type Flags = ConfigFlags & {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly out: string;
};

const FIXES: DashboardFixes = { port: "choose another with --port", host: "try --host 127.0.0.1" };

export const register: Register = (command, shell) => {
  const run = `${RUN_HELP} (default: all runs)`;
  addConfigFlags(command.argument("[run]", run))
    .option("--port <port>", "port to listen on (default: any free port)", port)
    .option("--host <host>", "address to listen on (default: 127.0.0.1)")
    .option("--no-open", "do not open a browser")
    .option("--out <dir>", "folder that holds all runs", RUNS_FOLDER);
  withExamples(command, ["sim dashboard latest", "sim dashboard --port 4000 --no-open"]);
  command.action(async (run: string | undefined, flags: Flags) => {
    const { dashboard: settings } = openConfig(flags, [
      { key: "dashboard.port", value: flags.port, origin: "--port" },
      { key: "dashboard.host", value: flags.host, origin: "--host" },
    ]).config;
    const folder = run === undefined ? null : resolve(findRun(run, flags.out));
    const started = await startDashboard({
      host: settings.host,
      port: settings.port,
      store: runStore(resolve(shell.cwd, flags.out), folder),
      live: null,
    });
    if (!started.ok) throw dashboardError(started, FIXES);
    const { dashboard } = started;
    const address = dashboard.addressOf(folder === null ? null : basename(folder));
    shell.output.line(`dashboard at ${address}`);
    shell.output.note("press Ctrl-C to stop it");
    if (flags.open && settings.open && shell.output.isTerminal) showInBrowser(address, shell.env);
    await untilStopped(shell);
    await dashboard.close();
  });
};

const untilStopped = (shell: Shell): Promise<void> =>
  new Promise((stop) => {
    const unlisten = shell.onSignal((signal) => {
      shell.endWith(exitCodeOf(signal));
      unlisten();
      stop();
    });
  });
