import type { MeasuredRun } from "catallaxy";
import { marketOf, surplusShare } from "./double-auction.ts";

/** The gains of buyers in percent of the greatest possible gains of all traders. */
export default (run: MeasuredRun): number => 100 * surplusShare(marketOf(run), "buyers");
