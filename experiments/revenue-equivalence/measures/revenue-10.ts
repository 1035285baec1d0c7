import type { MeasuredRun } from "catallaxy";
import { meanRevenue } from "./auctions.ts";

/** The mean revenue of a lot with 10 bidders, in percent of the highest possible value. */
export default (run: MeasuredRun): number | null => meanRevenue(run, "house_10");
