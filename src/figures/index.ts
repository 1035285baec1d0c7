export {
  descriptionOf,
  eventSentence,
  kindsWith,
  type Landmark,
  type MarkKind,
  type Narrative,
  type OwnerOf,
  redactionOf,
  threadNarrative,
} from "./describe/event-descriptions.ts";
export { LEFT_OUT, replacing } from "./describe/redacted-fields.ts";
export { contentPolicy } from "./files/content-policy.ts";
export {
  type CsvCell,
  csvLine,
  fillFiles,
  naming,
  type OutputFile,
  writeFiles,
} from "./files/output-files.ts";
export {
  type CountedFrom,
  countedFrom,
  eventsBetween,
  eventsOf,
  inSlices,
  type LogCall,
  LogEntry,
  LogFollower,
  lastEvent,
  type Projection,
  readLog,
  readLogInSlices,
  rowAt,
  type SeqEvent,
  SLICE_MS,
  stateCountedFrom,
} from "./log/log.ts";
export { type Activity, ActivityCounter } from "./metrics/activity.ts";
export { Balances, MOVING } from "./metrics/balances.ts";
export {
  agentFigures,
  agentsIn,
  artifactNamed,
  economyOf,
  meansOf,
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
export {
  type Jump,
  JumpCounter,
  keepLargest,
  type Movement,
  movementIn,
  paidIn,
  withCreditWord,
} from "./metrics/movement.ts";
export {
  moversBetween,
  type PriceChange,
  type PriceEdit,
  type PriceMover,
} from "./metrics/price-index.ts";
export { type AgentStatus, agentStatus, BANKRUPT } from "./metrics/roster.ts";
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
export { IncomeCounter, TradeGraph, type TradeNetwork } from "./metrics/trade.ts";
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
