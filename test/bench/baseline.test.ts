import { expect, it } from "vitest";
import { keptBaseline } from "../../bench/baseline.ts";
import type { Figure } from "../../bench/figure.ts";

const figure = (name: string, value: number, limit: number | null): Figure => ({
  name,
  value,
  unit: "ms",
  bar: null,
  limit: limit === null ? null : { name: "limit", value: limit },
});

it("keeps the ratios of benches that ran, and drops figures that they no longer have", () => {
  const before = {
    "mock/old": 1,
    "mock/wall time": 2,
    "mock-provider/rate": 7,
    "recall/recall": 3,
  };
  const figures = new Map([
    ["mock/wall time", figure("wall time", 12.3456, null)],
    ["actions/read", figure("read", 3, 2)],
  ]);
  const kept = keptBaseline(before, figures);
  expect(Object.entries(kept)).toEqual([
    ["actions/read", 1.5],
    ["mock-provider/rate", 7],
    ["mock/wall time", 12.3],
    ["recall/recall", 3],
  ]);
});
