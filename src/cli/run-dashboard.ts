import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Launch } from "../runner/index.ts";
import type { DashboardStart, FromDashboard, ToDashboard } from "./dashboard-messages.ts";
import { type DashboardCures, dashboardProblem } from "./dashboard-problem.ts";
import { type ConfigFlags, openConfig } from "./open-config.ts";
import type { DashboardFlag } from "./run-flags.ts";
import type { Shell } from "./shell.ts";
import { showInBrowser } from "./show-in-browser.ts";

/** The dashboard of the run that this process carries out. */
export type RunDashboard = {
  /** Shows this run, and lets whoever has the address control it. */
  readonly show: (launch: Launch) => void;
  /** On a terminal: stays until somebody ends it, so that one can look when the run is over. */
  readonly linger: () => Promise<void>;
};

const CURES: DashboardCures = {
  port: "choose another with --dashboard <port>",
  host: "try --set dashboard.host=127.0.0.1",
};

/** So long the thread may take to end by itself. */
const CLOSING_MS = 2_000;

type Flags = ConfigFlags & DashboardFlag & { readonly out: string };

/**
 * Does its work with a dashboard beside it, if one is wanted, in a thread of its own: so that
 * nobody who looks slows the run. It is there before anything else is done; where it cannot be,
 * nothing is.
 */
export const withDashboard = async (
  flags: Flags,
  shell: Shell,
  work: (dashboard: RunDashboard | null) => Promise<void>,
): Promise<void> => {
  if (flags.dashboard === undefined) return await work(null);
  const { config } = openConfig(flags);
  const { host, port, open } = config.dashboard;
  const thread = await startThread({
    host,
    port: flags.dashboard === true ? port : flags.dashboard,
    out: resolve(shell.cwd, flags.out),
  });
  try {
    await work(dashboardOn(thread, { open }, shell));
  } finally {
    const over = new Promise((resolve) => thread.once("exit", resolve));
    tell(thread, { kind: "close" });
    // It tells those who look on first; a thread that hangs is ended all the same.
    await Promise.race([over, setTimeout(CLOSING_MS, undefined, { ref: false })]);
    await thread.terminate();
  }
};

const tell = (thread: Worker, message: ToDashboard): void => thread.postMessage(message);

const startThread = async (start: DashboardStart): Promise<Worker> => {
  const source = new URL("./dashboard-worker.ts", import.meta.url);
  // The package has it compiled.
  const isSource = import.meta.url.endsWith(".ts");
  const url = isSource ? source : new URL(source.href.replace(/\.ts$/, ".js"));
  const thread = new Worker(url, { workerData: start, name: "dashboard", execArgv: [] });
  const first = await new Promise<FromDashboard>((take, fail) => {
    thread.once("message", take);
    thread.once("error", fail);
  });
  if (first.kind !== "failed") return thread;
  await thread.terminate();
  throw dashboardProblem(first, CURES);
};

const dashboardOn = (
  thread: Worker,
  { open }: { readonly open: boolean },
  shell: Shell,
): RunDashboard => {
  const { output } = shell;
  let address = "";
  const show = ({ runner, directory }: Launch): void => {
    const operator = runner.attend();
    operator.onPace((pace) => tell(thread, { kind: "pace", pace }));
    thread.on("message", (message: FromDashboard) => {
      if (message.kind === "order") {
        const { id, order } = message;
        void operator.carryOut(order).then((outcome) => {
          tell(thread, { kind: "outcome", id, outcome });
        });
      } else if (message.kind === "shown") {
        address = message.address;
        output.notice(`dashboard at ${address}`);
        if (open && output.isTerminal) showInBrowser(address, shell.env);
      }
    });
    thread.on("error", (error) => output.problem(`the dashboard has ended: ${error.message}`));
    tell(thread, { kind: "run", runId: directory.runId, folder: directory.folder });
  };
  const linger = async (): Promise<void> => {
    if (!output.isTerminal) return;
    output.note(`the dashboard stays at ${address}; Ctrl-C ends it`);
    const over = Promise.withResolvers<void>();
    const unlisten = shell.onSignal(() => over.resolve());
    await over.promise;
    unlisten();
  };
  return { show, linger };
};
