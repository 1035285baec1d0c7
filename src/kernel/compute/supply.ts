import type { Id } from "../core/ids.ts";
import type { ComputeSale, Physics } from "../core/physics.ts";
import * as is from "../core/shape.ts";
import type { Table } from "../core/tables.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { issuable } from "../ledger/account.ts";
import { MINT_ROW, type MintTables } from "../mint/mint.ts";

/** A bid for the next sale. It holds `lots` · `limitPrice` scrip until the sale. */
export const COMPUTE_BID = is.record({
  bidder: is.id,
  lots: is.amount,
  limitPrice: is.amount,
  hold: is.holdId,
});
export type ComputeBid = is.Of<typeof COMPUTE_BID>;

/**
 * What the world buys for a principal at each sale: the lots that are missing until its model
 * budget is worth `lots`. A frozen agent always misses at least the budget for its next thought.
 * `limitPrice` null: as much per lot as the free scrip allows.
 */
export const STANDING_ORDER = is.record({
  principal: is.id,
  lots: is.amount,
  limitPrice: is.nullable(is.amount),
});
export type StandingOrder = is.Of<typeof STANDING_ORDER>;

const SALE_RESULT = is.record({
  sale: is.amount,
  atMs: is.amount,
  /** The price per lot, or null if the supply was shared without payment. */
  price: is.nullable(is.amount),
  offered: is.amount,
  asked: is.amount,
  sold: is.amount,
});
export type SaleResult = is.Of<typeof SALE_RESULT>;

/**
 * The world sells model budget for scrip in lots of `lot_micros`. Once per period it executes all
 * orders: bids, which are for one sale and hold scrip, and standing orders, which pay from free
 * scrip. A principal has at most one of each, and its bid takes the place of its standing order.
 *
 * - `auction`: the highest limits win. All buyers pay one price: the highest limit of a lot that
 *   does not win, or `minimum_price` if every order is filled.
 * - `posted`: standing orders buy at `posted_price` when a period begins. The rest of the supply is
 *   for those who buy first.
 * - `equal`: the supply is divided equally among all agents that have not stopped, without payment.
 *
 * Orders with equal limits get one lot each in turn. The buyer with the least model budget comes
 * first, then the order of ids decides. Lots that no one buys expire with the period.
 */
const COMPUTE_STATE = is.record({
  /** The number of sales so far. The next sale has this number. */
  sales: is.amount,
  lastSaleMs: is.amount,
  /** The lots sold since the present period began. */
  sold: is.amount,
  results: is.list(SALE_RESULT),
});
export type ComputeState = is.Of<typeof COMPUTE_STATE>;

export const SALES_KEPT_MAX = 20;

export const COMPUTE_ROW = { ...MINT_ROW, compute: COMPUTE_STATE };
export type ComputeRow = is.RecordOf<typeof COMPUTE_ROW>;

export interface ComputeTables extends MintTables {
  readonly world: Table<"world", ComputeRow>;
  readonly computeBids: Table<Id, ComputeBid>;
  /** The standing orders that principals have set. Other agents have the default. */
  readonly standingOrders: Table<Id, StandingOrder>;
}

/** How a world sells model budget. A configuration can omit `genesis_compute`. */
export const saleIn = ({ genesis, compute }: Physics): ComputeSale =>
  genesis.enabled.includes("compute") && compute.supply_micros > 0 ? compute.sale : "none";

export const offersCompute = (state: ComputeTables): boolean => saleIn(physicsOf(state)) !== "none";

/** Returns the run time of the next sale: the first end of a period after the last sale. */
export const nextSaleAt = (state: ComputeTables): number => {
  const { physics, compute } = worldRow(state);
  const { period_ms } = physics.compute;
  return (Math.floor(compute.lastSaleMs / period_ms) + 1) * period_ms;
};

/** The price that a lot costs now, or would have cost at the last sale. 0 if it is free. */
export const presentPrice = (state: ComputeTables): number => {
  const { physics, compute } = worldRow(state);
  const { minimum_price, posted_price } = physics.compute;
  const sale = saleIn(physics);
  if (sale === "posted") return posted_price;
  return sale === "auction" ? (compute.results.at(-1)?.price ?? minimum_price) : 0;
};

/** The micro-dollars of one supply, or fewer if the sum of all budgets would be too large. */
export const microsOffered = (state: ComputeTables): number => {
  const { physics, budget } = worldRow(state);
  return Math.min(physics.compute.supply_micros, issuable(budget));
};

export const lotsOffered = (state: ComputeTables): number =>
  Math.floor(microsOffered(state) / physicsOf(state).compute.lot_micros);

/** Returns the lots of the present period that a posted sale has not sold yet. */
export const lotsLeft = (state: ComputeTables): number =>
  Math.max(0, lotsOffered(state) - worldRow(state).compute.sold);
