import { spawn } from "node:child_process";
import { platform } from "node:os";
import { resolve } from "node:path";
import type { Worker } from "node:worker_threads";
import type { Launch } from "../../run/index.ts";
import { type ConfigFlags, openConfig } from "../core/flags.ts";
import type { ExecutionFlags } from "../core/run-flags.ts";
import { endServerThread, type ListenFixes, startServerThread } from "../core/server-thread.ts";
import type { Shell } from "../core/shell.ts";
import type { DashboardStart, FromDashboard, ToDashboard } from "./dashboard-worker.ts";

export type RunDashboard = {
  /** Shows the run of `launch` in the dashboard. Anyone with the address can control the run. */
  readonly show: (launch: Launch) => void;
  /** If stdout is a terminal, keeps the dashboard open until the user presses Ctrl-C. */
  readonly linger: () => Promise<void>;
};

const FIXES: ListenFixes = {
  port: "choose another with --dashboard <port>",
  host: "try --set dashboard.host=127.0.0.1",
};

/** Starts a dashboard if the flags ask for one, then calls `work`. Throws if the start fails. */
export const withDashboard = async (
  flags: ConfigFlags & ExecutionFlags,
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
    await endServerThread(thread, () => send(thread, { kind: "close" }));
  }
};

const send = (thread: Worker, message: ToDashboard): void => thread.postMessage(message);

const startThread = async (workerData: DashboardStart): Promise<Worker> => {
  const url = new URL("./dashboard-worker.ts", import.meta.url);
  return (await startServerThread(url, { workerData, fixes: FIXES })).thread;
};

const dashboardOn = (
  thread: Worker,
  { open }: { readonly open: boolean },
  shell: Shell,
): RunDashboard => {
  const { output } = shell;
  let address = "";
  const show = ({ runner, directory }: Launch): void => {
    const operator = runner.operate();
    operator.onPace((pace) => send(thread, { kind: "pace", pace }));
    thread.on("message", (message: FromDashboard) => {
      if (message.kind === "command") {
        const { id, command } = message;
        void operator.execute(command).then((outcome) => {
          send(thread, { kind: "outcome", id, outcome });
        });
      } else if (message.kind === "shown") {
        address = message.address;
        output.notice(`dashboard at ${address}`);
        if (open && output.isTerminal) showInBrowser(address, shell.env);
      }
    });
    thread.on("error", (error) => output.problem(`the dashboard has stopped: ${error.message}`));
    send(thread, { kind: "run", runId: directory.runId, folder: directory.folder });
  };
  const linger = async (): Promise<void> => {
    if (!output.isTerminal) return;
    output.note(`the dashboard stays open at ${address}; press Ctrl-C to close it`);
    const closed = Promise.withResolvers<void>();
    const unlisten = shell.onSignal(() => closed.resolve());
    await closed.promise;
    unlisten();
  };
  return { show, linger };
};

/** The program that opens a browser on macOS and on Windows. On other platforms: `xdg-open`. */
const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Tries to open an address in a browser. Ignores failures, because the address is also printed. */
export const showInBrowser = (address: string, env: Shell["env"]): void => {
  const [program = "xdg-open", ...args] = OPENERS[platform()] ?? [];
  const hasScreen = platform() in OPENERS || [env.DISPLAY, env.WAYLAND_DISPLAY].some(Boolean);
  if (!hasScreen) return;
  const opening = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  opening.on("error", () => {});
  opening.unref();
};
