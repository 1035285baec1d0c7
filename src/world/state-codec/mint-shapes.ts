import type { AuctionResult, Score, Submission, Task } from "../../kernel/index.ts";
import { amount, finite, holdId, id, json, list, nullable, oneOf, record, text } from "./shape.ts";

export const submission = record<Submission>({
  id: text,
  artifact: id,
  bidder: id,
  amount,
  hold: holdId,
  auction: amount,
  version: amount,
  stage: oneOf(["bid", "won"]),
  price: amount,
});

export const score = record<Score>({
  artifact: id,
  submission: text,
  bidder: id,
  auction: amount,
  atMs: amount,
  price: amount,
  score: finite,
  minted: amount,
  reason: text,
  memo: json,
});

const test = record<Task["publicTests"][number]>({ args: list(json), result: json });

export const task = record<Task>({
  id: text,
  poster: nullable(id),
  reward: amount,
  hold: nullable(holdId),
  description: text,
  publicTests: list(test),
  hiddenTests: list(test),
  postedAt: amount,
});

export const auctionResult = record<AuctionResult>({
  auction: amount,
  atMs: amount,
  price: amount,
  bids: amount,
  won: list(record<AuctionResult["won"][number]>({ id: text, artifact: id, bidder: id })),
});
