import type { Journal } from "../../world/index.ts";
import type { ListenPlace } from "../serving/index.ts";
import type { Monitored, MonitorStarted } from "./monitor.ts";
import type { RunWatch, WatchedRun } from "./run-watch.ts";

export { type Metric, type MetricSet, type MetricTable, openMetricSet } from "./metric-set.ts";
export { RUN_METRICS, RUN_PROCESS_METRICS, WORKER_METRICS } from "./metric-tables.ts";
export type { Monitored, MonitorStarted } from "./monitor.ts";
export type { RunWatch, WatchedRun } from "./run-watch.ts";

// The modules of both are loaded at their start, because other commands do not need them.

/** Follows the journal of a run, which is open for reading. The caller closes it. */
export const watchRun = async (journal: Journal, run: WatchedRun): Promise<RunWatch> =>
  (await import("./run-watch.ts")).RunWatch.open(journal, run);

/** Serves what is said of a process. Returns a problem if the server cannot listen. */
export const startMonitor = async (
  place: ListenPlace,
  monitored: Monitored,
): Promise<MonitorStarted> => (await import("./monitor.ts")).startMonitor(place, monitored);
