import { describe, expect, it } from "vitest";
import {
  criticalT,
  detectableNoncentrality,
  normalCdf,
  powerOf,
} from "../../../src/experiment/statistics/summary.ts";

describe("Student's t", () => {
  // Printed tables: t for a two-sided level of 0.05.
  it.each([
    [1, 12.706],
    [2, 4.303],
    [5, 2.571],
    [10, 2.228],
    [30, 2.042],
    [120, 1.98],
  ])("with %i degrees of freedom has the critical value %f", (df, critical) => {
    expect(criticalT(df)).toBeCloseTo(critical, 3);
  });

  it("accepts the fractions of degrees of freedom that Welch's formula gives", () => {
    expect(criticalT(17.776)).toBeCloseTo(2.1028213, 7);
  });
});

describe("the normal distribution", () => {
  it.each([
    [0, 0.5],
    [-1.959964, 0.025],
    [-3.090232, 0.001],
    [-40, 0],
  ])("is below %f with probability %f", (z, probability) => {
    expect(normalCdf(z)).toBeCloseTo(probability, 7);
  });
});

describe("power", () => {
  it("is that of R's power.t.test(n = 20, delta = 1, sd = 1)", () => {
    expect(powerOf(38, Math.sqrt(20 / 2))).toBeCloseTo(0.8689528, 7);
  });

  it("is that of R's power.t.test(power = 0.90, delta = 1), which finds n = 22.02110", () => {
    const n = 22.0211;
    expect(powerOf(2 * n - 2, Math.sqrt(n / 2))).toBeCloseTo(0.9, 6);
  });

  it.each([1, 2, 4, 9, 19, 199])("is 80 %% at the detectable difference, df = %i", (df) => {
    expect(powerOf(df, detectableNoncentrality(df))).toBeCloseTo(0.8, 7);
  });

  it("needs 2.8016 standard errors if the spread is known", () => {
    // The quantiles of the normal distribution: 1.959964 + 0.841621.
    expect(detectableNoncentrality(1e5)).toBeCloseTo(2.8016, 3);
  });
});
