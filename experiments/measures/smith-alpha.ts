import type { MeasuredRun } from "catallaxy";
import { marketOf, smithAlpha } from "./double-auction.ts";

/** Smith's coefficient of convergence in percent over all periods (Smith, 1962), or null. */
export default (run: MeasuredRun): number | null => smithAlpha(marketOf(run));
