import type { Id } from "../primitives/ids.ts";
import { physicsOf, type State, worldRow } from "../state.ts";
import { standingOrderOf } from "./orders.ts";
import { lotsLeft, lotsOffered, nextSaleAt, presentPrice, saleIn } from "./supply.ts";

/** Returns what a principal sees of the sale of model budget. The orders of others are secret. */
export const computeFor = (state: State, id: Id) => {
  const physics = physicsOf(state);
  const { period_ms, lot_micros, minimum_price } = physics.compute;
  const sale = saleIn(physics);
  const bid = state.computeBids.get(id);
  const standing = standingOrderOf(state, id);
  return {
    sale,
    /** The posted price, or the price of the last auction. */
    price: presentPrice(state),
    /** Null in a world that sells nothing. */
    next_sale_at_ms: sale === "none" ? null : nextSaleAt(state),
    lots: lotsOffered(state),
    /** The lots that `buy` can still buy in this period. Null unless the sale is posted. */
    lots_left: sale === "posted" ? lotsLeft(state) : null,
    lot_micros,
    period_ms,
    minimum_price,
    bid: bid === undefined ? null : { lots: bid.lots, limit_price: bid.limitPrice },
    standing: standing === null ? null : { lots: standing.lots, limit_price: standing.limitPrice },
  };
};

/** Returns the newest sales, newest first. */
export const saleHistory = (state: State, limit: number) =>
  worldRow(state)
    .compute.results.slice(-limit)
    .reverse()
    .map(({ atMs: at_ms, ...result }) => ({ ...result, at_ms }));
