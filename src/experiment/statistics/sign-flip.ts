import { ARRANGEMENTS_MAX, monteCarloP } from "./resampling.ts";
import { ROUNDING } from "./sample.ts";

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
  return monteCarloP(({ bits }) => Math.abs(randomSum(sizes, bits)) >= limit);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

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

function randomSum(sizes: readonly number[], bits: () => number): number {
  let [sum, word] = [0, 0];
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at] ?? 0;
    if (at % 32 === 0) word = bits();
    sum += (word & 1) === 0 ? size : -size;
    word >>>= 1;
  }
  return sum;
}
