import jStat from "jstat";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { mean, quantileSorted, sampleStandardDeviation } from "simple-statistics";
import { invariant, memoized } from "../../kernel/index.ts";
import type { Interval, Summary } from "../result/result.ts";

/** The two-sided level of all tests and intervals. */
export const LEVEL = 0.05;

/** The value that |t| exceeds with probability 0.05, for `df` > 0 degrees of freedom. */
export const criticalT = (df: number): number => jStat.studentt.inv(1 - LEVEL / 2, df);

/** The probability that a standard normal value is at most `z`. */
export const normalCdf = (z: number): number => jStat.normal.cdf(z, 0, 1);

/**
 * The power of a two-sided t test at the 5 % level: the probability that t exceeds its critical
 * value if t has the noncentrality `ncp` ≥ 0. As in R's `power.t.test`, the chance that the test
 * rejects on the wrong side is left out. From 0.025 to 1 (Cohen, "Statistical Power Analysis for
 * the Behavioral Sciences", 1988).
 */
export const powerOf = (df: number, ncp: number, critical = criticalT(df)): number =>
  1 - jStat.noncentralt.cdf(critical, df, ncp);

/**
 * The noncentrality with which a t test has 80 % power at the 5 % level, found by bisection. The
 * smallest difference that this test detects is the noncentrality times its standard error. The
 * measures of an experiment mostly have the same degrees of freedom, so results are kept.
 */
export const detectableNoncentrality = memoized((df: number): number => {
  const critical = criticalT(df);
  // 80 % power needs at most 3.6 more than the critical value: with one degree of freedom.
  let [low, high] = [critical, critical + 4];
  // Halving the range this often leaves less than the errors of jstat, about 1e-7.
  for (let i = 0; i < 26; i++) {
    const middle = (low + high) / 2;
    if (powerOf(df, middle, critical) < 0.8) low = middle;
    else high = middle;
  }
  return high;
});

/** The values of one measure in one cell, by seed. Seeds without a value are left out. */
export type Sample = { readonly cell: string; readonly values: ReadonlyMap<number, number> };

/**
 * The relative size of rounding errors. A figure is the result of many additions, so two figures
 * that should be equal can differ in their last digits.
 */
export const ROUNDING = 1e-12;

/** The number, mean and standard deviation (with n - 1) of values. `sd` is null if n < 2. */
type MeanAndSd = { readonly n: number; readonly mean: number; readonly sd: number | null };

/**
 * Returns null without values. A standard deviation of the size of rounding errors counts as 0.
 * `magnitude` is the largest absolute value from which the values were computed.
 */
export function meanAndSdOf(
  values: readonly number[],
  magnitude = magnitudeOf(values),
): MeanAndSd | null {
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

/** How many random samples a bootstrap interval or a permutation test draws. */
export const RESAMPLES = 9_999;

/** A random sequence of integers. */
export type Draws = {
  /** The next integer from 0 to `below` - 1; `below` is far smaller than 2^32. */
  readonly index: (below: number) => number;
  /** The next 32 random bits. */
  readonly bits: () => number;
};

/**
 * Every interval and every test starts the same sequence. The result then depends on the values
 * alone: not on other measures, on the seeds of the runs, or on the order of the computations.
 */
export function startDraws(): Draws {
  const generator = xoroshiro128plus(20_261_124);
  for (let i = 0; i < 8; i++) generator.next();
  return {
    index: (below) => Math.floor(((generator.next() >>> 0) / 2 ** 32) * below),
    bits: () => generator.next(),
  };
}

/**
 * The expanded percentile bootstrap interval (Hesterberg, "What Teachers Should Know About the
 * Bootstrap", 2015) of the mean of the first sample, minus the mean of the second if there is one.
 * Resampled means spread less than true means, by √((n - 1) / n), and a percentile interval takes
 * normal quantiles instead of those of t. So the plain interval is too narrow for few values. The
 * expanded interval takes more extreme percentiles: those that give the t interval if the resampled
 * means are normal. `df` are the degrees of freedom of this t interval. `ratio` is its standard
 * error divided by the spread of resampled means: √(n / (n - 1)) for one sample.
 */
export function bootstrapInterval(
  [a, b]: readonly [a: readonly number[], b?: readonly number[]],
  df: number,
  ratio: number,
): Interval {
  const draws = startDraws();
  const means = resampledMeans(a, draws);
  if (b !== undefined) {
    for (const [at, mean] of resampledMeans(b, draws).entries()) {
      means[at] = (means[at] ?? 0) - mean;
    }
  }
  const ascending = [...means.sort()];
  const tail = normalCdf(-criticalT(df) * ratio);
  return [quantileOf(ascending, tail), quantileOf(ascending, 1 - tail)];
}

function resampledMeans(values: readonly number[], draws: Draws): Float64Array {
  const means = new Float64Array(RESAMPLES);
  for (let at = 0; at < RESAMPLES; at++) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[draws.index(values.length)] ?? 0;
    means[at] = sum / values.length;
  }
  return means;
}

/**
 * Describes a sample, in the unit of its values. Each interval is for the mean. One value gives no
 * standard deviation and no interval; equal values give intervals of width 0. A value that is not
 * finite is a bug of the caller.
 */
export function summaryOf(values: readonly number[]): Summary {
  // The order of the values has no meaning, so it must not change the resamples or the rounding.
  const ascending = [...values].sort((a, b) => a - b);
  const moments = meanAndSdOf(ascending);
  if (moments === null) {
    const quantiles = { median: null, q05: null, q95: null };
    return { n: 0, mean: null, sd: null, ...quantiles, ci95: null, ci95_bootstrap: null };
  }
  return {
    ...moments,
    median: quantileOf(ascending, 0.5),
    q05: quantileOf(ascending, 0.05),
    q95: quantileOf(ascending, 0.95),
    ci95: tInterval(moments),
    ci95_bootstrap: meanBootstrap(ascending, moments),
  };
}

/** Student's interval of a mean (1908): mean ± t · sd / √n with n - 1 degrees of freedom. */
export function tInterval({ n, mean, sd }: MeanAndSd): Interval | null {
  if (sd === null) return null;
  const margin = (criticalT(n - 1) * sd) / Math.sqrt(n);
  return [mean - margin, mean + margin];
}

/** The bootstrap interval of one sample's mean. The resamples depend on the order of the values. */
export function meanBootstrap(
  values: readonly number[],
  { n, mean, sd }: MeanAndSd,
): Interval | null {
  if (sd === null) return null;
  if (sd === 0) return [mean, mean];
  return bootstrapInterval([values], n - 1, Math.sqrt(n / (n - 1)));
}
