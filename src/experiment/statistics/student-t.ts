import jStat from "jstat";
import { memoized } from "../../kernel/index.ts";

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
