import { describe, expect, it } from "vitest";
import { mergeSort } from "../../../src/world/state-codec/merge-sort.ts";

/** Distinct keys, unsorted. */
const keysOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `${(n * 7_919) % count}_${n}`);

const walked = (keys: readonly string[]) => {
  const steps = mergeSort(
    keys,
    keys.map((key) => `row of ${key}`),
  );
  let pauses = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { entries: step.value, pauses };
    expect(step.value).toBe("");
    pauses += 1;
  }
};

describe("mergeSort", () => {
  it.each([0, 1, 2, 2_047, 2_048, 2_049, 4_097, 11_000])("sorts %i rows by key", (count) => {
    const keys = keysOf(count);
    const { entries } = walked(keys);
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : 1));
    expect(entries).toEqual(sorted.map((key) => [key, `row of ${key}`]));
  });

  it("works in steps, so that other work can run in between", () => {
    expect(walked(keysOf(1_000)).pauses).toBe(1);
    expect(walked(keysOf(20_000)).pauses).toBeGreaterThan(15);
  });
});
