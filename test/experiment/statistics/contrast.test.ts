import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Contrast } from "../../../src/experiment/index.ts";
import { contrastOf } from "../../../src/experiment/statistics/contrast.ts";
import { sampleOf } from "./random-samples.ts";

/** Extra hours of sleep with each of two drugs (Student, 1908; `sleep` in R). */
const FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
const SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

const NOTHING = { mean: null, ci95: null, ci95_bootstrap: null, p: null, p_holm: null };

const compare = (a: readonly number[], b: readonly number[], paired = true): Contrast =>
  contrastOf(sampleOf("share", a), sampleOf("burn", b), paired);

describe("a paired contrast", () => {
  it("agrees with R for Student's sleep data", () => {
    const contrast = compare(SECOND, FIRST);
    expect(contrast).toMatchObject({ a: "share", b: "burn", paired: true, n: 10, p_holm: null });
    expect(contrast.mean).toBeCloseTo(1.58, 12);
    expect(contrast.ci95?.[0]).toBeCloseTo(0.7001142, 6);
    expect(contrast.ci95?.[1]).toBeCloseTo(2.4598858, 6);
    // Nine differences are positive and one is 0.
    expect(contrast.p).toBe(2 / 2 ** 9);
    // 1.58 / 1.2299955.
    expect(contrast.effect).toBeCloseTo(1.2845576, 6);
  });

  it("detects what R's power.t.test(n = 10, power = 0.8, type = 'paired') says", () => {
    // 3.1496357 (the noncentrality for 9 degrees of freedom) · 1.2299955 / √10.
    expect(compare(SECOND, FIRST).detectable).toBeCloseTo(1.2250783, 5);
  });

  it("compares the values of one seed, and leaves out seeds with one value", () => {
    const a = {
      cell: "a",
      values: new Map([
        [3, 30],
        [1, 11],
        [2, 22],
        [9, 1],
      ]),
    };
    const b = {
      cell: "b",
      values: new Map([
        [1, 10],
        [2, 20],
        [3, 27],
        [8, 5],
      ]),
    };
    expect(contrastOf(a, b, true)).toMatchObject({ n: 3, mean: 2, ci95_bootstrap: [1, 3] });
  });

  it("without a common seed has only the number 0", () => {
    const far = sampleOf("burn", [1, 2, 3], 50);
    const contrast = contrastOf(sampleOf("share", [1, 2, 3]), far, true);
    expect(contrast).toMatchObject({ n: 0, ...NOTHING, effect: null, detectable: null });
  });

  it("of one pair has only a mean", () => {
    const contrast = compare([5], [3]);
    expect(contrast).toMatchObject({ ...NOTHING, n: 1, mean: 2, effect: null, detectable: null });
  });

  it("of equal values has p = 1 and an interval at 0", () => {
    const contrast = compare([1, 5, 3], [1, 5, 3]);
    const none = { n: 3, mean: 0, ci95: [0, 0], ci95_bootstrap: [0, 0], p: 1 };
    expect(contrast).toMatchObject({ ...none, effect: null, detectable: null });
  });

  it("takes differences in the last digits of large figures for rounding", () => {
    const a = [0.1 + 0.2, 0.7 + 0.1, 1e3, 4, 5, 6];
    const b = [0.3, 0.8, 1e3 + 1e-12, 4, 5, 6];
    expect(compare(a, b)).toMatchObject({ mean: 0, ci95: [0, 0], p: 1 });
  });

  it("of equal differences has an interval of width 0, and a p from the number of pairs", () => {
    const contrast = compare([1.1, 2.1, 3.1, 4.1, 5.1], [1, 2, 3, 4, 5]);
    expect(contrast).toMatchObject({ n: 5, p: 2 / 2 ** 5, effect: null, detectable: null });
    expect(contrast.ci95?.[0]).toBe(contrast.ci95?.[1]);
  });
});

