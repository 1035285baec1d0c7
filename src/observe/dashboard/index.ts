import type { DashboardParts, DashboardStarted } from "./server.ts";

export type { SeatCommand, SeatLook } from "../../runner/index.ts";
export type { BookLine } from "../metrics/book.ts";
export type { MessageThread, MessageThreads } from "../trail/message-threads.ts";
export type { RunMessage } from "../trail/run-messages.ts";
export type {
  ProposedAction,
  ReviewedAction,
  RunReviews,
  WaitingAction,
} from "../trail/run-reviews.ts";
export type { CallLine, CallText } from "./call-index.ts";
export type { LiveLink, Tick } from "./live-feed.ts";
export type { PlayedOutcome } from "./played-seats.ts";
export type { RowPage } from "./query-parameters.ts";
export type { RunRecord, RunStatus, RunStore } from "./run-store.ts";
export type { Dashboard } from "./server.ts";
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

/** Starts the web server. Its modules are loaded here, so that other commands start faster. */
export const startDashboard = async (parts: DashboardParts): Promise<DashboardStarted> =>
  (await import("./server.ts")).startDashboard(parts);
