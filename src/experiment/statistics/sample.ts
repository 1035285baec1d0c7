import { mean, quantileSorted, sampleStandardDeviation } from "simple-statistics";
import { invariant } from "../../kernel/index.ts";

/** The values of one measure in one cell, by seed. Seeds without a value are left out. */
export type Sample = { readonly cell: string; readonly values: ReadonlyMap<number, number> };

/**
 * The relative size of rounding errors. A figure is the result of many additions, so two figures
 * that should be equal can differ in their last digits.
 */
export const ROUNDING = 1e-12;

/** The number, mean and standard deviation (with n - 1) of values. `sd` is null if n < 2. */
export type Moments = { readonly n: number; readonly mean: number; readonly sd: number | null };

/**
 * Returns null without values. A standard deviation of the size of rounding errors counts as 0.
 * `magnitude` is the largest absolute value from which the values were computed.
 */
export function momentsOf(
  values: readonly number[],
  magnitude = magnitudeOf(values),
): Moments | null {
  const [first] = values;
  if (first === undefined) return null;
  if (values.length === 1) return { n: 1, mean: first, sd: null };
  const sd = sampleStandardDeviation(values);
  const isConstant = sd <= ROUNDING * magnitude;
  return { n: values.length, mean: mean(values), sd: isConstant ? 0 : sd };
}

/** The largest absolute value, 0 without values. A value that is not finite is a bug. */
export const magnitudeOf = (values: readonly number[]): number => {
  let magnitude = 0;
  for (const value of values) {
    invariant(Number.isFinite(value), "statistics need finite values");
    magnitude = Math.max(magnitude, Math.abs(value));
  }
  return magnitude;
};

/**
 * The quantile `p` (0 to 1) of ascending values: the linear interpolation between order statistics
 * that is the default of R and NumPy (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical
 * Packages", 1996). There is at least one value.
 */
export const quantileOf = (ascending: readonly number[], p: number): number =>
  quantileSorted(ascending, p);
