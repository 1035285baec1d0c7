import { auctionHistory, auctionStatus, hasMint, type State, wholeOf } from "../kernel/index.ts";

/** Sorted, since the order of a table's rows means nothing. */
const sortedBy = <Row>(rows: Iterable<Row>, keyOf: (row: Row) => string): readonly Row[] =>
  [...rows].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** The mint as an operator sees it: bids are not sealed from whoever runs the world. */
export const mintReport = (state: State) => {
  const { auctions, auctionResults, now } = wholeOf(state);
  return {
    enabled: hasMint(state),
    ...auctionStatus(state, now),
    auctions_resolved: auctions,
    results: auctionHistory(state, auctionResults.length),
    submissions: sortedBy(state.submissions.rows(), ({ id }) => id).map((row) => ({
      id: row.id,
      artifact: row.artifact,
      bidder: row.bidder,
      amount: row.amount,
      auction: row.auction,
      stage: row.stage,
      price: row.price,
    })),
    scores: sortedBy(state.scores.rows(), ({ artifact }) => artifact).map((row) => ({
      artifact: row.artifact,
      submission: row.submission,
      bidder: row.bidder,
      auction: row.auction,
      at_ms: row.atMs,
      price: row.price,
      score: row.score,
      minted: row.minted,
      reason: row.reason,
    })),
    tasks: sortedBy(state.tasks.rows(), ({ id }) => id).map((row) => ({
      id: row.id,
      poster: row.poster,
      reward: row.reward,
      description: row.description,
      public_tests: row.publicTests.length,
      hidden_tests: row.hiddenTests.length,
      posted_at_ms: row.postedAt,
    })),
  };
};
