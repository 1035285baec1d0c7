import { type QueueWorker, RUN_RESULTS, type WorkerEvent } from "../../experiment/index.ts";
import {
  type ListenPlace,
  openMetricSet,
  startMonitor,
  WORKER_METRICS,
} from "../../observe/index.ts";
import type { RedisConnection } from "../../queue/index.ts";
import { counted } from "../../wording.ts";
import { listenError } from "../server-thread.ts";
import { METRICS_FIXES } from "./run-monitor.ts";

type Watched = {
  readonly worker: QueueWorker;
  readonly connection: RedisConnection;
  readonly name: string;
  readonly slots: number;
  readonly version: string;
};

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
  watched: Watched,
): Promise<WorkerMonitor> => {
  const { worker, connection, name, slots, version } = watched;
  const metrics = await openMetricSet(WORKER_METRICS, { ofProcess: true });
  let isDraining = false;
  const isConnected = (): boolean => connection.client.status === "ready";
  metrics.set("about", 1, { worker: name, version });
  metrics.set("slots", slots);
  for (const result of RUN_RESULTS) metrics.set("runs", 0, { result });
  const started = await startMonitor(place, {
    metrics: () => {
      metrics.set("running", worker.active);
      metrics.set("connected", Number(isConnected()));
      metrics.set("draining", Number(isDraining));
      return metrics.text();
    },
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
    onEvent: ({ result, wallS, isTakenOver }) => {
      if (result === "began") {
        if (isTakenOver) metrics.add("takenOver");
        return;
      }
      metrics.add("runs", { result });
      if (result === "done" && wallS !== null) metrics.observe("seconds", wallS);
    },
    draining: () => {
      isDraining = true;
    },
    close: started.monitor.close,
  };
};
