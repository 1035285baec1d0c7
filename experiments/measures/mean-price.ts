import type { MeasuredRun } from "catallaxy";
import { marketOf, meanPrice } from "./double-auction.ts";

/** The mean price of a traded unit in scrip, or null without trades. */
export default (run: MeasuredRun): number | null => meanPrice(marketOf(run));
