import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { ListenProblem } from "../../page/index.ts";
import { CliError, EXIT } from "./exit.ts";

/** Advice for a wrong port and for a wrong host. Each text names a flag of the verb. */
export type ListenFixes = { readonly port: string; readonly host: string };

export const listenError = ({ problem, wrong }: ListenProblem, fixes: ListenFixes): CliError =>
  new CliError(
    wrong === null ? problem : `${problem}; ${fixes[wrong]}`,
    wrong === "host" ? EXIT.wrongUsage : EXIT.couldNotRun,
  );

/** The first message of a thread with a server. */
export type FirstMessage =
  | { readonly kind: "started"; readonly address: string }
  | ({ readonly kind: "failed" } & ListenProblem);

type Started = { readonly thread: Worker; readonly address: string };

/**
 * Starts a thread that serves a run next to the thread of the run. `url` is a source file of ours.
 * @throws CliError if the server cannot listen.
 */
export const startServerThread = async (
  url: URL,
  { workerData, fixes }: { readonly workerData: object; readonly fixes: ListenFixes },
): Promise<Started> => {
  // The published package contains `.js` files instead of `.ts` files.
  const isSource = import.meta.url.endsWith(".ts");
  const file = isSource ? url : new URL(url.href.replace(/\.ts$/, ".js"));
  const thread = new Worker(file, { workerData, name: "server", execArgv: [] });
  const first = await new Promise<FirstMessage>((take, fail) => {
    thread.once("message", take);
    thread.once("error", fail);
  });
  if (first.kind === "started") return { thread, address: first.address };
  await thread.terminate();
  throw listenError(first, fixes);
};

const CLOSING_MS = 2_000;

/** Ends the thread after `close` has told it to. Waits a moment for its clients. */
export const endServerThread = async (thread: Worker, close: () => void): Promise<void> => {
  const closed = new Promise((resolve) => thread.once("exit", resolve));
  close();
  await Promise.race([closed, setTimeout(CLOSING_MS, undefined, { ref: false })]);
  await thread.terminate();
};
