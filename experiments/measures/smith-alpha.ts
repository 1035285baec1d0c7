import type { MeasuredRun } from "catallaxy";
import { equilibriumPrice, marketOf, priceError } from "./double-auction.ts";

/**
 * Smith's coefficient of convergence in percent: the standard deviation of prices around the
 * equilibrium price, divided by this price (Smith, 1962). Null without trades.
 */
export default (run: MeasuredRun): number | null => {
  const market = marketOf(run);
  const error = priceError(market);
  return error === null ? null : (100 * error) / equilibriumPrice(market);
};
