import type { MeasuredRun } from "catallaxy";
import { marketOf, smithAlphaIn } from "../../measures/double-auction.ts";

/** Smith's coefficient of convergence in period 1, in percent. Null without trades. */
export default (run: MeasuredRun): number | null => smithAlphaIn(marketOf(run), 1);
