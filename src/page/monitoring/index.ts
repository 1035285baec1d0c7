import type { ListenPlace } from "../serving/index.ts";
import type { Monitored, MonitorStarted } from "./monitor.ts";

export { type MetricTable, metricsText, RUN_METRICS, WORKER_METRICS } from "./metrics.ts";
export { RunWatch } from "./run-watch.ts";

/** Serves what is said of a process. Loads the server here, because few commands need it. */
export const startMonitor = async (
  place: ListenPlace,
  monitored: Monitored,
): Promise<MonitorStarted> => (await import("./monitor.ts")).startMonitor(place, monitored);
