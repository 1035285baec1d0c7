import { basename, resolve } from "node:path";
import { startDashboard } from "../../observe/index.ts";
import { type DashboardCures, dashboardProblem } from "../dashboard-problem.ts";
import { exitCodeOf } from "../exit-code.ts";
import { findRun } from "../find-run.ts";
import { port } from "../flag-values.ts";
import { addConfigFlags, type ConfigFlags, openConfig } from "../open-config.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { shelfOf } from "../shelf-of.ts";
import { type Register, type Shell, withExamples } from "../shell.ts";
import { showInBrowser } from "../show-in-browser.ts";

type Flags = ConfigFlags & {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly out: string;
};

const CURES: DashboardCures = {
  port: "choose another with --port",
  host: "try --host 127.0.0.1",
};

/** `sim dashboard`: runs in a browser; those of other processes too, as they go on. */
export const register: Register = (command, shell) => {
  withExamples(
    addConfigFlags(
      command.argument("[run]", "run id, unique prefix, path, or latest; default: all runs"),
    )
      .option("--port <port>", "the port to listen on (default: any that is free)", port)
      .option("--host <host>", "the address to listen on (default: 127.0.0.1)")
      .option("--no-open", "do not show it in a browser")
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER),
    ["sim dashboard latest", "sim dashboard --port 4000 --no-open"],
  ).action(async (run: string | undefined, flags: Flags) => {
    const { dashboard: settings } = openConfig(flags, [
      { key: "dashboard.port", value: flags.port, origin: "--port" },
      { key: "dashboard.host", value: flags.host, origin: "--host" },
    ]).config;
    const folder = run === undefined ? null : findRun(run, flags.out);
    const started = await startDashboard({
      host: settings.host,
      port: settings.port,
      shelf: shelfOf(resolve(shell.cwd, flags.out), folder === null ? null : resolve(folder)),
      live: null,
    });
    if (!started.ok) throw dashboardProblem(started, CURES);
    const { dashboard } = started;
    const address = dashboard.addressOf(folder === null ? null : basename(resolve(folder)));
    shell.output.line(`dashboard at ${address}`);
    shell.output.note("it goes on until Ctrl-C");
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
