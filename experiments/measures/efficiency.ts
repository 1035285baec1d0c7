import type { MeasuredRun } from "catallaxy";
import { efficiency, marketOf } from "./double-auction.ts";

/** Allocative efficiency in percent (Smith, 1962). */
export default (run: MeasuredRun): number => 100 * efficiency(marketOf(run));
