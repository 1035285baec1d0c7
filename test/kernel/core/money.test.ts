import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { overflows } from "../../../src/kernel/core/money.ts";
import { isAmount, isAmountOrZero } from "../../../src/kernel/index.ts";

const LARGEST = Number.MAX_SAFE_INTEGER;

/** Values, whether they are amounts, and whether they are amounts or 0. */
const TRIED: readonly (readonly [what: unknown, amount: boolean, orZero: boolean])[] = [
  [1, true, true],
  [LARGEST, true, true],
  [0, false, true],
  [-0, false, false],
  [-1, false, false],
  [LARGEST + 1, false, false],
  [2 ** 64, false, false],
  [0.5, false, false],
  [1.0000000000000002, false, false],
  [Number.NaN, false, false],
  [Number.POSITIVE_INFINITY, false, false],
  [Number.NEGATIVE_INFINITY, false, false],
  ["5", false, false],
  ["", false, false],
  [null, false, false],
  [undefined, false, false],
  [true, false, false],
  [5n, false, false],
  [[5], false, false],
  [{ valueOf: () => 5 }, false, false],
];

describe("an amount", () => {
  it.each(TRIED)("%s: is an amount: %s, is an amount or 0: %s", (what, amount, orZero) => {
    expect([isAmount(what), isAmountOrZero(what)]).toEqual([amount, orZero]);
  });

  it("overflows if the sum is not a safe integer", () => {
    expect(overflows(LARGEST, 1)).toBe(true);
    expect(overflows(LARGEST - 1, 1)).toBe(false);
    const amount = fc.integer({ min: 0, max: LARGEST });
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        expect(overflows(a, b)).toBe(BigInt(a) + BigInt(b) > BigInt(LARGEST));
      }),
    );
  });
});
