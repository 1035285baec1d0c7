import type { Contrast } from "../result/result.ts";
import {
  bootstrapInterval,
  criticalT,
  type Draws,
  detectableNoncentrality,
  magnitudeOf,
  meanAndSdOf,
  meanBootstrap,
  RESAMPLES,
  ROUNDING,
  type Sample,
  startDraws,
  tInterval,
} from "./summary.ts";

/** Up to this number of arrangements, a permutation test counts all of them. */
const ARRANGEMENTS_MAX = 2 ** 19;

/**
 * The p-value of a permutation test that draws random arrangements. `isExtreme` draws one and says
 * whether its statistic is at least as far from 0 as the observed one. The observed arrangement
 * counts as a draw, so that p is never 0 (Phipson and Smyth, "Permutation P-values Should Never Be
 * Zero", 2010).
 */
function monteCarloP(isExtreme: (draws: Draws) => boolean): number {
  const draws = startDraws();
  let count = 1;
  for (let i = 0; i < RESAMPLES; i++) if (isExtreme(draws)) count += 1;
  return count / (RESAMPLES + 1);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * The p-value of the sign-flip test for paired differences (Fisher, "The Design of Experiments",
 * 1935). If each difference is as likely as its negative, all choices of signs are equally likely.
 * The p-value is the share of choices whose sum is at least as far from 0 as the observed sum. The
 * test counts all choices for up to 20 differences other than 0, and draws random ones for more.
 * Returns 1 if all differences are 0.
 */
export function signFlipP(differences: readonly number[]): number {
  // Differences of 0 and the observed signs do not change the distribution of the sum.
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  sizes.sort((a, b) => b - a);
  // Sums that differ by rounding errors are equal.
  const limit = Math.abs(sumOf(differences)) - ROUNDING * sumOf(sizes);
  if (limit <= 0) return 1;
  // The other half of the choices has the same sums with the other sign.
  const half = 2 ** (sizes.length - 1);
  if (half <= ARRANGEMENTS_MAX) return countSigns(sizes, limit) / half;
  return monteCarloP(({ bits }) => {
    let sum = 0;
    let word = 0;
    for (let at = 0; at < sizes.length; at++) {
      if (at % 32 === 0) word = bits();
      // Without a branch, which a processor would guess wrong half of the time.
      sum += (sizes[at] ?? 0) * (1 - 2 * (word & 1));
      word >>>= 1;
    }
    return Math.abs(sum) >= limit;
  });
}

/**
 * How many choices of signs give a sum of at least ±`limit`. The first sign is plus. `sizes` are
 * in descending order, so that most branches end early.
 */
function countSigns(sizes: readonly number[], limit: number): number {
  const rests = sizes.map((_, at) => sumOf(sizes.slice(at)));
  const count = (at: number, sum: number): number => {
    const rest = rests[at] ?? 0;
    const distance = Math.abs(sum);
    if (distance - rest >= limit) return 2 ** (sizes.length - at);
    if (distance + rest < limit) return 0;
    const size = sizes[at] ?? 0;
    return count(at + 1, sum + size) + count(at + 1, sum - size);
  };
  return count(1, sizes[0] ?? 0);
}

/** The sums of the values with one of the two labels. */
type Labelled = { readonly n: number; readonly sum: number; readonly squares: number };

/**
 * The p-value of the permutation test for two independent samples of at least two values each. If
 * the labels do not matter, each choice of values for the smaller sample is equally likely. The
 * statistic is Welch's |t|, so that many values give a valid test of equal means, also if the
 * samples have different spreads (Janssen, "Studentized permutation tests", 1997). The test counts
 * all choices if there are at most 2^19, and draws random ones if there are more.
 */
export function labelP(a: readonly number[], b: readonly number[]): number {
  const smaller = a.length <= b.length ? a : b;
  const n = smaller.length;
  const centre = sumOf([...a, ...b]) / (a.length + b.length);
  const pool = [...a, ...b].map((value) => value - centre).sort((x, y) => x - y);
  const all = labelled(pool);
  const observed = absoluteT(all, labelled(smaller.map((value) => value - centre)));
  if (observed === 0) return 1;
  // Statistics that differ by less than this part of them are equal.
  const limit = observed * (1 - 1e-9);
  const isExtreme = (chosen: Labelled): boolean => absoluteT(all, chosen) >= limit;
  // The binomial coefficient: how many sets of `n` values there are in the pool.
  let choices = 1;
  for (let i = 1; i <= n; i++) choices = (choices * (pool.length - n + i)) / i;
  choices = Math.round(choices);
  if (choices <= ARRANGEMENTS_MAX) return countChoices(pool, n, isExtreme) / choices;
  return monteCarloP((draws) => isExtreme(drawChoice(pool, n, draws)));
}

const labelled = (values: readonly number[]): Labelled => ({
  n: values.length,
  sum: sumOf(values),
  squares: sumOf(values.map((value) => value * value)),
});

/** Welch's |t| of the chosen values against the others. Infinite if only the means differ. */
function absoluteT(all: Labelled, chosen: Labelled): number {
  const others = {
    n: all.n - chosen.n,
    sum: all.sum - chosen.sum,
    squares: all.squares - chosen.squares,
  };
  const difference = Math.abs(chosen.sum / chosen.n - others.sum / others.n);
  if (difference * difference <= ROUNDING * all.squares) return 0;
  const variance = varianceOfMean(chosen) + varianceOfMean(others);
  return variance <= ROUNDING * all.squares
    ? Number.POSITIVE_INFINITY
    : difference / Math.sqrt(variance);
}

const varianceOfMean = ({ n, sum, squares }: Labelled): number =>
  (squares - (sum * sum) / n) / (n - 1) / n;

/** How many sets of `n` values of the pool are extreme. */
function countChoices(
  pool: readonly number[],
  n: number,
  isExtreme: (chosen: Labelled) => boolean,
): number {
  const count = (at: number, left: number, sum: number, squares: number): number => {
    if (left === 0) return isExtreme({ n, sum, squares }) ? 1 : 0;
    let extremes = 0;
    for (let next = at; next <= pool.length - left; next++) {
      const value = pool[next] ?? 0;
      extremes += count(next + 1, left - 1, sum + value, squares + value * value);
    }
    return extremes;
  };
  return count(0, n, 0, 0);
}

/** Moves `n` random values to the front of the pool (Fisher and Yates) and adds them up. */
function drawChoice(pool: number[], n: number, { index }: Draws): Labelled {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < n; at++) {
    const other = at + index(pool.length - at);
    const value = pool[other] ?? 0;
    pool[other] = pool[at] ?? 0;
    pool[at] = value;
    sum += value;
    squares += value * value;
  }
  return { n, sum, squares };
}

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
  const moments = meanAndSdOf(differences, magnitude);
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
  const [x, y] = [meanAndSdOf(left, magnitude), meanAndSdOf(right, magnitude)];
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
