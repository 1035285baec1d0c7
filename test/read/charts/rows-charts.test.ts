import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levelsOf } from "../../../src/read/charts/rows-picture.ts";
import { axisOf } from "../../../src/read/index.ts";

const VALUE = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe("an axis", () => {
  it("has a place for each of its values", () => {
    fc.assert(
      fc.property(fc.array(VALUE, { minLength: 1 }), (values) => {
        const { from, to } = axisOf(values);
        expect(from).toBeLessThan(Math.min(...values));
        expect(to).toBeGreaterThan(Math.max(...values));
      }),
    );
  });

  it("has round ticks", () => {
    expect(axisOf([0, 1]).ticks).toEqual([0, 0.5, 1]);
    expect(axisOf([0.02, 0.31]).ticks).toEqual([0.1, 0.2, 0.3]);
    expect(axisOf([-30, 70]).ticks).toEqual([0, 50]);
  });

  it("has room around values that are all the same, and no ticks without values", () => {
    const { from, to, ticks } = axisOf([5, 5]);
    expect((from + to) / 2).toBeCloseTo(5);
    expect(ticks).toContain(5);
    expect(axisOf([]).ticks).toEqual([]);
  });
});

describe("the levels of dots", () => {
  it("keep dots on one level apart, alternately above and below", () => {
    expect(levelsOf([10, 10, 10.5, 40, 10], 2)).toEqual([0, 1, 2, 0, -1]);
  });

  it("use the middle level again if there are more dots than levels", () => {
    expect(levelsOf(Array(8).fill(10), 2)).toEqual([0, 1, -1, 2, -2, 3, -3, 0]);
  });
});
