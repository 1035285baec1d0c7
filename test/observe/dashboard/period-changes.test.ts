import { expect, it } from "vitest";
import { changesIn } from "../../../src/observe/page/dashboard/views/period-changes.ts";

const FLOW = [0, 1, 2, 4, 8];
const TIMELINE = {
  at_ms: [0, 1_000, 2_000, 3_000, 4_000],
  supply: [100, 100, 110, 120, 130],
  gini: [0.1, 0.2, 0.3, 0.4, 0.5],
  price_index: [1, 1, 2, 2, 3],
  trades: FLOW,
  turnover: FLOW,
  minted: FLOW,
  burned: FLOW,
  refused: FLOW,
  wealth: [
    { id: "ada", order: 0, scrip: [9, 9, 9, 9, 9] },
    { id: "boole", order: 1, scrip: [5, 5, 8, 6, 6] },
    { id: "cora", order: 2, scrip: [5, 9, 9, 1, 1] },
  ],
} as unknown as Parameters<typeof changesIn>[0];

it("gives what changed between the samples at the ends of a period", () => {
  const { fromMs, toMs, figures, wealth, sums } = changesIn(TIMELINE, {
    fromMs: 1_400,
    toMs: 3_900,
  });
  expect([fromMs, toMs]).toEqual([1_000, 3_000]);
  expect(figures).toContainEqual({ name: "Gini", from: 0.2, to: 0.4 });
  expect(wealth).toEqual([
    { name: "cora", from: 9, to: 1 },
    { name: "boole", from: 5, to: 6 },
  ]);
  // What happened after the first sample, up to the last.
  expect(sums).toContainEqual(["trades", 6]);
});
