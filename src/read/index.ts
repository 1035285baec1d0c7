export {
  dashesOf,
  drawLines,
  type LineSpec,
  linePicture,
  lineTable,
  placeAt,
  rankedPlaces,
  type Series,
  spanOf,
  toneOf,
  valueTexts,
} from "./charts/line-picture.ts";
export {
  type Colour,
  darkStyle,
  headOf,
  joinedPictures,
  PALETTE_STYLE,
  type Picture,
  paperColour,
  pathOf,
  rectanglePath,
  type Shape,
  STYLES,
  svgText,
  TONES,
  toneAt,
} from "./charts/picture.ts";
export {
  axisOf,
  barsOf,
  type Mark,
  type RowsSpec,
  rowsPicture,
  rowsTable,
} from "./charts/rows-picture.ts";
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
export { mintReport, type StateReport, stateReport } from "./report/state-report.ts";
export {
  type MessageThread,
  type MessageThreads,
  messagesIn,
  type RunMessage,
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
