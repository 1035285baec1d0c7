import type { MeasuredRun } from "catallaxy";
import { MONOPOLY, NASH } from "../minds/duopoly.ts";
import { latePeriods, mean } from "./periods.ts";

/**
 * The mean profit of a firm, in percent of the way from static equilibrium (0) to joint monopoly
 * (100): Δ of Calvano et al. (2020). Null if no period is complete.
 */
export default (run: MeasuredRun): number | null => {
  const profit = mean(latePeriods(run).flatMap(({ profits }) => profits));
  if (profit === null) return null;
  return (100 * (profit - NASH.profit)) / (MONOPOLY.profit - NASH.profit);
};
