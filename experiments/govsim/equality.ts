import type { MeasuredRun } from "catallaxy";
import { gainsOf, lakeOf } from "./lake.ts";

/** 1 minus the Gini coefficient of what the fishers caught. Null if they caught nothing. */
export default (run: MeasuredRun): number | null => {
  const gains = gainsOf(lakeOf(run));
  const total = gains.reduce((sum, each) => sum + each, 0);
  if (total === 0) return null;
  const gaps = gains.flatMap((one) => gains.map((other) => Math.abs(one - other)));
  return 1 - gaps.reduce((sum, gap) => sum + gap, 0) / (2 * gains.length * total);
};
