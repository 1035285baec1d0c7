export type {
  AgentOverTime,
  ArtifactOverTime,
  BookLine,
  Change,
  ExplainedJump,
  ExplainedMover,
  MarkKind,
  MessageThread,
  MessageThreads,
  PeriodChanges,
  ProposedAction,
  ReviewedAction,
  RunJumps,
  RunMessage,
  RunReviews,
  WaitingAction,
} from "../../read/index.ts";
export type { EventDensity } from "./event-routes.ts";
export type { PeriodTrade } from "./period-routes.ts";
export type { RowPage } from "./query-parameters.ts";
export type { CallLine, CallText } from "./reader/call-index.ts";
export type { RunMark, RunMarks } from "./reader/mark-index.ts";
export type { PaymentRow } from "./reader/payment-index.ts";
export { RunReader } from "./reader/run-reader.ts";
export { comparedIn, readingRoutes } from "./routes.ts";
export type { RunRecord, RunStore } from "./run-store.ts";
export { type RunSummary, runSummary } from "./run-summary.ts";
export { type RunOpened, type ServedRun, type Tick, tickOf } from "./served-run.ts";
export type { AgentRow, AgentView, ConversationView, SaidLine } from "./views/agents-view.ts";
export type { ArtifactExtras, ArtifactRow } from "./views/artifacts-view.ts";
export type { BooksView } from "./views/books-view.ts";
export type {
  LifeLine,
  LifeTimeline,
  MomentPage,
  MomentRow,
  MomentView,
} from "./views/moments-view.ts";
export type { MemoryLine, ThoughtLine } from "./views/thoughts-view.ts";
