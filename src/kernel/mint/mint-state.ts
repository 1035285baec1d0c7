import type { HoldId, Id } from "../primitives/ids.ts";
import type { Json } from "../primitives/json.ts";
import type { MintPhysics } from "../setup/physics.ts";

/** A bid at the mint. An artifact has at most one open bid. */
export type Submission = {
  readonly id: string;
  readonly artifact: Id;
  readonly bidder: Id;
  readonly amount: number;
  readonly hold: HoldId;
  readonly auction: number;
  /** The artifact's version for which the bid is valid. A write of a scored field voids the bid. */
  readonly version: number;
  /** `bid` until the auction is resolved, then `won` until the artifact is scored. */
  readonly stage: "bid" | "won";
  /** The price that a winner pays. 0 until the auction is resolved. */
  readonly price: number;
};

/** Returns a submission's id. It starts with the artifact's id, so `submissionOf` finds the row. */
export const submissionId = (artifact: Id, bid: number): string => `${artifact}:${bid}`;

/** The latest score of an artifact. Only the scorer reads `memo`. */
export type Score = Pick<Submission, "artifact" | "bidder" | "auction" | "price"> & {
  readonly submission: string;
  readonly atMs: number;
  readonly score: number;
  readonly minted: number;
  readonly reason: string;
  readonly memo: Json;
};

export type AuctionResult = {
  readonly auction: number;
  readonly atMs: number;
  readonly price: number;
  readonly bids: number;
  readonly won: readonly Pick<Submission, "artifact" | "bidder" | "id">[];
};

export const RESULTS_KEPT_MAX = 20;

export type Flow = { readonly from: Id; readonly to: Id; readonly amount: number };

export const flowKey = (from: Id, to: Id): string => `${from} ${to}`;

/** The arguments of a call of `run`, and the result that the call must return. */
export type TaskTest = { readonly args: readonly Json[]; readonly result: Json };

/** A public task. The owner of the first program that passes every test earns the reward. */
export type Task = {
  readonly id: string;
  /** Null for a task of the world. The reward of such a task is minted. */
  readonly poster: Id | null;
  readonly reward: number;
  /** The hold on the reward. Null for a task of the world. */
  readonly hold: HoldId | null;
  readonly description: string;
  readonly publicTests: readonly TaskTest[];
  readonly hiddenTests: readonly TaskTest[];
  readonly postedAt: number;
};

/** An unvalidated task. */
export type TaskText = {
  readonly description: string;
  readonly public_tests: Json;
  readonly hidden_tests: Json;
};

/** An unvalidated task of the world. */
export type NewTask = TaskText & { readonly task: string; readonly reward: number };

/** Returns when bidding opens, in ms of run time. The first auction has the number 0. */
export const opensAt = (mint: MintPhysics, auction: number): number =>
  mint.first_auction_ms + auction * mint.period_ms;

/** Returns when bidding closes (exclusive). From then on, the auction can be resolved. */
export const closesAt = (mint: MintPhysics, auction: number): number =>
  opensAt(mint, auction) + mint.bidding_window_ms;

/** Returns the number of the auction that opened last. Negative before the first auction opens. */
const latestAuction = (mint: MintPhysics, now: number): number =>
  Math.floor((now - mint.first_auction_ms) / mint.period_ms);

export const openAuction = (mint: MintPhysics, now: number): number | null => {
  const latest = latestAuction(mint, now);
  return latest >= 0 && now < closesAt(mint, latest) ? latest : null;
};

export const comingAuction = (mint: MintPhysics, now: number): number =>
  openAuction(mint, now) ?? Math.max(0, latestAuction(mint, now) + 1);
