export { type Dashboard, type LiveLink, runStore, startDashboard } from "./dashboard/index.ts";
export { pageBundle, SCRIPT_NAMES } from "./html/page-bundle.ts";
export { htmlReport } from "./html/page-document.ts";
export {
  type MetricTable,
  metricsText,
  RUN_METRICS,
  RunWatch,
  startMonitor,
  WORKER_METRICS,
} from "./monitoring/index.ts";
export {
  INDEX,
  type PublishedPages,
  pageOfRuns,
  pagesOfExperiment,
} from "./published/pages.ts";
export { type PublishedRun, REDACTIONS, type Redaction } from "./published/publication.ts";
export { removeEarlierPages } from "./published/publish.ts";
export { redactedExperiment } from "./published/redacted-experiment.ts";
export type { ListenPlace, ListenProblem } from "./serving/index.ts";
