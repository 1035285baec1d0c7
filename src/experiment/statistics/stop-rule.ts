import { must } from "../../kernel/index.ts";
import type { MeasureResult } from "../result/result.ts";

/** Fewer values estimate their own spread too badly to stop on it. */
const VALUES_MIN = 5;

/** The rule `stop.when` of an experiment. */
export type NarrowRule = {
  readonly measure: string;
  /** The largest width of a 95 % interval, in the unit of the measure. */
  readonly ci_width: number;
};

/**
 * Whether the t interval of every difference of the measure is at most `ci_width` wide and has at
 * least 5 values. Without differences, the same holds for the mean of each cell. The rule looks at
 * widths only, never at the sign or size of a difference, so stopping by it does not favour a
 * result (Chow and Robbins, "Fixed-width sequential confidence intervals for the mean", 1965).
 */
export function isNarrow(
  { measure, ci_width }: NarrowRule,
  results: { readonly [measure: string]: MeasureResult },
): boolean {
  const { arms, differences } = must(results[measure], "a stop rule names a measure");
  const estimates = differences.length > 0 ? differences : Object.values(arms);
  return estimates.every(({ n, ci95 }) => {
    return n >= VALUES_MIN && ci95 !== null && ci95[1] - ci95[0] <= ci_width;
  });
}
