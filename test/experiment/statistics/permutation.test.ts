import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { labelP, signFlipP } from "../../../src/experiment/statistics/contrast.ts";
import { samplesFrom } from "./random-samples.ts";

describe("the sign-flip test", () => {
  it("gives Fisher's p for Darwin's plants: 1,726 of 32,768 choices of signs", () => {
    // Heights of crossed minus self-fertilised plants, in eighths of an inch (Fisher, 1935).
    const plants = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlipP(plants)).toBe(1_726 / 32_768);
  });

  it.each([
    { says: "two signs of five are extreme", differences: [1, 2, 3, 4, 5], p: 2 / 2 ** 5 },
    { says: "zeros do not count", differences: [1, 2, 0, 0, 3, 4, 5], p: 2 / 2 ** 5 },
    { says: "all sums are as far from 0", differences: [4], p: 1 },
    { says: "the observed sum is 0", differences: [1, -1], p: 1 },
    { says: "all are 0", differences: [0, 0, 0], p: 1 },
    { says: "there is none", differences: [], p: 1 },
    // 0.1 + 0.2 - 0.3 is not exactly 0, but these sums are as far from 0 as each other.
    { says: "sums differ by rounding", differences: [0.3, -0.2, -0.1], p: 1 },
    { says: "sums are equal up to rounding", differences: [0.1, 0.2, 0.3, -0.3], p: 0.75 },
  ])("is exact if $says", ({ differences, p }) => {
    expect(signFlipP(differences)).toBe(p);
  });

  it("counts all choices up to 20 differences, and draws from 21", () => {
    const ones = Array.from({ length: 21 }, () => 1);
    expect(signFlipP(ones.slice(1))).toBe(2 / 2 ** 20);
    expect(signFlipP([...ones.slice(1), 0, 0, 0])).toBe(2 / 2 ** 20);
    expect(signFlipP(ones)).toBe(1 / 10_000);
  });

  it("draws choices whose p is near the exact one", () => {
    // Sums of 40 signs: the chance of at least 26 plus signs, or of at most 14, is 0.0807.
    const signs = Array.from({ length: 40 }, (_, at) => (at < 26 ? 1 : -1));
    const p = signFlipP(signs);
    expect(Math.abs(p - 0.0807)).toBeLessThan(0.01);
    expect((p * 10_000) % 1).toBeCloseTo(0, 6);
  });

  it("agrees with a count over all signs", () => {
    const some = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(some, (all) => {
        expect(signFlipP(all)).toBeCloseTo(everySign(all), 12);
      }),
    );
  });

  it("does not depend on order, sign or unit", () => {
    const size = fc.double({ min: -9, max: 9, noNaN: true });
    fc.assert(
      fc.property(fc.array(size, { minLength: 19, maxLength: 23 }), (all) => {
        const p = signFlipP(all);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        expect(signFlipP(all.toReversed())).toBe(p);
        expect(signFlipP(all.map((x) => -x))).toBe(p);
        expect(signFlipP(all.map((x) => 4 * x))).toBe(p);
      }),
      { numRuns: 20 },
    );
  });
});

/** The definition: all signs, one by one. */
function everySign(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  let count = 0;
  for (let signs = 0; signs < 2 ** differences.length; signs++) {
    const sum = differences.reduce(
      (all, value, at) => all + ((signs >> at) & 1 ? -value : value),
      0,
    );
    if (Math.abs(sum) >= observed) count += 1;
  }
  return count / 2 ** differences.length;
}

describe("the label permutation test", () => {
  it.each([
    { says: "two of twenty choices are extreme", a: [1, 2, 3], b: [4, 5, 6], p: 2 / 20 },
    { says: "sizes differ: one of ten", a: [1, 2], b: [7, 8, 9], p: 1 / 10 },
    { says: "the means are equal", a: [1, 3], b: [2, 2], p: 1 },
    { says: "all values are equal", a: [5, 5], b: [5, 5, 5], p: 1 },
    { says: "only the means differ", a: [0, 0, 0], b: [1, 1, 1], p: 2 / 20 },
    { says: "rounding gives a spread", a: [0.1, 0.1, 0.1], b: [0.3, 0.3, 0.3], p: 2 / 20 },
    { says: "rounding gives a difference", a: [0.1, 0.2, 0], b: [0.1 + 0.2, 0, 0], p: 1 },
    // The results of scipy.stats.permutation_test with the same statistic.
    {
      says: "SciPy counts 11 of 462",
      a: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4],
      b: [0.7, -1.6, -0.2, -1.2, -0.1],
      p: 11 / 462,
    },
    { says: "SciPy counts 43 of 56", a: [4, 18, 2], b: [4, 1, 7, 7, 7], p: 43 / 56 },
  ])("is exact if $says", ({ a, b, p }) => {
    expect(labelP(a, b)).toBeCloseTo(p, 12);
    expect(labelP(b, a)).toBeCloseTo(p, 12);
  });

  it("counts up to 2^19 choices, and draws if there are more", () => {
    const far = (n: number, start: number): number[] =>
      Array.from({ length: n }, (_, at) => start + at);
    expect(labelP(far(8, 0), far(8, 100))).toBeCloseTo(2 / 12_870, 12);
    expect(labelP(far(20, 0), far(20, 100))).toBe(1 / 10_000);
  });

  it("draws choices whose p is near that of Welch's t test", () => {
    // Student's sleep data twice: t = 2.7042 with 37.5 degrees of freedom, p = 0.0102.
    const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
    const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    expect(Math.abs(labelP([...first, ...first], [...second, ...second]) - 0.0102)).toBeLessThan(
      0.004,
    );
  });

  it("does not depend on order, sign or unit", () => {
    const { many, normal } = samplesFrom(5);
    for (const [n, m] of [
      [3, 6],
      [14, 15],
    ] as const) {
      const [a, b] = [many(n, normal), many(m, normal)];
      const p = labelP(a, b);
      expect(labelP(b, a)).toBe(p);
      expect(labelP(a.toReversed(), b.toReversed())).toBe(p);
      const times4 = (all: readonly number[]): readonly number[] => all.map((x) => 4 * x);
      expect(labelP(times4(a), times4(b))).toBe(p);
    }
  });
});
