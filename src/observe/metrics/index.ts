export { type AlarmLine, alarmLines, type Ring } from "./alarms.ts";
export { Balances } from "./balances.ts";
export type { Capital } from "./capital.ts";
export { type CountedFrom, countedFrom } from "./counted-from.ts";
export { gini } from "./gini.ts";
export { earnedIn, INCOME_SOURCES, type Income, type IncomeSource } from "./income.ts";
export type { LorenzPoint } from "./lorenz.ts";
export { RunMeter } from "./run-meter.ts";
export type {
  MoneyMetrics,
  PrincipalMetrics,
  RevenueMetrics,
  RunMetrics,
  ServiceMetrics,
  WealthMetrics,
  WorkMetrics,
} from "./run-metrics.ts";
export type { RunReading } from "./run-reading.ts";
export { type Tally, TallySheet } from "./tally.ts";
export type { Timeline, WealthLine } from "./timeline.ts";
export type { TradeEdge, TradeNetwork, TradeNode } from "./trade-network.ts";
