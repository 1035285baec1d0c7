import type { MeasuredRun } from "catallaxy";
import { marketOf, smithAlphaIn } from "../../measures/double-auction.ts";

/** Smith's coefficient of convergence in period 3, in percent. Null without trades. */
export default (run: MeasuredRun): number | null => smithAlphaIn(marketOf(run), 3);
