import type { MeasuredRun } from "catallaxy";
import { equilibriumPrice, marketOf, meanPrice } from "./double-auction.ts";

/** How far the mean price is above the equilibrium price, in percent of the latter. Or null. */
export default (run: MeasuredRun): number | null => {
  const market = marketOf(run);
  const mean = meanPrice(market);
  const price = equilibriumPrice(market);
  return mean === null ? null : (100 * (mean - price)) / price;
};
