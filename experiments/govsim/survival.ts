import type { MeasuredRun } from "catallaxy";
import { lakeOf, MONTHS } from "./lake.ts";

/** The number of months that began with fish in the lake, at most 12 (survival time). */
export default (run: MeasuredRun): number => {
  const collapse = lakeOf(run).months.find(({ next }) => next === 0);
  return collapse === undefined ? MONTHS : collapse.round + 1;
};
