import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Interval } from "../result/result.ts";
import { quantileOf } from "./sample.ts";
import { criticalT, normalCdf } from "./student-t.ts";

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
