export { type AlarmLine, alarmLines } from "./alarms.ts";
export { Balances, type Flows, MOVING } from "./balances.ts";
export { type CountedFrom, countedFrom } from "./counted-from.ts";
export { gini } from "./gini.ts";
export {
  earnedIn,
  FLOW_KINDS,
  type FlowKind,
  flowKindOf,
  INCOME_SOURCES,
  type Income,
  type IncomeSource,
} from "./income.ts";
export type { LorenzPoint } from "./lorenz.ts";
export { CREDITOR } from "./payment.ts";
export { RunMeter } from "./run-meter.ts";
export type { RunMetrics } from "./run-metrics.ts";
export type { AccountReading, RunReading } from "./run-reading.ts";
export { type Tally, TallySheet } from "./tally.ts";
export type { TradeEdge, TradeNetwork, TradeNode } from "./trade-network.ts";
