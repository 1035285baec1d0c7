import { issuable } from "../ledger/account.ts";
import type { ComputeSale, Physics } from "../setup/physics.ts";
import { physicsOf, type State, worldRow } from "../state.ts";

/** How a world sells model budget. A configuration can omit `genesis_compute`. */
export const saleIn = ({ genesis, compute }: Physics): ComputeSale =>
  genesis.enabled.includes("compute") && compute.supply_micros > 0 ? compute.sale : "none";

export const offersCompute = (state: State): boolean => saleIn(physicsOf(state)) !== "none";

/** Returns the run time of the next sale: the first end of a period after the last sale. */
export const nextSaleAt = (state: State): number => {
  const { physics, compute } = worldRow(state);
  const { period_ms } = physics.compute;
  return (Math.floor(compute.lastSaleMs / period_ms) + 1) * period_ms;
};

/** The price that a lot costs now, or would have cost at the last sale. 0 if it is free. */
export const presentPrice = (state: State): number => {
  const { physics, compute } = worldRow(state);
  const { minimum_price, posted_price } = physics.compute;
  const sale = saleIn(physics);
  if (sale === "posted") return posted_price;
  return sale === "auction" ? (compute.results.at(-1)?.price ?? minimum_price) : 0;
};

/** The micro-dollars of one supply, or fewer if the sum of all budgets would be too large. */
export const microsOffered = (state: State): number => {
  const { physics, budget } = worldRow(state);
  return Math.min(physics.compute.supply_micros, issuable(budget));
};

export const lotsOffered = (state: State): number =>
  Math.floor(microsOffered(state) / physicsOf(state).compute.lot_micros);

/** Returns the lots of the present period that a posted sale has not sold yet. */
export const lotsLeft = (state: State): number =>
  Math.max(0, lotsOffered(state) - worldRow(state).compute.sold);
