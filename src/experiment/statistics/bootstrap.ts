import type { Interval } from "../result/result.ts";
import { type Draws, RESAMPLES, startDraws } from "./resampling.ts";
import { quantileOf } from "./sample.ts";
import { criticalT, normalCdf } from "./student-t.ts";

/** What a bootstrap interval estimates: the mean of `a`, or the mean of `a` minus that of `b`. */
export type BootstrapInput = {
  readonly a: readonly number[];
  readonly b?: readonly number[];
  /** Degrees of freedom of the t interval for the same mean. */
  readonly df: number;
  /** The standard error of that t interval, divided by the spread of resampled means. */
  readonly ratio: number;
};

/**
 * The expanded percentile bootstrap interval of a mean (Hesterberg, "What Teachers Should Know
 * About the Bootstrap", 2015). Resampled means spread less than true means, by √((n - 1) / n), and
 * a percentile interval takes normal quantiles instead of those of t. So the plain interval is too
 * narrow for few values. The expanded interval takes more extreme percentiles: those that give the
 * t interval if the resampled means are normal. For two samples, `ratio` takes the place of
 * √(n / (n - 1)).
 */
export function bootstrapInterval({ a, b, df, ratio }: BootstrapInput): Interval {
  const draws = startDraws();
  const means = resampledMeans(a, draws);
  if (b !== undefined) {
    for (const [at, mean] of resampledMeans(b, draws).entries())
      means[at] = (means[at] ?? 0) - mean;
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
