import type { MeasuredRun } from "catallaxy";
import { marketOf, pricesOf } from "./double-auction.ts";

/** The number of units that changed hands. */
export default (run: MeasuredRun): number => pricesOf(marketOf(run)).length;
