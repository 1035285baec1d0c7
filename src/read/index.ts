export { type ArtifactReport, artifactReport } from "./artifact-report.ts";
export { type Compared, type Comparison, comparedFrom, compareRuns } from "./comparison.ts";
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
} from "./comparison-text.ts";
export { contentPolicy } from "./content-policy.ts";
export { csvFiles } from "./csv-files.ts";
export { csvLine } from "./csv-line.ts";
export {
  agentFigures,
  agentsIn,
  artifactNamed,
  economyOf,
  tradeSince,
  wealthIn,
} from "./economy.ts";
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
export { type AgentHistory, agentHistory } from "./history/agent-history.ts";
export { type ArtifactHistory, artifactHistory } from "./history/artifact-history.ts";
export { type Span, samplesOf } from "./history/even-samples.ts";
export {
  type Change,
  changesOf,
  type ExplainedMover,
  moversOf,
  type PeriodChanges,
  withEdits,
} from "./history/period-changes.ts";
export { type RunJumps, runJumps, type ToldJump } from "./history/told-jumps.ts";
export { inSlices, SLICE_MS } from "./in-slices.ts";
export { type Activity, ActivityCounter } from "./metrics/activity.ts";
export { type BookLine, bookOf, linesIn, listIn } from "./metrics/book.ts";
export { type GainsFromTrade, gainsText } from "./metrics/gains/gains-from-trade.ts";
export { type GroupFigures, groupsOf } from "./metrics/groups.ts";
export {
  COUNTED_ROWS,
  countedFrom,
  measureRun,
  newMeter,
  runFigures,
  stateCountedFrom,
} from "./metrics/measure-run.ts";
export { ModelCallCounter } from "./metrics/model-call-counter.ts";
export { type Jump, JumpCounter, keepLargest } from "./metrics/money/jumps.ts";
export type { PriceChange } from "./metrics/money/price-index.ts";
export { agentStatus, BANKRUPT } from "./metrics/roster.ts";
export { type MeterSnapshot, RunMeter } from "./metrics/run-meter.ts";
export {
  type CountedFrom,
  type KeyFigures,
  mostFrequent,
  type RunMetrics,
} from "./metrics/run-metrics.ts";
export { addTo, type LorenzPoint, sumOf } from "./metrics/statistics.ts";
export type { Timeline } from "./metrics/timeline.ts";
export {
  type TradeEdge,
  TradeGraph,
  type TradeNetwork,
  type TradeNode,
} from "./metrics/trade-network.ts";
export { type ArtifactThread, artifactThread } from "./moments/artifact-thread.ts";
export { proseIn } from "./moments/iteration.ts";
export type { LifeMoment } from "./moments/life-moment.ts";
export { type LedTo, ledTo } from "./moments/lineage.ts";
export { Lives } from "./moments/lives.ts";
export { graphOf } from "./moments/moment-graph.ts";
export { MomentSearch, matching } from "./moments/moment-search.ts";
export { readLives } from "./moments/read-lives.ts";
export { momentIds, type ShownMoment, shownMoments } from "./moments/shown-moment.ts";
export { fillFiles, naming, type OutputFile, writeFiles } from "./output-files.ts";
export { type MomentFigures, momentOf, overviewOf, type RunOverview } from "./run-overview.ts";
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
export { COMPARED_MAX, WEALTH_LINES } from "./shown-limits.ts";
export { mintReport, type StateReport, stateReport } from "./state-report.ts";
export type { Cause, ExplainedAction } from "./trail/cause.ts";
export { eventSentence } from "./trail/event-sentence.ts";
export { type MessageThread, type MessageThreads, threadsOf } from "./trail/message-threads.ts";
export { type MoneyTrail, moneyTrail } from "./trail/money-trail.ts";
export { movementIn, paidIn } from "./trail/movement.ts";
export { eventsOf } from "./trail/past-events.ts";
export { messagesIn, type RunMessage, sentMessage } from "./trail/run-messages.ts";
export {
  type ProposedAction,
  type ReviewedAction,
  type RunReviews,
  reviewsIn,
  type WaitingAction,
} from "./trail/run-reviews.ts";
export { isReceived, remainderOf, type Stream } from "./trail/streams.ts";
export { THOUGHT_ENDS } from "./trail/thought-trail.ts";
export { type TranscriptMessage, transcriptOf } from "./trail/transcript.ts";
