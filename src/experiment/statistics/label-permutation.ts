import { ARRANGEMENTS_MAX, type Draws, monteCarloP } from "./resampling.ts";
import { ROUNDING } from "./sample.ts";

/** Statistics that differ by less than this part of them are equal. */
const TIE = 1e-9;

/** The values with one of the two labels. */
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
  const centre = [...a, ...b].reduce((sum, value) => sum + value, 0) / (a.length + b.length);
  const pool = [...a, ...b].map((value) => value - centre).sort((x, y) => x - y);
  const all = labelled(pool);
  const observed = absoluteT(all, labelled(smaller.map((value) => value - centre)));
  if (observed === 0) return 1;
  const limit = observed * (1 - TIE);
  const isExtreme = (chosen: Labelled): boolean => absoluteT(all, chosen) >= limit;
  const choices = choicesOf(pool.length, smaller.length);
  if (choices <= ARRANGEMENTS_MAX) return countChoices(pool, smaller.length, isExtreme) / choices;
  return monteCarloP((draws) => isExtreme(drawChoice(pool, smaller.length, draws)));
}

const labelled = (values: readonly number[]): Labelled => ({
  n: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  squares: values.reduce((sum, value) => sum + value * value, 0),
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

/** The binomial coefficient: how many sets of `k` there are among `n`. */
function choicesOf(n: number, k: number): number {
  let count = 1;
  for (let i = 1; i <= k; i++) count = (count * (n - k + i)) / i;
  return Math.round(count);
}

function countChoices(
  pool: readonly number[],
  size: number,
  isExtreme: (chosen: Labelled) => boolean,
): number {
  const count = (at: number, left: number, { sum, squares }: Labelled): number => {
    if (left === 0) return isExtreme({ n: size, sum, squares }) ? 1 : 0;
    let extremes = 0;
    for (let next = at; next <= pool.length - left; next++) {
      const value = pool[next] ?? 0;
      const more = { n: size, sum: sum + value, squares: squares + value * value };
      extremes += count(next + 1, left - 1, more);
    }
    return extremes;
  };
  return count(0, size, { n: size, sum: 0, squares: 0 });
}

/** Moves `size` random values to the front of the pool (Fisher and Yates) and adds them up. */
function drawChoice(pool: number[], size: number, { index }: Draws): Labelled {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < size; at++) {
    const other = at + index(pool.length - at);
    const value = pool[other] ?? 0;
    pool[other] = pool[at] ?? 0;
    pool[at] = value;
    sum += value;
    squares += value * value;
  }
  return { n: size, sum, squares };
}
