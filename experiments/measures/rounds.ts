import type { MeasuredRun } from "catallaxy";
import { giniByRound } from "./exchange-gini.ts";

/** The number of rounds that were played. */
export default (run: MeasuredRun): number => giniByRound(run).length;
