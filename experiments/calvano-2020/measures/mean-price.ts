import type { MeasuredRun } from "catallaxy";
import { latePeriods, mean } from "./periods.ts";

/** The mean price in the unit of the paper: costs are 1. Null if no period is complete. */
export default (run: MeasuredRun): number | null => {
  const price = mean(latePeriods(run).flatMap(({ prices }) => prices));
  return price === null ? null : price / 1_000;
};
