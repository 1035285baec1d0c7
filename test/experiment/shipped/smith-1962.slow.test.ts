import { describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { modelRuns } from "./shipped-experiment.ts";
import { shippedExperiments } from "./shipped-folder.ts";

const shipped = shippedExperiments();

describe("Smith's market, with one seed", () => {
  it("converges with traders that learn, and not with random prices", () => {
    const result: ExperimentResult = shipped.run("smith-1962", "--seeds", "1..1");
    const mean = (measure: string, arm: string) => result.measures[measure]?.arms[arm]?.mean;
    expect(result.complete).toBe(true);
    expect(mean("alpha_4", "zip")).toBeLessThan(12);
    expect(mean("alpha_change", "zip")).toBeLessThan(-2);
    expect(mean("alpha_4", "zi_c")).toBeGreaterThan(12);
    for (const arm of ["zip", "zi_c"]) {
      const sides = Number(mean("buyers_surplus", arm)) + Number(mean("sellers_surplus", arm));
      expect(sides).toBeCloseTo(Number(mean("efficiency", arm)), 9);
      expect(sides).toBeGreaterThan(80);
      expect(sides).toBeLessThanOrEqual(100);
    }
  });

  it("has the same market for language models", () => {
    expect(modelRuns(shipped.folder, "smith-1962")).toBe(1);
  });
});
