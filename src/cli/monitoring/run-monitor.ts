import type { Worker } from "node:worker_threads";
import {
  type ListenPlace,
  type MetricSet,
  openMetricSet,
  RUN_PROCESS_METRICS,
  type WatchedRun,
} from "../../observe/index.ts";
import { packageVersion } from "../../package-root.ts";
import type { Launch } from "../../runner/index.ts";
import { endServerThread, type FirstMessage, startServerThread } from "../server-thread.ts";
import type { Shell } from "../shell.ts";

/** What the thread of the run tells the thread of the monitor. */
export type ToMonitor =
  | { readonly kind: "run"; readonly folder: string; readonly about: WatchedRun }
  /** The metrics of the process, for the scrape of this number. */
  | { readonly kind: "text"; readonly scrape: number; readonly text: string }
  | { readonly kind: "ending" }
  | { readonly kind: "close" };

export type FromMonitor =
  | FirstMessage
  /** Asks for the metrics of the process. An answer also shows that the run is alive. */
  | { readonly kind: "scrape"; readonly scrape: number };

/** The server of `--metrics` for one run. */
export type RunMonitor = {
  readonly show: (launch: Launch) => void;
  /** From now on, the run is not ready. */
  readonly ending: () => void;
  readonly close: () => Promise<void>;
};

type ProcessMetrics = MetricSet<keyof typeof RUN_PROCESS_METRICS>;

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
  const metrics = await openMetricSet(RUN_PROCESS_METRICS, { ofProcess: true });
  output.note(`metrics at ${address}metrics`);
  const send = (message: ToMonitor): void => thread.postMessage(message);
  return {
    show: (launch) => {
      answerScrapes(thread, { launch, metrics });
      send({ kind: "run", folder: launch.directory.folder, about: aboutOf(launch) });
    },
    ending: () => send({ kind: "ending" }),
    close: () => endServerThread(thread, () => send({ kind: "close" })),
  };
};

const aboutOf = ({ directory, seed, clock, config }: Launch): WatchedRun => {
  const { default_model, pricing } = config.llm;
  const ofAgents = config.agents.defaults.llm_model;
  const models = [default_model, ...(ofAgents === null ? [] : [ofAgents]), ...Object.keys(pricing)];
  return { run: directory.runId, seed, clock, version: packageVersion(), models };
};

type Asked = { readonly launch: Launch; readonly metrics: ProcessMetrics };

const answerScrapes = (thread: Worker, { launch: { runner }, metrics }: Asked): void => {
  const startedAtMs = performance.now();
  const { fromMs, stopAtMs } = runner.span;
  thread.on("message", async (message: FromMonitor) => {
    if (message.kind !== "scrape") return;
    const elapsedMs = Math.max(1, performance.now() - startedAtMs);
    const { inProgress, waiting } = runner.thoughts();
    metrics.set("thinking", inProgress);
    metrics.set("waiting", waiting);
    metrics.set("factor", (runner.clock.now() - fromMs) / elapsedMs);
    metrics.set("stop", stopAtMs / 1_000);
    const answer: ToMonitor = { kind: "text", scrape: message.scrape, text: await metrics.text() };
    thread.postMessage(answer);
  });
};
