import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** How many random samples a bootstrap interval or a permutation test draws. */
export const RESAMPLES = 9_999;

/** Up to this number of arrangements, a permutation test counts all of them. */
export const ARRANGEMENTS_MAX = 2 ** 19;

const SEED = 20_261_124;
const DISCARDED = 8;
const WORD = 2 ** 32;

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
  const generator = xoroshiro128plus(SEED);
  for (let i = 0; i < DISCARDED; i++) generator.next();
  return {
    index: (below) => Math.floor(((generator.next() >>> 0) / WORD) * below),
    bits: () => generator.next(),
  };
}

/**
 * The p-value of a permutation test that draws random arrangements. `isExtreme` draws one and says
 * whether its statistic is at least as far from 0 as the observed one. The observed arrangement
 * counts as a draw, so that p is never 0 (Phipson and Smyth, "Permutation P-values Should Never Be
 * Zero", 2010).
 */
export function monteCarloP(isExtreme: (draws: Draws) => boolean): number {
  const draws = startDraws();
  let count = 1;
  for (let i = 0; i < RESAMPLES; i++) if (isExtreme(draws)) count += 1;
  return count / (RESAMPLES + 1);
}
