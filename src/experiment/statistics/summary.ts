import type { Interval, Summary } from "../result/result.ts";
import { bootstrapInterval } from "./resampling.ts";
import { type Moments, momentsOf, quantileOf } from "./sample.ts";
import { criticalT } from "./student-t.ts";

/**
 * Describes a sample, in the unit of its values. Each interval is for the mean. One value gives no
 * standard deviation and no interval; equal values give intervals of width 0. A value that is not
 * finite is a bug of the caller.
 */
export function summaryOf(values: readonly number[]): Summary {
  // The order of the values has no meaning, so it must not change the resamples or the rounding.
  const ascending = [...values].sort((a, b) => a - b);
  const moments = momentsOf(ascending);
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
export function tInterval({ n, mean, sd }: Moments): Interval | null {
  if (sd === null) return null;
  const margin = (criticalT(n - 1) * sd) / Math.sqrt(n);
  return [mean - margin, mean + margin];
}

/** The bootstrap interval of one sample's mean. The resamples depend on the order of the values. */
export function meanBootstrap(
  values: readonly number[],
  { n, mean, sd }: Moments,
): Interval | null {
  if (sd === null) return null;
  if (sd === 0) return [mean, mean];
  return bootstrapInterval([values], n - 1, Math.sqrt(n / (n - 1)));
}
