import { type Draws, RESAMPLES, startDraws } from "./resampling.ts";
import { ROUNDING } from "./sample.ts";

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
    let [sum, word] = [0, 0];
    for (const [at, size] of sizes.entries()) {
      if (at % 32 === 0) word = bits();
      sum += (word & 1) === 0 ? size : -size;
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
