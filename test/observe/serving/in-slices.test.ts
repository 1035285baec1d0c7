import { afterEach, expect, it, vi } from "vitest";
import { inSlices } from "../../../src/observe/serving/index.ts";

afterEach(() => vi.restoreAllMocks());

it("lets other work run after each slice of rows", async () => {
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
  const taken: number[] = [];
  const pauses: number[] = [];
  const rows = Array.from({ length: 200 }, (_, at) => at);
  const otherWork = (): void => {
    pauses.push(taken.length);
    if (taken.length < rows.length) setImmediate(otherWork);
  };
  const reading = inSlices(rows, (row) => {
    taken.push(row);
    nowMs += 0.25;
  });
  otherWork();
  await reading;
  expect(taken).toEqual(rows);
  // A slice has 8 ms, and the clock is read after every 32 rows.
  expect(new Set(pauses)).toEqual(new Set([32, 64, 96, 128, 160, 192]));
});
