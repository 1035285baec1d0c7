import { type QueueWorker, RUN_RESULTS, type WorkerEvent } from "../../experiment/index.ts";
import { type ListenPlace, metricsText, startMonitor, WORKER_METRICS } from "../../page/index.ts";
import type { RedisConnection } from "../../scale/index.ts";
import { counted } from "../../text/index.ts";
import { listenError } from "../core/server-thread.ts";
import { METRICS_FIXES } from "./run-monitor.ts";

/** The server of `--metrics` for a worker. */
export type WorkerMonitor = {
  /** The URL of the server, with a slash at the end. */
  readonly address: string;
  readonly onEvent: (event: WorkerEvent) => void;
  /** The worker was told to stop. */
  readonly draining: () => void;
  readonly close: () => Promise<void>;
};

/** @throws CliError if the server cannot listen. */
export const openWorkerMonitor = async (
  place: ListenPlace,
  worker: QueueWorker,
  connection: RedisConnection,
): Promise<WorkerMonitor> => {
  const ended = new Map<WorkerEvent["result"], number>(RUN_RESULTS.map((result) => [result, 0]));
  let isDraining = false;
  const isConnected = (): boolean => connection.client.status === "ready";
  const started = await startMonitor(place, {
    metrics: () =>
      metricsText(WORKER_METRICS, {
        running: worker.active,
        runs: [...ended].map(([result, value]) => ({ value, labels: { result } })),
        connected: Number(isConnected()),
        memory: process.memoryUsage.rss(),
      }),
    whyNotAlive: async () => null,
    whyNotReady: () => {
      if (isDraining) return `draining: ${counted(worker.active, "run")} in progress`;
      if (!isConnected()) return `lost the connection to ${connection.address.shown}`;
      return worker.isTaking ? null : "does not take runs yet";
    },
  });
  if (!started.ok) throw listenError(started, METRICS_FIXES);
  return {
    address: started.monitor.url,
    onEvent: ({ result }) => {
      if (result !== "began") ended.set(result, (ended.get(result) ?? 0) + 1);
    },
    draining: () => {
      isDraining = true;
    },
    close: started.monitor.close,
  };
};
