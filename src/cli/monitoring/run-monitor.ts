import type { ListenPlace } from "../../page/index.ts";
import type { Launch } from "../../run/index.ts";
import { endServerThread, type FirstMessage, startServerThread } from "../core/server-thread.ts";
import type { Shell } from "../core/shell.ts";

/** What the thread of the run tells the thread of the monitor. */
export type ToMonitor =
  | { readonly kind: "run"; readonly folder: string; readonly models: readonly string[] }
  /** The run is alive. */
  | { readonly kind: "answer" }
  | { readonly kind: "ending" }
  | { readonly kind: "close" };

export type FromMonitor =
  | FirstMessage
  /** Asks whether the run is alive. */
  | { readonly kind: "ask" };

/** The server of `--metrics` for one run. */
export type RunMonitor = {
  readonly show: (launch: Launch) => void;
  /** From now on, the run is not ready. */
  readonly ending: () => void;
  readonly close: () => Promise<void>;
};

/** What to change if a place of `--metrics` is wrong. */
export const METRICS_FIXES = {
  port: "choose another with --metrics",
  host: "try --metrics with a port only",
} as const;

/**
 * Starts the server before the run exists, so that a wrong port leaves no run behind. It has a
 * thread of its own: it reads the journal there, and answers also while the run computes.
 */
export const openRunMonitor = async (
  place: ListenPlace | undefined,
  { output }: Shell,
): Promise<RunMonitor | null> => {
  if (place === undefined) return null;
  const url = new URL("./monitor-thread.ts", import.meta.url);
  const { thread, address } = await startServerThread(url, {
    workerData: place,
    fixes: METRICS_FIXES,
  });
  output.note(`metrics at ${address}metrics`);
  const send = (message: ToMonitor): void => thread.postMessage(message);
  return {
    show: ({ directory, config }) => {
      thread.on("message", ({ kind }: FromMonitor) => {
        if (kind === "ask") send({ kind: "answer" });
      });
      const { default_model, pricing } = config.llm;
      const ofAgents = config.agents.defaults.llm_model ?? default_model;
      const models = [default_model, ofAgents, ...Object.keys(pricing)];
      send({ kind: "run", folder: directory.folder, models });
    },
    ending: () => send({ kind: "ending" }),
    close: () => endServerThread(thread, () => send({ kind: "close" })),
  };
};
