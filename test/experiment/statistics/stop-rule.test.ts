import { describe, expect, it } from "vitest";
import type { Interval } from "../../../src/experiment/index.ts";
import { contrastOf } from "../../../src/experiment/statistics/contrast.ts";
import { isNarrow } from "../../../src/experiment/statistics/measure-results.ts";
import { summaryOf } from "../../../src/experiment/statistics/summary.ts";
import { sampleOf } from "./random-samples.ts";

const NO_CONTRAST = contrastOf(sampleOf("share", []), sampleOf("burn", []), true);

const stops = (
  intervals: readonly { readonly n: number; readonly ci95: Interval | null }[],
  arms = { burn: summaryOf([1, 90]) },
): boolean => {
  const differences = intervals.map((each) => ({ ...NO_CONTRAST, ...each }));
  return isNarrow({ says: "", arms, differences }, 0.5);
};

describe("a stop rule", () => {
  it.each([
    { says: "one narrow interval", all: [{ n: 5, ci95: [0, 0.5] as const }], stop: true },
    { says: "a wide interval", all: [{ n: 50, ci95: [0, 0.51] as const }], stop: false },
    { says: "fewer than 5 pairs", all: [{ n: 4, ci95: [0, 0.1] as const }], stop: false },
    { says: "no interval", all: [{ n: 9, ci95: null }], stop: false },
    {
      says: "one wide interval of two",
      all: [
        { n: 9, ci95: [0, 0.1] as const },
        { n: 9, ci95: [-1, 0.1] as const },
      ],
      stop: false,
    },
    { says: "equal differences", all: [{ n: 5, ci95: [3, 3] as const }], stop: true },
  ])("for $says: $stop", ({ all, stop }) => {
    expect(stops(all)).toBe(stop);
  });

  it("looks at the mean if there is one cell", () => {
    expect(stops([], { burn: summaryOf([1, 1.1, 1.2, 1.1, 1]) })).toBe(true);
    expect(stops([], { burn: summaryOf([1, 1.1, 1.2, 1.1]) })).toBe(false);
    expect(stops([], { burn: summaryOf([1, 2, 1.2, 1.1, 1]) })).toBe(false);
  });
});
