import { asId, type HoldId, type Id } from "../ids.ts";
import type { Json } from "../json.ts";
import type { State } from "../state.ts";

/** An artifact that its owner bids at the mint. There is one for each artifact at the most. */
export type Submission = {
  readonly id: string;
  readonly artifact: Id;
  readonly bidder: Id;
  readonly amount: number;
  readonly hold: HoldId;
  readonly auction: number;
  /**
   * The version that was bid; another one makes the bid void. A write that changes nothing of what
   * is judged, such as a new price, takes the bid along.
   */
  readonly version: number;
  /** `bid` until its auction is resolved; `won` until it is scored. */
  readonly stage: "bid" | "won";
  /** What a winner pays, 0 before it has won. */
  readonly price: number;
};

/** Submissions stand under their artifact, which their ids begin with. */
export const submissionId = (artifact: Id, bid: number): string => `${artifact}:${bid}`;

export const submissionOf = (state: State, id: string): Submission | undefined => {
  const row = state.submissions.get(asId(id.slice(0, id.indexOf(":"))));
  return row?.id === id ? row : undefined;
};

/** How an artifact was scored the last time. `memo` is the scorer's and means nothing here. */
export type Score = {
  readonly artifact: Id;
  readonly submission: string;
  readonly bidder: Id;
  readonly auction: number;
  readonly atMs: number;
  readonly price: number;
  readonly score: number;
  readonly minted: number;
  readonly reason: string;
  readonly memo: Json;
};

/** How an auction ended. */
export type AuctionResult = {
  readonly auction: number;
  readonly atMs: number;
  /** What every winner pays. */
  readonly price: number;
  readonly bids: number;
  readonly won: readonly Pick<Submission, "artifact" | "bidder" | "id">[];
};

/** How many of the newest results the world remembers. */
export const RESULTS_KEPT_MAX = 20;

/** All the scrip that one principal ever paid another, whatever for. */
export type Flow = { readonly from: Id; readonly to: Id; readonly amount: number };

export const flowKey = (from: Id, to: Id): string => `${from} ${to}`;
