import { partiesOf } from "../artifact/owners.ts";
import type { Decision } from "../core/decision.ts";
import { invariant } from "../core/errors.ts";
import { EVERYONE, type EventIn, rowsOf } from "../core/event.ts";
import type { HoldId, Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { changeWorld, worldRow } from "../core/world.ts";
import { issueBudget, payProceeds } from "../ledger/books.ts";
import type { MintEvent } from "../mint/events.ts";
import { type ComputeState, type ComputeTables, SALES_KEPT_MAX } from "./supply.ts";

/**
 * Why a bid for model budget ended without a sale: its bidder withdrew or replaced it, the settings
 * of the world no longer have an auction, or the bidder stopped for good.
 */
export type ComputeBidEnd = "withdrawn" | "replaced" | "no_auction" | "stopped";

const change = (state: ComputeTables, fields: Partial<ComputeState>): void =>
  changeWorld(state, { compute: { ...worldRow(state).compute, ...fields } });

const row = rowsOf<ComputeTables>();

/** Events of the sale of model budget. Orders are secret until the sale. */
export const COMPUTE_EVENTS = {
  compute_bid_placed: row<{ bidder: Id; lots: number; limit_price: number; hold: HoldId }>({
    about:
      "a principal bid for model budget; the scrip is held, and the bid is secret until the sale",
    evolve: (state, { bidder, lots, limit_price: limitPrice, hold }) =>
      state.computeBids.put(bidder, { bidder, lots, limitPrice, hold }),
  }),

  compute_bid_cancelled: row<{ bidder: Id; reason: ComputeBidEnd }>({
    about:
      "a bid for model budget ended before a sale; the reason is `withdrawn`, `replaced`, " +
      "`no_auction` (other settings) or `stopped` (its bidder stopped for good)",
    evolve: (state, { bidder }) => {
      const isOpen = state.computeBids.has(bidder);
      invariant(isOpen, `the bid of a recorded event must be open: ${bidder}`);
      state.computeBids.remove(bidder);
    },
  }),

  standing_order_set: row<{ principal_id: Id; lots: number; limit_price: number | null }>({
    about: "a principal set what the world buys for it at each sale",
    evolve: (state, { principal_id: principal, lots, limit_price: limitPrice }) =>
      state.standingOrders.put(principal, { principal, lots, limitPrice }),
  }),

  /** `price` is null, and the numbers of lots are 0, if the supply was divided without payment. */
  compute_sold: row<{
    sale: number;
    price: number | null;
    offered: number;
    asked: number;
    sold: number;
  }>({
    about: "model budget was sold; the event has the price per lot and the numbers of lots",
    // Ends all bids. Later events of the transaction pay for them and release their holds.
    evolve: (state, event) => {
      const { sales, results } = worldRow(state).compute;
      invariant(event.sale === sales, "sales must happen in order");
      const { sale, at_ms: atMs, price, offered, asked, sold } = event;
      const result = { sale, atMs, price, offered, asked, sold };
      const kept = [...results, result].slice(-SALES_KEPT_MAX);
      change(state, { sales: sales + 1, lastSaleMs: atMs, sold: 0, results: kept });
      for (const bidder of [...state.computeBids.keys()]) state.computeBids.remove(bidder);
    },
    concerns: () => [EVERYONE],
    facts: ({ price, sold }) => ({ amount: price === null ? null : price * sold }),
  }),

  /** `hold` is the hold of the buyer's bid, or null if the buyer paid from free scrip. */
  compute_bought: row<{
    buyer: Id;
    lots: number;
    price: number;
    micros: number;
    hold: HoldId | null;
  }>({
    about: "a principal bought new model budget from the world, in lots",
    evolve: (state, { buyer, lots, price, micros, hold }) => {
      payProceeds(state, buyer, hold, lots * price);
      issueBudget(state, buyer, micros);
      change(state, { sold: worldRow(state).compute.sold + lots });
    },
    concerns: ({ buyer }, state) => partiesOf(state, buyer),
    facts: ({ buyer, micros }) => ({ other: buyer, amount: micros }),
  }),

  compute_granted: row<{ to: Id; micros: number }>({
    about: "an agent received its share of a supply that the world divides equally",
    evolve: (state, { to, micros }) => issueBudget(state, to, micros),
    // Every agent gets the same, so the public facts of `compute_sold` say enough.
    concerns: ({ to }) => [to],
  }),
};

export type ComputeEvents = typeof COMPUTE_EVENTS;
/** The events that the rooms up to this one can cause. */
export type ComputeEvent = MintEvent | EventIn<ComputeEvents>;
export type ComputeDecision<Answer = Json> = Decision<Answer, ComputeEvent>;
