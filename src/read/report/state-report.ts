import { agentFigures, meansOf } from "../../figures/index.ts";
import {
  auctionHistory,
  auctionStatus,
  hasMint,
  nextSaleAt,
  offersCompute,
  type State,
  worldRow,
} from "../../kernel/index.ts";

const byId = <Row extends { readonly id: string }>(rows: Iterable<Row>): readonly Row[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

export const stateReport = (
  state: State,
  at: { readonly seq: number; readonly atMs: number; readonly stateHash: string },
) => ({
  seq: at.seq,
  at_ms: at.atMs,
  state_hash: at.stateHash,
  undistributed: worldRow(state).undistributed,
  accounts: Object.fromEntries(
    byId(state.accounts.rows()).map((account) => [account.id, meansOf(state, account.id)]),
  ),
  artifacts: byId(state.artifacts.rows()).map((artifact) => ({
    id: artifact.id,
    type: artifact.type,
    owner: artifact.owner,
    created_by: artifact.createdBy,
    version: artifact.version,
    executable: artifact.methods.length > 0,
    price: artifact.price,
    access: artifact.access,
    has_standing: artifact.hasStanding,
    can_execute: artifact.canExecute,
    deleted: artifact.deleted !== null,
    size_bytes: artifact.sizeBytes,
  })),
  agents: byId(state.agents.rows()).map((agent) => {
    const { counters, due } = agent;
    const thoughts = counters.thoughts + counters.thoughtsFailed;
    return {
      ...agentFigures(state, agent, { ...counters, thoughts }),
      next: due === null ? null : { step: due.step, at_ms: due.atMs },
      last: agent.last,
    };
  }),
  mint: mintReport(state),
  compute: computeReport(state),
});
export type StateReport = ReturnType<typeof stateReport>;

/** The state of the mint, including bids that agents cannot see. */
export const mintReport = (state: State) => {
  const { auctions, auctionResults, now } = worldRow(state);
  return {
    enabled: hasMint(state),
    ...auctionStatus(state, now),
    auctions_resolved: auctions,
    results: auctionHistory(state, auctionResults.length),
    submissions: byId(state.submissions.rows()).map((row) => {
      const { id, artifact, bidder, amount, auction, stage, price } = row;
      return { id, artifact, bidder, amount, auction, stage, price };
    }),
    scores: [...state.scores.rows()]
      .sort((a, b) => (a.artifact < b.artifact ? -1 : 1))
      .map((row) => {
        const { artifact, submission, bidder, auction, atMs: at_ms, ...verdict } = row;
        const { price, score, minted, reason } = verdict;
        return { artifact, submission, bidder, auction, at_ms, price, score, minted, reason };
      }),
    tasks: byId(state.tasks.rows()).map((row) => {
      const { id, poster, reward, description, publicTests, hiddenTests } = row;
      const tests = { public_tests: publicTests.length, hidden_tests: hiddenTests.length };
      return { id, poster, reward, description, ...tests, posted_at_ms: row.postedAt };
    }),
  };
};

/** The sale of model budget, including orders that other agents cannot see. */
const computeReport = (state: State) => {
  const { compute, budget, physics } = worldRow(state);
  return {
    sale: offersCompute(state) ? physics.compute.sale : "none",
    sales: compute.sales,
    next_sale_at_ms: nextSaleAt(state),
    budget_micros: budget,
    results: compute.results.map(({ atMs: at_ms, ...result }) => ({ ...result, at_ms })),
    bids: [...state.computeBids.rows()].map(({ bidder, lots, limitPrice: limit_price }) => {
      return { bidder, lots, limit_price };
    }),
    standing: [...state.standingOrders.rows()].map(({ principal, lots, limitPrice }) => {
      return { principal, lots, limit_price: limitPrice };
    }),
  };
};
