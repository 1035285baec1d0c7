import type { EventKind } from "../event.ts";
import { issueBudget, payProceeds } from "../ledger/books.ts";
import { invariant } from "../primitives/invariant.ts";
import { type Changes, type State, worldRow } from "../state.ts";
import { type ComputeState, SALES_KEPT_MAX } from "./compute-state.ts";

const change = (state: State, fields: Partial<ComputeState>): void => {
  const world = worldRow(state);
  state.world.put("world", { ...world, compute: { ...world.compute, ...fields } });
};

export const COMPUTE_CHANGES = {
  compute_bid_placed: (state, { bidder, lots, limit_price: limitPrice, hold }) =>
    state.computeBids.put(bidder, { bidder, lots, limitPrice, hold }),

  compute_bid_cancelled: (state, { bidder }) => {
    invariant(state.computeBids.has(bidder), `the bid of a recorded event must be open: ${bidder}`);
    state.computeBids.remove(bidder);
  },

  standing_order_set: (state, { principal_id: principal, lots, limit_price: limitPrice }) =>
    state.standingOrders.put(principal, { principal, lots, limitPrice }),

  /** Ends all bids. Later events of the transaction pay for them and release their holds. */
  compute_sold: (state, event) => {
    const { sales, results } = worldRow(state).compute;
    invariant(event.sale === sales, "sales must happen in order");
    const { sale, at_ms: atMs, price, offered, asked, sold } = event;
    const result = { sale, atMs, price, offered, asked, sold };
    const kept = [...results, result].slice(-SALES_KEPT_MAX);
    change(state, { sales: sales + 1, lastSaleMs: atMs, sold: 0, results: kept });
    for (const bidder of [...state.computeBids.keys()]) state.computeBids.remove(bidder);
  },

  compute_bought: (state, { buyer, lots, price, micros, hold }) => {
    payProceeds(state, buyer, { hold, amount: lots * price });
    issueBudget(state, buyer, micros);
    change(state, { sold: worldRow(state).compute.sold + lots });
  },

  compute_granted: (state, { to, micros }) => issueBudget(state, to, micros),
} satisfies Partial<Changes<EventKind>>;
