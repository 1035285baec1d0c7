export { type ArtifactReport, artifactReport } from "./artifact-report.ts";
export { type Compared, type Comparison, comparedFrom, compareRuns } from "./comparison.ts";
export {
  countingText,
  differenceHeads,
  differencesIn,
  divergenceText,
  labelledFigures,
  signedText,
} from "./comparison-text.ts";
export { csvFiles } from "./csv-files.ts";
export {
  type Dashboard,
  type DashboardProblem,
  type LiveLink,
  type RunRecord,
  type RunStatus,
  type RunStore,
  startDashboard,
} from "./dashboard/index.ts";
export { agentsIn, economyOf, wealthIn } from "./economy.ts";
export {
  EXPORT_FORMATS,
  EXPORT_TABLES,
  type ExportCounts,
  type ExportFormat,
  exportRun,
  fileOpener,
} from "./export/index.ts";
export { htmlReport, type ReportHeader } from "./html-report.ts";
export { type Activity, ActivityCounter } from "./metrics/activity.ts";
export type { GroupFigures } from "./metrics/groups.ts";
export { countedFrom, measureRun, newMeter, runFigures } from "./metrics/measure-run.ts";
export { agentStatus } from "./metrics/roster.ts";
export { RunMeter } from "./metrics/run-meter.ts";
export type { CountedFrom, RunMetrics } from "./metrics/run-metrics.ts";
export { PAGE_NAMES, pageBundle } from "./page-bundle.ts";
export {
  type EconomyReport,
  type Ending,
  economyReport,
  fullReport,
  modelCallReport,
  type Report,
  type RunReport,
  runReport,
} from "./run-report.ts";
export { type StateReport, stateReport } from "./state-report.ts";
export type { Cause, ExplainedAction } from "./trail/cause.ts";
export { type MoneyTrail, moneyTrail } from "./trail/money-trail.ts";
export { remainderOf } from "./trail/streams.ts";
