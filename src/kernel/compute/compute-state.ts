import type { HoldId, Id } from "../primitives/ids.ts";

/** A bid for the next sale. It holds `lots` · `limitPrice` scrip until the sale. */
export type ComputeBid = {
  readonly bidder: Id;
  readonly lots: number;
  readonly limitPrice: number;
  readonly hold: HoldId;
};

/**
 * What the world buys for a principal at each sale: the lots that are missing until its model
 * budget is worth `lots`. A frozen agent always misses at least the budget for its next thought.
 * `limitPrice` null: as much per lot as the free scrip allows.
 */
export type StandingOrder = {
  readonly principal: Id;
  readonly lots: number;
  readonly limitPrice: number | null;
};

export type SaleResult = {
  readonly sale: number;
  readonly atMs: number;
  /** The price per lot, or null if the supply was shared without payment. */
  readonly price: number | null;
  readonly offered: number;
  readonly asked: number;
  readonly sold: number;
};

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
export type ComputeState = {
  /** The number of sales so far. The next sale has this number. */
  readonly sales: number;
  readonly lastSaleMs: number;
  /** The lots sold since the present period began. */
  readonly sold: number;
  readonly results: readonly SaleResult[];
};

export const SALES_KEPT_MAX = 20;
