import type { Contrast } from "../result/result.ts";
import { labelP, signFlipP } from "./permutation.ts";
import { bootstrapInterval } from "./resampling.ts";
import { magnitudeOf, momentsOf, ROUNDING, type Sample } from "./sample.ts";
import { criticalT, detectableNoncentrality } from "./student-t.ts";
import { meanBootstrap, tInterval } from "./summary.ts";

type Estimates = Omit<Contrast, "a" | "b" | "paired" | "p_holm">;

const NO_ESTIMATES: Estimates = {
  n: 0,
  mean: null,
  ci95: null,
  ci95_bootstrap: null,
  p: null,
  effect: null,
  detectable: null,
};

/**
 * Compares sample `a` with its control `b`, in the unit of the values. `paired` compares the values
 * of common seeds and leaves out seeds with only one value. One value or pair gives only a mean.
 * Equal differences give an interval of width 0 and neither `effect` nor `detectable`, because
 * both need a spread. `p_holm` is null until `correctByHolm` sets it.
 */
export function contrastOf(a: Sample, b: Sample, paired: boolean): Contrast {
  const compared = paired ? comparePairs(a, b) : compareMeans(a, b);
  return { a: a.cell, b: b.cell, paired, ...compared, p_holm: null };
}

function comparePairs(a: Sample, b: Sample): Estimates {
  const seeds = [...a.values.keys()].filter((seed) => b.values.has(seed)).sort((x, y) => x - y);
  const pairs = seeds.map((seed) => [a.values.get(seed) ?? 0, b.values.get(seed) ?? 0] as const);
  const magnitude = magnitudeOf(pairs.flat());
  const differences = pairs.map(([x, y]) => rounded(x - y, magnitude));
  const moments = momentsOf(differences, magnitude);
  if (moments === null) return NO_ESTIMATES;
  const { n, mean, sd } = moments;
  if (sd === null) return { ...NO_ESTIMATES, n, mean };
  const error = sd / Math.sqrt(n);
  return {
    n,
    mean,
    ci95: tInterval(moments),
    ci95_bootstrap: meanBootstrap(differences, moments),
    p: signFlipP(differences),
    effect: sd === 0 ? null : mean / sd,
    detectable: sd === 0 ? null : error * detectableNoncentrality(n - 1),
  };
}

/** A difference of the size of rounding errors is 0. */
const rounded = (difference: number, magnitude: number): number =>
  Math.abs(difference) <= ROUNDING * magnitude ? 0 : difference;

function compareMeans(a: Sample, b: Sample): Estimates {
  const [left, right] = [valuesBySeed(a), valuesBySeed(b)];
  const magnitude = magnitudeOf([...left, ...right]);
  const [x, y] = [momentsOf(left, magnitude), momentsOf(right, magnitude)];
  if (x === null || y === null) return NO_ESTIMATES;
  const n = Math.min(x.n, y.n);
  const mean = rounded(x.mean - y.mean, magnitude);
  if (x.sd === null || y.sd === null) return { ...NO_ESTIMATES, n, mean };
  const p = mean === 0 ? 1 : labelP(left, right);
  if (x.sd === 0 && y.sd === 0) {
    return { ...NO_ESTIMATES, n, mean, ci95: [mean, mean], ci95_bootstrap: [mean, mean], p };
  }
  const [varianceX, varianceY] = [x.sd ** 2, y.sd ** 2];
  const [errorX, errorY] = [varianceX / x.n, varianceY / y.n];
  const error = Math.sqrt(errorX + errorY);
  // Welch, "The generalization of Student's problem", 1947.
  const df = (errorX + errorY) ** 2 / (errorX ** 2 / (x.n - 1) + errorY ** 2 / (y.n - 1));
  const margin = criticalT(df) * error;
  const shrunk = Math.sqrt((errorX * (x.n - 1)) / x.n + (errorY * (y.n - 1)) / y.n);
  const dfPooled = x.n + y.n - 2;
  const pooled = ((x.n - 1) * varianceX + (y.n - 1) * varianceY) / dfPooled;
  return {
    n,
    mean,
    ci95: [mean - margin, mean + margin],
    ci95_bootstrap: bootstrapInterval([left, right], df, error / shrunk),
    p,
    effect: mean / Math.sqrt(pooled),
    detectable: error * detectableNoncentrality(df),
  };
}

const valuesBySeed = ({ values }: Sample): readonly number[] =>
  [...values].sort(([x], [y]) => x - y).map(([, value]) => value);
