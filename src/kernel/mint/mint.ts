import { AGENT_ROW, type AgentTables } from "../agent/agent.ts";
import { EXAMPLE } from "../artifact/artifact.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { asId, type Id } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { MintPhysics } from "../core/physics.ts";
import * as is from "../core/shape.ts";
import { type Table, TableIndex } from "../core/tables.ts";
import { physicsOf, worldRow } from "../core/world.ts";

const AUCTION_RESULT = is.record({
  auction: is.amount,
  atMs: is.amount,
  price: is.amount,
  bids: is.amount,
  won: is.list(is.record({ id: is.text, artifact: is.id, bidder: is.id })),
});
export type AuctionResult = is.Of<typeof AUCTION_RESULT>;

export const MINT_ROW = {
  ...AGENT_ROW,
  /** The number of resolved auctions. The next auction has this number. */
  auctions: is.amount,
  auctionResults: is.list(AUCTION_RESULT),
  bidsMade: is.amount,
  tasksMade: is.amount,
  /** The ids of all tasks that the world has offered. The world offers no id twice. */
  tasksOffered: is.list(is.text),
};
export type MintRow = is.RecordOf<typeof MINT_ROW>;

export interface MintTables extends AgentTables {
  readonly world: Table<"world", MintRow>;
  /** The open submission of each artifact: a bid that waits, or a winner without a score. */
  readonly submissions: Table<Id, Submission>;
  readonly scores: Table<Id, Score>;
  readonly tasks: Table<string, Task>;
  readonly indexes: AgentTables["indexes"] & ReturnType<typeof mintIndexes>;
}

/** The groups of open tasks: of the world, and posted by agents. */
export const BOARD = { world: "world", posted: "posted" } as const;

export const mintIndexes = (
  submissions: Table<Id, Submission>,
  tasks: Table<string, Task>,
  families: Table<Id, Id>,
) => ({
  submissionsOf: new TableIndex(submissions, { groupOf: ({ bidder }) => bidder }),
  /** Open tasks in two groups, sorted by reward (highest first), then by age (oldest first). */
  board: new TableIndex(tasks, {
    groupOf: ({ poster }) => (poster === null ? BOARD.world : BOARD.posted),
    rankOf: ({ reward, postedAt }) => [-reward, postedAt],
  }),
  tasksOfFamily: new TableIndex(tasks, {
    groupOf: ({ poster }) => (poster === null ? null : (families.get(poster) ?? null)),
  }),
});

/** A bid at the mint. An artifact has at most one open bid. */
export const SUBMISSION = is.record({
  id: is.text,
  artifact: is.id,
  bidder: is.id,
  amount: is.amount,
  hold: is.holdId,
  auction: is.amount,
  /** The artifact's version for which the bid is valid. A write of a scored field voids the bid. */
  version: is.amount,
  /** `bid` until the auction is resolved, then `won` until the artifact is scored. */
  stage: is.oneOf(["bid", "won"]),
  /** The price that a winner pays. 0 until the auction is resolved. */
  price: is.amount,
});
export type Submission = is.Of<typeof SUBMISSION>;

/** Returns a submission's id. It starts with the artifact's id, so `submissionOf` finds the row. */
export const submissionId = (artifact: Id, bid: number): string => `${artifact}:${bid}`;

/** The latest score of an artifact. Only the scorer reads `memo`. */
export const SCORE = is.record({
  artifact: is.id,
  submission: is.text,
  bidder: is.id,
  auction: is.amount,
  atMs: is.amount,
  price: is.amount,
  score: is.finite,
  minted: is.amount,
  reason: is.text,
  memo: is.json,
});
export type Score = is.Of<typeof SCORE>;

export const RESULTS_KEPT_MAX = 20;

/** The arguments of a call of `run`, and the result that the call must return. */
export type TaskTest = is.Of<typeof EXAMPLE>;

