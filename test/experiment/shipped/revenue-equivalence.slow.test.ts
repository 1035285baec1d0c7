import { describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { modelRuns } from "./shipped-experiment.ts";
import { shippedExperiments } from "./shipped-folder.ts";

const shipped = shippedExperiments();

/** The range of values is 1000 scrip: a tenth of a percent is one scrip. */
const SCRIP = 0.1;
const DUTCH_STEP = 10 * SCRIP;
const ENGLISH_STEP = 40 * SCRIP;

describe("three lots in each auction house", () => {
  it("bring what the theory says, for the values that were drawn", () => {
    const result: ExperimentResult = shipped.runShort("revenue-equivalence", 720);
    expect(result.runs.map(({ status }) => status)).toEqual(Array(6).fill("done"));
    for (const n of [2, 3, 5, 10]) {
      const revenue = (arm: string): number =>
        result.measures[`revenue_${n}`]?.arms[arm]?.mean ?? Number.NaN;
      const highest = revenue("truthful");
      const near = (arm: string, expected: number, most: number) =>
        expect(Math.abs(revenue(arm) - expected), `${arm} ${n}`).toBeLessThanOrEqual(most);
      near("first_price", (highest * (n - 1)) / n, SCRIP);
      // Bidders act within a second, so the price can fall by a step or two more.
      near("dutch", (highest * (n - 1)) / n, 3 * DUTCH_STEP);
      near("english", revenue("vickrey"), ENGLISH_STEP);
      expect(revenue("vickrey")).toBeLessThan(highest);
      expect(revenue("zero_intelligence")).toBeLessThan(highest);
      expect(revenue("vickrey")).toBeGreaterThan(0);
    }
  });

  it("can be sold to language models", () => {
    expect(modelRuns(shipped.folder, "revenue-equivalence")).toBe(1);
  });
});
