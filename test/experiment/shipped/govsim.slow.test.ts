import { beforeAll, describe, expect, it } from "vitest";
import equality from "../../../experiments/govsim/equality.ts";
import overUsage from "../../../experiments/govsim/over-usage.ts";
import survival from "../../../experiments/govsim/survival.ts";
import type { ExperimentResult, MeasuredRun } from "../../../src/index.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";
import { copyExperiments, meanOf, modelRuns, smallResult } from "./shipped-experiment.ts";

/** The most that can be caught in all months, by dynamic programming over all harvests. */
const mostCaught = (months: number): number => {
  const after = (left: number): number => (left < 5 ? 0 : Math.min(100, 2 * left));
  let best = Array.from({ length: 101 }, () => 0);
  for (let month = 0; month < months; month += 1) {
    const later = best;
    best = later.map((_, stock) => {
      const harvests = Array.from({ length: stock + 1 }, (_, tons) => tons);
      return Math.max(...harvests.map((tons) => tons + (later[after(stock - tons)] ?? 0)));
    });
  }
  return best[100] ?? 0;
};

it("can give 650 tons in 12 months", () => {
  expect(mostCaught(12)).toBe(650);
});

describe("the experiment on the fishery, with one seed", () => {
  const folder = sharedFolder();
  let result: ExperimentResult;
  beforeAll(() => {
    copyExperiments(folder);
    result = smallResult(folder, "govsim", "1..1");
  });
  const row = (arm: string) =>
    ["survival", "gain", "efficiency", "equality"].map((measure) => meanOf(result, measure, arm));

  it("gives the most with sustainable fishers, who survive", () => {
    expect(row("sustainable")).toEqual([12, mostCaught(12), 1, 1]);
    // Only in the last month they catch more than what would grow back.
    expect(meanOf(result, "over_usage", "sustainable")).toBeCloseTo(1 / 12, 12);
  });

  it("collapses in the first month with greedy fishers, and with a single one", () => {
    expect(row("greedy")).toEqual([1, 100, 100 / 600, 1]);
    expect(meanOf(result, "over_usage", "greedy")).toBe(1);
    // The greedy one gets the 60 tons that the others, with 10 tons each, leave.
    expect(row("mixed")).toEqual([1, 100, 100 / 600, expect.closeTo(0.6, 12)]);
  });

  it("catches less with random harvests", () => {
    expect(meanOf(result, "gain", "random")).toBeLessThan(600);
    expect(meanOf(result, "gain", "random")).toBeGreaterThan(100);
  });

  it("also runs with language models", () => {
    expect(modelRuns(folder, "govsim")).toBe(1);
  });
});

describe("the measures", () => {
  const run = (...results: readonly object[]) =>
    ({
      metrics: { principals: ["a", "b", "lake"].map((id) => ({ id, agent: id !== "lake" })) },
      events: () => [
        {
          event: {
            kind: "artifact_state_changed",
            artifact_id: "lake",
            state: JSON.stringify({ results }),
          },
        },
      ],
    }) as unknown as MeasuredRun;
  const month = (round: number, got: object, next = 100) => ({ round, stock: 100, got, next });

  it("count a collapse, and ignore what happens after the last month", () => {
    expect(survival(run(month(0, { a: 10 }), month(3, { a: 100 }, 0)))).toBe(4);
    expect(survival(run(month(12, { a: 100 }, 0)))).toBe(12);
  });

  it("count catches above an equal share of what grows back", () => {
    expect(overUsage(run(month(0, { a: 25, b: 26 }), month(1, { a: 1 })))).toBeCloseTo(1 / 3, 12);
    expect(overUsage(run())).toBeNull();
  });

  it("compare the catches of all fishers", () => {
    expect(equality(run(month(0, { a: 30 })))).toBe(0.5);
    expect(equality(run(month(0, { a: 30 }), month(1, { a: 10, b: 40 })))).toBe(1);
    expect(equality(run())).toBeNull();
  });
});
