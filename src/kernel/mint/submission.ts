import type { HoldId, Id } from "../ids.ts";
import type { Json } from "../json.ts";

/** An artifact that its owner bids at the mint. */
export type Submission = {
  readonly id: string;
  readonly artifact: Id;
  readonly bidder: Id;
  readonly amount: number;
  readonly hold: HoldId;
  readonly auction: number;
  /** The version that was bid; another one makes the bid void. */
  readonly version: number;
  /** `bid` until its auction is resolved; `won` until it is scored. */
  readonly stage: "bid" | "won";
  /** What a winner pays, 0 before it has won. */
  readonly price: number;
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

/** All the scrip that one principal ever paid another, whatever for. */
export type Flow = { readonly from: Id; readonly to: Id; readonly amount: number };

export const flowKey = (from: Id, to: Id): string => `${from} ${to}`;
