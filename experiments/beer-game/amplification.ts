import type { MeasuredRun } from "catallaxy";
import { echelonsOf, variance } from "./echelons.ts";

/**
 * The smallest amplification of a player: the variance of its orders divided by that of the orders of
 * its customer. Above 1, orders vary more at each step of the chain (the bullwhip effect).
 */
export default (run: MeasuredRun): number | null => {
  const all = echelonsOf(run);
  if (all === null) return null;
  const ratios = all.map(({ orders, demand }) => variance(orders) / variance(demand));
  const least = Math.min(...ratios);
  return Number.isFinite(least) ? least : null;
};
