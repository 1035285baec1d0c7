export {
  descriptionOf,
  eventSentence,
  kindsWith,
  type Landmark,
  type MarkKind,
  type OwnerOf,
  redactionOf,
} from "./describe/event-descriptions.ts";
export { LEFT_OUT, replacing } from "./describe/redacted-fields.ts";
export { EXPORT_TABLES, type ExportCounts, exportRun } from "./export/export-run.ts";
export {
  boolean as booleanColumn,
  type ExportColumns,
  type ExportRow,
  integer as integerColumn,
  orNull,
  real as realColumn,
  text as textColumn,
} from "./export/export-table.ts";
export { EXPORT_FORMATS, type ExportFormat, fileOpener } from "./export/table-file.ts";
export { contentPolicy } from "./files/content-policy.ts";
export { csvLine } from "./files/csv-line.ts";
export { fillFiles, naming, type OutputFile, writeFiles } from "./files/output-files.ts";
export {
  type CountedFrom,
  countedFrom,
  inSlices,
  type LogCall,
  LogEntry,
  LogFollower,
  readLogInSlices,
  rowAt,
  SLICE_MS,
  stateCountedFrom,
} from "./log/log.ts";
export { eventsOf } from "./log/past-events.ts";
export { type Activity, ActivityCounter } from "./metrics/activity.ts";
export { type BookLine, bookOf, linesIn, listIn } from "./metrics/contract-book.ts";
export {
  agentFigures,
  agentsIn,
  artifactNamed,
  economyOf,
  tradeSince,
  wealthIn,
} from "./metrics/economy.ts";
export { type GainsFromTrade, gainsText } from "./metrics/goods.ts";
export { type GroupFigures, groupsOf } from "./metrics/groups.ts";
export { type Jump, JumpCounter, keepLargest } from "./metrics/jumps.ts";
export { measureRun, newMeter, runFigures } from "./metrics/measure-run.ts";
export { ModelCallCounter, modelCallReport } from "./metrics/model-calls.ts";
export { movementIn, paidIn } from "./metrics/movement.ts";
export type { PriceChange } from "./metrics/price-index.ts";
export { agentStatus, BANKRUPT } from "./metrics/roster.ts";
export { type MeterSnapshot, RunMeter, UNCOUNTED } from "./metrics/run-meter.ts";
export { type KeyFigures, mostFrequent, type RunMetrics } from "./metrics/run-metrics.ts";
export { addTo, type LorenzPoint, sumOf } from "./metrics/statistics.ts";
export type { Timeline } from "./metrics/timeline.ts";
export { TradeGraph, type TradeNetwork } from "./metrics/trade-network.ts";
export {
  AgentHistories,
  type MomentListener,
  readAgentHistories,
} from "./moments/agent-histories.ts";
export type { AgentMoment } from "./moments/agent-moment.ts";
export { proseIn } from "./moments/iteration.ts";
export { type ArtifactThread, artifactThread, type Origin, originsOf } from "./moments/lineage.ts";
export { graphOf } from "./moments/moment-graph.ts";
export { MomentSearch, matching } from "./moments/moment-search.ts";
export { momentIds, type ShownMoment, shownMoments } from "./moments/shown-moment.ts";
export { type AgentOverTime, agentOverTime } from "./over-time/agent-over-time.ts";
export { type ArtifactOverTime, artifactOverTime } from "./over-time/artifact-over-time.ts";
export { type Span, samplesOf } from "./over-time/even-samples.ts";
export {
  type ExplainedJump,
  type RunJumps,
  runJumps,
  WEALTH_LINES,
} from "./over-time/explained-jumps.ts";
export {
  type Change,
  changesOf,
  type ExplainedMover,
  moversOf,
  type PeriodChanges,
  withEdits,
} from "./over-time/period-changes.ts";
export { type ArtifactReport, artifactReport } from "./report/artifact-report.ts";
export {
  COMPARED_MAX,
  type Compared,
  type Comparison,
  comparedFrom,
  compareRuns,
} from "./report/comparison.ts";
export {
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  labelledFigures,
  largestFirst,
  signedText,
  worldsText,
} from "./report/comparison-text.ts";
export { csvFiles } from "./report/csv-files.ts";
export {
  type MomentFigures,
  momentOf,
  overviewOf,
  type RunOverview,
} from "./report/run-overview.ts";
export {
  type EconomyReport,
  economyReport,
  fullReport,
  type Report,
  type ReportHeader,
  type RunReport,
  runReport,
} from "./report/run-report.ts";
export { mintReport, type StateReport, stateReport } from "./report/state-report.ts";
export type { Cause, ExplainedAction } from "./trail/cause.ts";
export {
  type MessageThread,
  type MessageThreads,
  messagesIn,
  type RunMessage,
  sentMessage,
  threadsOf,
} from "./trail/messages.ts";
export {
  isReceived,
  type MoneyTrail,
  moneyTrail,
  remainderOf,
  type Stream,
} from "./trail/money-trail.ts";
export {
  type ProposedAction,
  type ReviewedAction,
  type RunReviews,
  reviewsIn,
  type WaitingAction,
} from "./trail/reviews.ts";
export { THOUGHT_ENDS } from "./trail/thought-trail.ts";
export { type TranscriptMessage, transcriptOf } from "./trail/transcript.ts";
