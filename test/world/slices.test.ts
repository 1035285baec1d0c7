import { expect, it } from "vitest";
import { inSlices } from "../../src/world/slices.ts";

/** A clock that continues by one at each look. */
const ticking = (): (() => number) => {
  let now = 0;
  return () => now++;
};

it("hands out all items in order, in slices that are short to make", async () => {
  const items = Array.from({ length: 10 }, (_, n) => n);
  const slices: (readonly number[])[] = [];
  const bounds = { sliceMsMax: 3, nowMs: ticking() };
  for await (const slice of inSlices(items, bounds)) slices.push(slice);
  expect(slices.flat()).toEqual(items);
  expect(slices.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
});

it("lets other work have its turn after each slice", async () => {
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

it("takes its first items before anything else can happen", () => {
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

it("has one slice of nothing for no items", async () => {
  const slices: unknown[] = [];
  for await (const slice of inSlices([])) slices.push(slice);
  expect(slices).toEqual([[]]);
});
