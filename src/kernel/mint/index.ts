export { decideBid, decideCancel, withdrawn } from "./bidding.ts";
export { decideMint, type MintCommand } from "./decide-mint.ts";
export { carryBid, evolveMint } from "./evolve-mint.ts";
export type { MintHappening } from "./happening.ts";
export { decideSolve } from "./solving.ts";
export {
  auctionHistory,
  auctionStatus,
  hasMint,
  mintFor,
  ownSubmission,
  publicScore,
  submissionsOf,
} from "./status.ts";
export {
  type AuctionResult,
  type Flow,
  flowKey,
  RESULTS_KEPT_MAX,
  type Score,
  type Submission,
  submissionOf,
} from "./submission.ts";
export { type Opening, readOpening, type Task } from "./task.ts";
export { decidePost, decideWithdraw, openTasks, publicTask } from "./tasks.ts";
export { closesAt } from "./timing.ts";
