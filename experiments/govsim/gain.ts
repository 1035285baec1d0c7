import type { MeasuredRun } from "catallaxy";
import { lakeOf, totalOf } from "./lake.ts";

/** The tons that all fishers caught in all months. */
export default (run: MeasuredRun): number => totalOf(lakeOf(run));
