import { describe, expect, it } from "vitest";
import type { ExperimentResult } from "../../../src/index.ts";
import { modelRuns } from "./shipped-experiment.ts";
import { shippedExperiments } from "./shipped-folder.ts";

const shipped = shippedExperiments();

describe("the duopoly of Calvano et al.", () => {
  it("has firms that collude after learning, and firms that compete", () => {
    const result: ExperimentResult = shipped.runShort("calvano-2020", 300);
    const gain = (arm: string) => result.measures.profit_gain?.arms[arm]?.mean;
    expect(gain("q_learning")).toBeGreaterThan(50);
    expect(gain("q_learning")).toBeLessThan(101);
    // The grid of prices has two equilibria, between which firms can also alternate.
    expect([-2.6, 4, 11.6]).toContainEqual(Number(gain("myopic")?.toFixed(1)));
    expect(gain("random")).toBeGreaterThan(20);
    expect(gain("random")).toBeLessThan(75);
  });

  it("has the same market for language models", () => {
    expect(modelRuns(shipped.folder, "calvano-2020")).toBe(1);
  });
});
