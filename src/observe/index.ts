export { type ArtifactReport, artifactReport } from "./artifact-report.ts";
export { type Compared, type Comparison, comparedFrom, compareRuns } from "./comparison.ts";
export {
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  labelledFigures,
  signedText,
} from "./comparison-text.ts";
export { csvFiles } from "./csv-files.ts";
export {
  type Dashboard,
  type LiveLink,
  startDashboard,
} from "./dashboard/index.ts";
export { agentsIn, economyOf, wealthIn } from "./economy.ts";
export type {
  BandRow,
  Contrast,
  ExperimentResult,
  Factors,
  FactorValue,
  Interval,
  MeasureResult,
  RunRow,
  Summary,
  Trajectory,
  Warning,
} from "./experiment/result.ts";
export { resultFile, savedResult } from "./experiment/result-file.ts";
export type {
  CellProgress,
  ExperimentState,
  FigureCurves,
  FollowedExperiment,
  ShownExperiment,
  ShownFinding,
  ShownProgress,
  Trajectories,
} from "./experiment/shown-experiment.ts";
export {
  booleanColumn,
  EXPORT_FORMATS,
  EXPORT_TABLES,
  type ExportColumns,
  type ExportCounts,
  type ExportFormat,
  type ExportRow,
  exportRun,
  fileOpener,
  integerColumn,
  orNull,
  realColumn,
  textColumn,
} from "./export/index.ts";
export { contentPolicy } from "./html/content-policy.ts";
export { htmlReport } from "./html/html-report.ts";
export { pageBundle, SCRIPT_NAMES } from "./html/page-bundle.ts";
export { type Activity, ActivityCounter } from "./metrics/activity.ts";
export { type GainsFromTrade, gainsText } from "./metrics/gains/gains-from-trade.ts";
export { type GroupFigures, groupsOf } from "./metrics/groups.ts";
export { countedFrom, measureRun, newMeter, runFigures } from "./metrics/measure-run.ts";
export { agentStatus } from "./metrics/roster.ts";
export { RunMeter } from "./metrics/run-meter.ts";
export { type CountedFrom, mostFrequent, type RunMetrics } from "./metrics/run-metrics.ts";
export { proseIn } from "./moments/iteration.ts";
export type { LifeMoment } from "./moments/life-moment.ts";
export { type LedTo, ledTo } from "./moments/lineage.ts";
export type { Lives } from "./moments/lives.ts";
export { graphOf } from "./moments/moment-graph.ts";
export { MomentSearch, matching } from "./moments/moment-search.ts";
export { readLives } from "./moments/read-lives.ts";
export { momentIds, type ShownMoment, shownMoments } from "./moments/shown-moment.ts";
export {
  type Metric,
  type MetricTable,
  type Monitored,
  type MonitorStarted,
  metricsText,
  RUN_METRICS,
  RunWatch,
  type Sample,
  startMonitor,
  WORKER_METRICS,
} from "./monitoring/index.ts";
export { fillFiles, naming, type OutputFile, writeFiles } from "./output-files.ts";
export { INDEX_FROM_RUN, removeEarlierPages } from "./published/earlier-pages.ts";
export type { Publication, PublishedRun, Redaction } from "./published/publication.ts";
export { REDACTIONS } from "./published/publication.ts";
export { publishedPage, publishedRun } from "./published/publish.ts";
export { redactedExperiment } from "./published/redacted-experiment.ts";
export { redactedRecord } from "./published/redaction.ts";
export type { RunRecord, RunStatus, RunStore, RunSummary } from "./routes/index.ts";
export { runSummary } from "./routes/index.ts";
export {
  type EconomyReport,
  economyReport,
  fullReport,
  modelCallReport,
  type Report,
  type ReportHeader,
  type RunReport,
  runReport,
} from "./run-report.ts";
export type { Listening, ListenPlace, ListenProblem } from "./serving/index.ts";
export { type StateReport, stateReport } from "./state-report.ts";
export type { Cause, ExplainedAction } from "./trail/cause.ts";
export { type MoneyTrail, moneyTrail } from "./trail/money-trail.ts";
export { messagesIn, type RunMessage, sentMessage } from "./trail/run-messages.ts";
export { isReceived, remainderOf } from "./trail/streams.ts";
export { type TranscriptMessage, transcriptOf } from "./trail/transcript.ts";
