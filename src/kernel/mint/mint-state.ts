import type { HoldId, Id } from "../primitives/ids.ts";
import type { Json } from "../primitives/json.ts";
import type { MintPhysics } from "../setup/physics.ts";

/** A bid at the mint, at most one per artifact. */
export type Submission = {
  readonly id: string;
  readonly artifact: Id;
  readonly bidder: Id;
  readonly amount: number;
  readonly hold: HoldId;
  readonly auction: number;
  /** The artifact's version when it was bid. A later write of a scored field voids the bid. */
  readonly version: number;
  /** `bid` until its auction is resolved; `won` until it is scored. */
  readonly stage: "bid" | "won";
  /** The price that a winner pays, or 0 before the auction is resolved. */
  readonly price: number;
};

/** The id of a submission. It starts with the artifact's id, by which submissions are keyed. */
export const submissionId = (artifact: Id, bid: number): string => `${artifact}:${bid}`;

/** The last score of an artifact. Only the scorer reads `memo`. */
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

/** The arguments of a call of `run`, and the result that it must return. */
export type TaskTest = { readonly args: readonly Json[]; readonly result: Json };

/** A public task; the first program that passes every test earns the reward. */
export type Task = {
  readonly id: string;
  /** Null for a task of the world, whose reward is minted. */
  readonly poster: Id | null;
  readonly reward: number;
  /** The hold of the reward, or null for a task of the world. */
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

/** When bidding opens, in ms of run time; auctions are counted from 0. */
export const opensAt = (mint: MintPhysics, auction: number): number =>
  mint.first_auction_ms + auction * mint.period_ms;

/** When bidding closes, exclusive; the auction can then be resolved. */
export const closesAt = (mint: MintPhysics, auction: number): number =>
  opensAt(mint, auction) + mint.bidding_window_ms;

/** Number of the auction that opened last, or a negative number before the first. */
const latestAuction = (mint: MintPhysics, now: number): number =>
  Math.floor((now - mint.first_auction_ms) / mint.period_ms);

export const openAuction = (mint: MintPhysics, now: number): number | null => {
  const latest = latestAuction(mint, now);
  return latest >= 0 && now < closesAt(mint, latest) ? latest : null;
};

/** Number of the open auction, or of the next one if none is open. */
export const comingAuction = (mint: MintPhysics, now: number): number =>
  openAuction(mint, now) ?? Math.max(0, latestAuction(mint, now) + 1);
