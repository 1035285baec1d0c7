import { asId, type Id } from "../primitives/ids.ts";
import type { JsonObject } from "../primitives/json.ts";
import { liveArtifact, physicsOf, type State, worldRow } from "../state.ts";
import type { AuctionResult, Score, Submission } from "./mint-state.ts";
import { closesAt, comingAuction, openAuction, opensAt } from "./mint-state.ts";

const MINT = asId("genesis_mint");

/** True if the world has a mint. A configuration can omit the mint. */
export const hasMint = (state: State): boolean => liveArtifact(state, MINT) !== undefined;

const RESULTS_SHOWN = 5;
const WINS_SHOWN_MAX = 10;

/** Returns the artifact's latest score if this submission got that score, otherwise undefined. */
const scoreOf = (
  state: State,
  { id, artifact }: Pick<Submission, "id" | "artifact">,
): Score | undefined => {
  const score = state.scores.get(artifact);
  return score?.submission === id ? score : undefined;
};

const recentWins = (state: State) =>
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
export const mintFor = (state: State, id: Id, now: number) => ({
  ...auctionStatus(state, now),
  own: submissionsOf(state, id).map(ownSubmission),
  results: recentWins(state),
});

/** Returns the public facts of the open or next auction. Bids are secret and not included. */
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

export const submissionsOf = (state: State, bidder: Id): readonly Submission[] =>
  [...state.indexes.submissionsOf.rowsOf(bidder)].sort((a, b) => (a.id < b.id ? -1 : 1));

export const publicScore = (state: State, artifact: Id): JsonObject | null => {
  const row = state.scores.get(artifact);
  if (row === undefined) return null;
  const { submission, auction, atMs: at_ms, price, score, minted, reason } = row;
  return { submission, auction, at_ms, price, score, minted, reason };
};

/** Returns auction results, newest first. A winner's score is null until the artifact is scored. */
export const auctionHistory = (state: State, limit: number) =>
  worldRow(state)
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

/** Returns the submission with this id, or undefined if it is not open. */
export const submissionOf = (state: State, id: string): Submission | undefined => {
  const row = state.submissions.get(asId(id.slice(0, id.indexOf(":"))));
  return row?.id === id ? row : undefined;
};