/** A public task. The owner of the first program that passes every test earns the reward. */
export const TASK = is.record({
  id: is.text,
  /** Null for a task of the world. The reward of such a task is minted. */
  poster: is.nullable(is.id),
  reward: is.amount,
  /** The hold on the reward. Null for a task of the world. */
  hold: is.nullable(is.holdId),
  description: is.text,
  publicTests: is.list(EXAMPLE),
  hiddenTests: is.list(EXAMPLE),
  postedAt: is.amount,
});
export type Task = is.Of<typeof TASK>;

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

const MINT = asId("genesis_mint");

/** True if the world has a mint. A configuration can omit the mint. */
export const hasMint = (state: MintTables): boolean => liveArtifact(state, MINT) !== undefined;

const RESULTS_SHOWN = 5;
const WINS_SHOWN_MAX = 10;

/** Returns the artifact's latest score if this submission got that score, otherwise undefined. */
const scoreOf = (
  state: MintTables,
  { id, artifact }: Pick<Submission, "id" | "artifact">,
): Score | undefined => {
  const score = state.scores.get(artifact);
  return score?.submission === id ? score : undefined;
};

const recentWins = (state: MintTables) =>
  worldRow(state)
    .auctionResults.slice(-RESULTS_SHOWN)
    .reverse()
    .flatMap(({ won }) => won)
    .slice(0, WINS_SHOWN_MAX)
    .flatMap(({ id, artifact, bidder }) => {
      const score = scoreOf(state, { id, artifact });
      if (score === undefined) return [];
      return [{ artifact, bidder, price: score.price, score: score.score, minted: score.minted }];
    });

/** Returns what a principal sees of the mint. `open` is false in a world without a mint. */
export const mintFor = (state: MintTables, id: Id, now: number) => ({
  ...auctionStatus(state, now),
  own: submissionsOf(state, id).map(ownSubmission),
  results: recentWins(state),
});

/** Returns the public facts of the open or next auction. Bids are secret and not included. */
export const auctionStatus = (state: MintTables, now: number) => {
  const { mint } = physicsOf(state);
  const auction = comingAuction(mint, now);
  return {
    auction,
    open: hasMint(state) && openAuction(mint, now) !== null,
    opens_at_ms: opensAt(mint, auction),
    closes_at_ms: closesAt(mint, auction),
    minimum_bid: mint.minimum_bid,
    slots: mint.slots,
    last_price: worldRow(state).auctionResults.at(-1)?.price ?? null,
  };
};

export const ownSubmission = ({ id, artifact, auction, amount, stage, price }: Submission) => ({
  id,
  artifact,
  auction,
  amount,
  stage,
  price: stage === "won" ? price : null,
});

export const submissionsOf = (state: MintTables, bidder: Id): readonly Submission[] =>
  [...state.indexes.submissionsOf.rowsOf(bidder)].sort((a, b) => (a.id < b.id ? -1 : 1));

export const publicScore = (state: MintTables, artifact: Id): JsonObject | null => {
  const row = state.scores.get(artifact);
  if (row === undefined) return null;
  const { submission, auction, atMs: at_ms, price, score, minted, reason } = row;
  return { submission, auction, at_ms, price, score, minted, reason };
};

/** Returns auction results, newest first. A winner's score is null until the artifact is scored. */
export const auctionHistory = (state: MintTables, limit: number) =>
  worldRow(state)
    .auctionResults.slice(-limit)
    .reverse()
    .map((result) => resultShown(state, result));

const resultShown = (state: MintTables, { auction, atMs, price, bids, won }: AuctionResult) => ({
  auction,
  at_ms: atMs,
  price,
  bids,
  won: won.map(({ id, artifact, bidder }) => {
    const known = scoreOf(state, { id, artifact });
    return {
      submission: id,
      artifact,
      bidder,
      score: known?.score ?? null,
      minted: known?.minted ?? null,
    };
  }),
});

/** Returns the submission with this id, or undefined if it is not open. */
export const submissionOf = (state: MintTables, id: string): Submission | undefined => {
  const row = state.submissions.get(asId(id.slice(0, id.indexOf(":"))));
  return row?.id === id ? row : undefined;
};
