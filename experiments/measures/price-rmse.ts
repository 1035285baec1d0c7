import type { MeasuredRun } from "catallaxy";
import { marketOf, priceError } from "./double-auction.ts";

/** The root mean square error of prices against the equilibrium price, in scrip, or null. */
export default (run: MeasuredRun): number | null => priceError(marketOf(run));
