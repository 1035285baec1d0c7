export type {
  AgentRow,
  AgentView,
  ArtifactExtras,
  ArtifactRow,
  ConversationView,
  MemoryLine,
  SaidLine,
  ThoughtLine,
} from "./agents.ts";
export type { BooksView } from "./books.ts";
export type { EventDensity } from "./events.ts";
export type { LifeLine, LifeTimeline, MomentPage, MomentRow, MomentView } from "./moments.ts";
export type { PeriodTrade } from "./periods.ts";
export type { RunMark, RunMarks } from "./reader/mark-index.ts";
export type { PaymentRow } from "./reader/payment-index.ts";
export { type CallLine, type CallText, RunReader } from "./reader/run-reader.ts";
export { comparedIn, readingRoutes } from "./routes.ts";
export { type RunSummary, runSummary } from "./run-summary.ts";
export {
  type RowPage,
  type RunOpened,
  type RunRecord,
  type RunStore,
  type ServedRun,
  type Tick,
  tickOf,
} from "./served-run.ts";
