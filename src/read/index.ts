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
export { csvLine, fillFiles, naming, type OutputFile, writeFiles } from "./files/output-files.ts";
export {
  type CountedFrom,
  countedFrom,
  eventsOf,
  inSlices,
  type LogCall,
  LogEntry,
  LogFollower,
  readLogInSlices,
  rowAt,
  SLICE_MS,
  stateCountedFrom,
} from "./log/log.ts";
export { type Activity, ActivityCounter } from "./metrics/activity.ts";
export {
  agentFigures,
  agentsIn,
  artifactNamed,
  economyOf,
  tradeSince,
  wealthIn,
} from "./metrics/economy.ts";
export {
  type BookLine,
  bookOf,
  type GainsFromTrade,
  gainsText,
  linesIn,
  listIn,
} from "./metrics/goods.ts";
export { ModelCallCounter, modelCallReport } from "./metrics/model-calls.ts";
export { type Jump, JumpCounter, keepLargest, movementIn, paidIn } from "./metrics/movement.ts";
export type { PriceChange } from "./metrics/price-index.ts";
export { agentStatus, BANKRUPT } from "./metrics/roster.ts";
export {
  type MeterSnapshot,
  measureRun,
  newMeter,
  RunMeter,
  runFigures,
  UNCOUNTED,
} from "./metrics/run-meter.ts";
export {
  type GroupFigures,
  groupsOf,
  type KeyFigures,
  mostFrequent,
  type RunMetrics,
} from "./metrics/run-metrics.ts";
export { addTo, type LorenzPoint, sumOf } from "./metrics/statistics.ts";
export type { Timeline } from "./metrics/timeline.ts";
export { TradeGraph, type TradeNetwork } from "./metrics/trade.ts";
export {
  AgentHistories,
  type MomentListener,
  readAgentHistories,
} from "./moments/agent-histories.ts";
export type { AgentMoment } from "./moments/agent-moment.ts";
export { proseIn } from "./moments/iteration.ts";
export { type ArtifactThread, artifactThread, type Origin, originsOf } from "./moments/lineage.ts";
export { MomentSearch, matching } from "./moments/moment-search.ts";
export { graphOf, momentIds, type ShownMoment, shownMoments } from "./moments/shown-moment.ts";
export {
  type AgentOverTime,
  type ArtifactOverTime,
  agentOverTime,
  artifactOverTime,
  type ExplainedJump,
  type RunJumps,
  runJumps,
  type Span,
  samplesOf,
  WEALTH_LINES,
} from "./over-time/over-time.ts";
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
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  labelledFigures,
  largestFirst,
  signedText,
  worldsText,
} from "./report/comparison.ts";
export { csvFiles } from "./report/csv-files.ts";
export {
  type EconomyReport,
  economyReport,
  fullReport,
  type MomentFigures,
  momentOf,
  overviewOf,
  type Report,
  type ReportHeader,
  type RunOverview,
  type RunReport,
  runReport,
} from "./report/run-report.ts";
export { mintReport, type StateReport, stateReport } from "./report/state-report.ts";
export {
  type MessageThread,
  type MessageThreads,
  messagesIn,
  type RunMessage,
  sentMessage,
  threadsOf,
} from "./trail/messages.ts";
export {
  type Cause,
  type ExplainedAction,
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