describe("an unpaired contrast", () => {
  it("agrees with R's Welch test for Student's sleep data", () => {
    const contrast = compare(SECOND, FIRST, false);
    expect(contrast).toMatchObject({ paired: false, n: 10 });
    expect(contrast.mean).toBeCloseTo(1.58, 12);
    expect(contrast.ci95?.[0]).toBeCloseTo(-0.2054832, 6);
    expect(contrast.ci95?.[1]).toBeCloseTo(3.3654832, 6);
    // Welch's p is 0.0794.
    expect(contrast.p).toBeCloseTo(0.0794, 2);
    // Cohen's d with the pooled standard deviation.
    expect(contrast.effect).toBeCloseTo(0.8321811, 6);
    expect(contrast.detectable).toBeCloseTo(2.5174339, 5);
  });

  it("has a bootstrap interval near Welch's, in which each sample is resampled alone", () => {
    const { ci95_bootstrap } = compare(SECOND, FIRST, false);
    expect(ci95_bootstrap?.[0]).toBeCloseTo(-0.2, 1);
    expect(ci95_bootstrap?.[1]).toBeCloseTo(3.35, 1);
  });

  it("has the n of the smaller sample", () => {
    expect(compare([1, 2, 3, 4], [7, 9], false)).toMatchObject({ n: 2, mean: -5.5 });
  });

  it.each([
    { says: "no value", a: [], n: 0, mean: null },
    { says: "one value", a: [4], n: 1, mean: 2 },
  ])("with $says on one side has no interval", ({ a, n, mean }) => {
    const contrast = compare(a, [1, 3], false);
    expect(contrast).toMatchObject({ ...NOTHING, n, mean, effect: null, detectable: null });
  });

  it("of two constant samples has an interval of width 0", () => {
    const contrast = compare([4, 4, 4], [1, 1, 1], false);
    const constant = { mean: 3, ci95: [3, 3], ci95_bootstrap: [3, 3], p: 0.1 };
    expect(contrast).toMatchObject({ ...constant, effect: null, detectable: null });
    expect(compare([4, 4, 4], [4, 4, 4], false)).toMatchObject({ mean: 0, ci95: [0, 0], p: 1 });
  });

  it("takes a difference in the last digits for rounding", () => {
    const sum = 0.1 + 0.2;
    const contrast = compare([sum, sum, sum], [0.3, 0.3, 0.3], false);
    expect(contrast).toMatchObject({ mean: 0, ci95: [0, 0], p: 1 });
  });
});

it.each([true, false])("refuses values that are not finite (paired: %s)", (paired) => {
  expect(() => compare([1, Number.NaN], [1, 2], paired)).toThrow("statistics need finite values");
  expect(() => compare([1, 2], [1, -1 / 0], paired)).toThrow("statistics need finite values");
});

const figure = fc.integer({ min: -50, max: 50 });
const pairs = fc.array(fc.tuple(figure, figure), { minLength: 2, maxLength: 8 });

const near = (actual: readonly number[] | null, expected: readonly number[] | null): void => {
  expect(actual?.length).toBe(expected?.length);
  for (const [at, bound] of (expected ?? []).entries()) expect(actual?.[at]).toBeCloseTo(bound, 6);
};

const mirrored = (interval: Contrast["ci95"]) =>
  interval === null ? null : [-interval[1], -interval[0]];

describe("every contrast", () => {
  it.each([true, false])("is mirrored if its cells swap places (paired: %s)", (paired) => {
    fc.assert(
      fc.property(pairs, (some) => {
        const [x, y] = [some.map(([each]) => each), some.map(([, each]) => each)];
        const [there, back] = [compare(x, y, paired), compare(y, x, paired)];
        expect(back.mean).toBeCloseTo(-(there.mean ?? 0), 9);
        near(back.ci95, mirrored(there.ci95));
        expect(back.p).toBe(there.p);
        expect(back.effect ?? 0).toBeCloseTo(-(there.effect ?? 0), 9);
        expect(back.detectable ?? 0).toBeCloseTo(there.detectable ?? 0, 9);
        if (paired) near(back.ci95_bootstrap, mirrored(there.ci95_bootstrap));
      }),
      { numRuns: 8 },
    );
  });

  it.each([true, false])("has the unit of its values, and no origin (paired: %s)", (paired) => {
    fc.assert(
      fc.property(pairs, figure, (some, shift) => {
        const [x, y] = [some.map(([each]) => each), some.map(([, each]) => each)];
        const before = compare(x, y, paired);
        const moved = (all: readonly number[]) => all.map((each) => 8 * each + shift);
        const after = compare(moved(x), moved(y), paired);
        expect(after.mean).toBeCloseTo(8 * (before.mean ?? 0), 9);
        near(after.ci95, before.ci95?.map((bound) => 8 * bound) ?? null);
        near(after.ci95_bootstrap, before.ci95_bootstrap?.map((bound) => 8 * bound) ?? null);
        expect(after.p).toBe(before.p);
        expect(after.effect ?? 0).toBeCloseTo(before.effect ?? 0, 9);
        expect(after.detectable ?? 0).toBeCloseTo(8 * (before.detectable ?? 0), 6);
      }),
      { numRuns: 8 },
    );
  });

  it.each([true, false])("does not depend on the order of the runs (paired: %s)", (paired) => {
    const backwards = (cell: string, all: readonly number[]) => ({
      cell,
      values: new Map([...sampleOf(cell, all).values].reverse()),
    });
    const contrast = contrastOf(backwards("share", SECOND), backwards("burn", FIRST), paired);
    expect(contrast).toEqual(compare(SECOND, FIRST, paired));
  });
});
