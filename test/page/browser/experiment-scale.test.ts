import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  levelsOf,
  scaleOf,
} from "../../../src/page/browser/dashboard/views/many-runs/experiment/scale.ts";

const VALUE = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe("a scale", () => {
  it("has a place for each of its values, in their order", () => {
    fc.assert(
      fc.property(fc.array(VALUE, { minLength: 1 }), (values) => {
        const { placeOf } = scaleOf(values);
        const places = values.toSorted((a, b) => a - b).map(placeOf);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const place of places) {
          expect(place).toBeGreaterThan(0);
          expect(place).toBeLessThan(100);
        }
      }),
    );
  });

  it("has round ticks", () => {
    expect(scaleOf([0, 1]).ticks).toEqual([0, 0.5, 1]);
    expect(scaleOf([0.02, 0.31]).ticks).toEqual([0.1, 0.2, 0.3]);
    expect(scaleOf([-30, 70]).ticks).toEqual([0, 50]);
  });

  it("has room around values that are all the same, and no ticks without values", () => {
    const { placeOf, ticks } = scaleOf([5, 5]);
    expect(placeOf(5)).toBeCloseTo(50);
    expect(ticks).toContain(5);
    expect(scaleOf([]).ticks).toEqual([]);
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
