export { type Dashboard, type LiveLink, startDashboard } from "./dashboard/index.ts";
export { htmlReport } from "./html/html-report.ts";
export { pageBundle, SCRIPT_NAMES } from "./html/page-bundle.ts";
export {
  type MetricTable,
  metricsText,
  RUN_METRICS,
  RunWatch,
  startMonitor,
  WORKER_METRICS,
} from "./monitoring/index.ts";
export { type PublishedRun, REDACTIONS, type Redaction } from "./published/publication.ts";
export {
  INDEX_FROM_RUN,
  publishedPage,
  publishedRun,
  removeEarlierPages,
} from "./published/publish.ts";
export { redactedExperiment } from "./published/redacted-experiment.ts";
export { redactedRecord } from "./published/redaction.ts";
export { type RunStore, type RunSummary, runSummary } from "./routes/index.ts";
export type { ListenPlace, ListenProblem } from "./serving/index.ts";
