import { afterEach, expect, it, vi } from "vitest";
import { inSlices } from "../../../src/figures/index.ts";

afterEach(() => vi.restoreAllMocks());

it("begins each slice of rows only when the caller allows it", async () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const taken: number[] = [];
  const pauses: number[] = [];
  const rows = Array.from({ length: 200 }, (_, at) => at);
  const take = (row: number) => {
    taken.push(row);
    nowMs += 0.25;
  };
  await inSlices(rows, take, async () => {
    pauses.push(taken.length);
  });
  expect(taken).toEqual(rows);
  // A slice has 8 ms, and the clock is read after every 32 rows.
  expect(pauses).toEqual([32, 64, 96, 128, 160, 192]);
});
