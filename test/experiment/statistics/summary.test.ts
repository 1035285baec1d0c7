import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Interval, Summary } from "../../../src/experiment/index.ts";
import { summaryOf } from "../../../src/experiment/statistics/summary.ts";

/** Extra hours of sleep with the second drug minus the first (Student, 1908). */
const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];

const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 2, maxLength: 12 });

const near = (actual: Interval | null, expected: Interval | null, precision = 6): void => {
  expect(actual === null).toBe(expected === null);
  for (const at of [0, 1] as const) {
    expect(actual?.[at] ?? 0).toBeCloseTo(expected?.[at] ?? 0, precision);
  }
};

describe("a summary", () => {
  it("agrees with R for Student's sleep data", () => {
    const summary = summaryOf(SLEEP);
    expect(summary).toMatchObject({ n: 10, median: 1.3 });
    expect(summary.mean).toBeCloseTo(1.58, 12);
    expect(summary.sd).toBeCloseTo(1.2299955, 6);
    near(summary.ci95, [0.7001142, 2.4598858]);
  });

  it("repeats its bootstrap interval, which is wider than plain percentiles", () => {
    // The plain percentiles of the same resamples are [0.94, 2.39].
    near(summaryOf(SLEEP).ci95_bootstrap, [0.8448929, 2.59]);
  });

  it("takes the quantiles that R and NumPy take", () => {
    const { median, q05, q95 } = summaryOf([10, 1, 9, 2, 8, 3, 7, 4, 6, 5]);
    expect(median).toBe(5.5);
    expect(q05).toBeCloseTo(1.45, 12);
    expect(q95).toBeCloseTo(9.55, 12);
  });

  it("resamples all means of two values", () => {
    // Half of the resamples repeat one value, and the expanded percentiles reach all of them.
    expect(summaryOf([3, 5]).ci95_bootstrap).toEqual([3, 5]);
  });

  it("has a bootstrap interval near the t interval if the values are symmetric", () => {
    const even = Array.from({ length: 41 }, (_, at) => at - 20);
    const { ci95, ci95_bootstrap } = summaryOf(even);
    near(ci95_bootstrap, ci95, 0);
    expect(ci95_bootstrap).not.toEqual(ci95);
  });

  it("has a bootstrap interval that is longer on the side of the long tail", () => {
    const { mean, ci95_bootstrap } = summaryOf([0, 0, 0, 0, 1, 1, 1, 2, 3, 12]);
    const [low, high] = ci95_bootstrap ?? [0, 0];
    expect(high - (mean ?? 0)).toBeGreaterThan(1.3 * ((mean ?? 0) - low));
  });

  it("of no values has only the number 0", () => {
    const nothing = { mean: null, sd: null, median: null, q05: null, q95: null };
    expect(summaryOf([])).toEqual({ n: 0, ...nothing, ci95: null, ci95_bootstrap: null });
  });

  it("of one value has neither a spread nor an interval", () => {
    const one = { n: 1, mean: 7, median: 7, q05: 7, q95: 7 };
    expect(summaryOf([7])).toEqual({ ...one, sd: null, ci95: null, ci95_bootstrap: null });
  });

  it("of equal values has intervals of width 0, also if their mean is rounded", () => {
    const { mean, sd, ci95, ci95_bootstrap } = summaryOf([0.1, 0.1, 0.1, 0.3 - 0.2]);
    expect(sd).toBe(0);
    expect(ci95).toEqual([mean, mean]);
    expect(ci95_bootstrap).toEqual([mean, mean]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses %f", (value) => {
    expect(() => summaryOf([1, value])).toThrow("statistics need finite values");
    expect(() => summaryOf([value])).toThrow("statistics need finite values");
  });
});

const bounds = (summary: Summary): readonly number[] =>
  [summary.ci95, summary.ci95_bootstrap].flatMap((interval) => interval ?? []);

describe("every summary", () => {
  it("is the same for any order of the values", () => {
    fc.assert(
      fc.property(values, (some) => {
        expect(summaryOf(some.toReversed())).toEqual(summaryOf(some));
        expect(summaryOf(some.toSorted())).toEqual(summaryOf(some));
      }),
      { numRuns: 20 },
    );
  });

  it("moves with its values and scales with them", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: -500, max: 500 }), (some, shift) => {
        const [before, after] = [summaryOf(some), summaryOf(some.map((x) => 3 * x + shift))];
        expect(after.sd).toBeCloseTo(3 * (before.sd ?? 0), 6);
        const names = ["mean", "median", "q05", "q95"] as const;
        for (const name of names) {
          expect(after[name]).toBeCloseTo(3 * (before[name] ?? 0) + shift, 6);
        }
        for (const [at, bound] of bounds(before).entries()) {
          expect(bounds(after)[at]).toBeCloseTo(3 * bound + shift, 6);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("has intervals around its mean, and no resample outside of its values", () => {
    fc.assert(
      fc.property(values, (some) => {
        const { mean, ci95, ci95_bootstrap } = summaryOf(some);
        for (const [low, high] of [ci95 ?? [1, 0], ci95_bootstrap ?? [1, 0]]) {
          expect(low).toBeLessThanOrEqual(mean ?? 0);
          expect(high).toBeGreaterThanOrEqual(mean ?? 0);
        }
        expect(ci95_bootstrap?.[0]).toBeGreaterThanOrEqual(Math.min(...some));
        expect(ci95_bootstrap?.[1]).toBeLessThanOrEqual(Math.max(...some));
      }),
      { numRuns: 20 },
    );
  });
});
