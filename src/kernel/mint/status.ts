import { asId, type Id } from "../ids.ts";
import type { JsonObject } from "../json.ts";
import { liveArtifact, physicsOf, type State, wholeOf } from "../state.ts";
import type { AuctionResult, Score, Submission } from "./submission.ts";
import { closesAt, comingAuction, openAuction, opensAt } from "./timing.ts";

const MINT = asId("genesis_mint");

/** A config may leave the mint out of a world. */
export const hasMint = (state: State): boolean => liveArtifact(state, MINT) !== undefined;

const RESULTS_SHOWN = 5;
const WINS_SHOWN_MAX = 10;

/** A winner with its score. */
type Win = {
  readonly artifact: Id;
  readonly bidder: Id;
  readonly price: number;
  readonly score: number;
  readonly minted: number;
};

/** The score of a win; undefined before there is one, and once its artifact was scored again. */
const scoreOf = (
  state: State,
  { id, artifact }: Pick<Submission, "id" | "artifact">,
): Score | undefined => {
  const score = state.scores.get(artifact);
  return score?.submission === id ? score : undefined;
};

/** The newest wins that have been scored, newest first. */
const recentWins = (state: State): readonly Win[] =>
  wholeOf(state)
    .auctionResults.slice(-RESULTS_SHOWN)
    .reverse()
    .flatMap(({ won }) => won)
    .slice(0, WINS_SHOWN_MAX)
    .flatMap(({ id, artifact, bidder }) => {
      const score = scoreOf(state, { id, artifact });
      if (score === undefined) return [];
      return [{ artifact, bidder, price: score.price, score: score.score, minted: score.minted }];
    });

/** The mint as one principal sees it. `open` is false in a world without one. */
export const mintFor = (state: State, id: Id, now: number) => ({
  ...auctionStatus(state, now),
  own: submissionsOf(state, id).map(ownSubmission),
  results: recentWins(state),
});

/** What anybody may know of the auction that is open, or opens next. Bids are sealed. */
export const auctionStatus = (state: State, now: number) => {
  const { mint } = physicsOf(state);
  const auction = comingAuction(mint, now);
  return {
    auction,
    open: hasMint(state) && openAuction(mint, now) !== null,
    opens_at_ms: opensAt(mint, auction),
    closes_at_ms: closesAt(mint, auction),
    minimum_bid: mint.minimum_bid,
    slots: mint.slots,
    last_price: wholeOf(state).auctionResults.at(-1)?.price ?? null,
  };
};

/** A submission as its bidder sees it. */
export const ownSubmission = ({ id, artifact, auction, amount, stage, price }: Submission) => ({
  id,
  artifact,
  auction,
  amount,
  stage,
  price: stage === "won" ? price : null,
});

/** In the order of their ids. */
export const submissionsOf = (state: State, bidder: Id): readonly Submission[] =>
  [...state.indexes.submissionsOf.rowsOf(bidder)].sort((a, b) => (a.id < b.id ? -1 : 1));

/** How an artifact was scored the last time, for all to see. */
export const publicScore = (state: State, artifact: Id): JsonObject | null => {
  const row = state.scores.get(artifact);
  if (row === undefined) return null;
  const { submission, auction, atMs: at_ms, price, score, minted, reason } = row;
  return { submission, auction, at_ms, price, score, minted, reason };
};

/** The newest results, newest first, each winner with its score once there is one. */
export const auctionHistory = (state: State, limit: number) =>
  wholeOf(state)
    .auctionResults.slice(-limit)
    .reverse()
    .map((result) => resultShown(state, result));

const resultShown = (state: State, { auction, atMs, price, bids, won }: AuctionResult) => ({
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
