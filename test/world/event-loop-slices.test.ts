import { expect, it } from "vitest";
import { inSlices } from "../../src/world/core/event-loop-slices.ts";

/** A clock that advances by 1 ms each time it is read. */
const ticking = (): (() => number) => {
  let now = 0;
  return () => now++;
};

it("yields all items in order, in slices limited by time", async () => {
  const items = Array.from({ length: 10 }, (_, n) => n);
  const slices: (readonly number[])[] = [];
  const bounds = { sliceMsMax: 3, nowMs: ticking() };
  for await (const slice of inSlices(items, bounds)) slices.push(slice);
  expect(slices.flat()).toEqual(items);
  expect(slices.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
});

it("lets other work run after each slice", async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    again = setImmediate(count);
  };
  let again = setImmediate(count);
  const seen: number[] = [];
  const bounds = { sliceMsMax: 1, nowMs: ticking() };
  for await (const _ of inSlices("abcd", bounds)) seen.push(turns);
  clearImmediate(again);
  for (const [at, turn] of seen.entries()) expect(turn).toBeGreaterThanOrEqual(at);
  expect(seen.at(-1)).toBeGreaterThan(2);
});

it("takes the first items synchronously", () => {
  const taken: string[] = [];
  function* items(): Generator<string> {
    for (const item of ["a", "b"]) {
      taken.push(item);
      yield item;
    }
  }
  void inSlices(items(), { sliceMsMax: 1, nowMs: ticking() }).next();
  expect(taken).toEqual(["a"]);
});

it("yields one empty slice for no items", async () => {
  const slices: unknown[] = [];
  for await (const slice of inSlices([])) slices.push(slice);
  expect(slices).toEqual([[]]);
});
