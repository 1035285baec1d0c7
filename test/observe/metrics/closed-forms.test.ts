import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hhi } from "../../../src/observe/metrics/concentration.ts";
import { components, density, reciprocity } from "../../../src/observe/metrics/directed-graph.ts";
import { gini } from "../../../src/observe/metrics/gini.ts";
import { lorenz } from "../../../src/observe/metrics/lorenz.ts";
import {
  divisionOfLabour,
  entropy,
  specialisation,
} from "../../../src/observe/metrics/specialisation.ts";

const amounts = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 40 });
const someAmounts = amounts.filter((list) => list.some((amount) => amount > 0));

describe("the Gini coefficient", () => {
  it.each([
    [[], 0],
    [[0, 0], 0],
    [[7], 0],
    [[5, 5, 5, 5], 0],
    [[0, 0, 0, 12], 0.75],
    [[1, 3], 0.25],
    [[4, 1, 3, 2], 0.25],
  ])("of %j is %d", (list, expected) => {
    expect(gini(list)).toBeCloseTo(expected, 12);
  });

  it("is half the mean difference of two over the mean", () => {
    fc.assert(
      fc.property(someAmounts, (list) => {
        const mean = list.reduce((sum, each) => sum + each, 0) / list.length;
        const apart = list.flatMap((a) => list.map((b) => Math.abs(a - b)));
        const meanApart = apart.reduce((sum, each) => sum + each, 0) / list.length ** 2;
        expect(gini(list)).toBeCloseTo(meanApart / (2 * mean), 9);
      }),
    );
  });
});

describe("the Lorenz curve", () => {
  it("gives the poorest the first points", () => {
    expect(lorenz([6, 1, 3])).toEqual([
      { population: 0, wealth: 0 },
      { population: 1 / 3, wealth: 0.1 },
      { population: 2 / 3, wealth: 0.4 },
      { population: 1, wealth: 1 },
    ]);
  });

  it.each([[[]], [[0, 0]]])("of %j, where there is nothing to share, is the diagonal", (list) => {
    const points = lorenz(list);
    expect(points.every(({ population, wealth }) => population === wealth)).toBe(true);
    expect(points.at(-1)).toEqual({ population: 1, wealth: 1 });
  });

  it("has half the Gini coefficient between itself and the diagonal", () => {
    fc.assert(
      fc.property(someAmounts, (list) => {
        const points = lorenz(list);
        const below = points.slice(1).reduce((area, point, at) => {
          const before = points[at] ?? { population: 0, wealth: 0 };
          const width = point.population - before.population;
          return area + (width * (point.wealth + before.wealth)) / 2;
        }, 0);
        expect(1 - 2 * below).toBeCloseTo(gini(list), 9);
      }),
    );
  });
});

describe("concentration", () => {
  it.each([
    [[], 0],
    [[0], 0],
    [[9], 1],
    [[2, 2, 2, 2], 0.25],
    [[3, 1], 0.625],
  ])("of %j is %d", (list, expected) => {
    expect(hhi(list)).toBeCloseTo(expected, 12);
  });

  it("does not care who is asked first, nor for those who have nothing", () => {
    fc.assert(
      fc.property(someAmounts, (list) => {
        expect(hhi([0, ...list.toReversed()])).toBeCloseTo(hhi(list), 12);
      }),
    );
  });
});

describe("specialisation", () => {
  it.each([
    [[5, 0, 0, 0], 1],
    [[5, 5, 5, 5], 0],
    [[1, 1, 0, 0], 0.5],
  ])("of an income %j is %d", (income, expected) => {
    expect(specialisation(income)).toBeCloseTo(expected, 12);
  });

  it.each([[[0, 0]], [[5]], [[]]])("of an income %j says nothing", (income) => {
    expect(specialisation(income)).toBeNull();
  });
});

describe("the division of labour", () => {
  it.each([
    [
      "each does one thing alone",
      [
        [4, 0],
        [0, 4],
      ],
      1,
    ],
    [
      "all do everything alike",
      [
        [2, 2],
        [3, 3],
      ],
      0,
    ],
    [
      "only one thing is done",
      [
        [5, 0],
        [3, 0],
      ],
      0,
    ],
    [
      "nothing is done",
      [
        [0, 0],
        [0, 0],
      ],
      0,
    ],
    ["there is nobody", [], 0],
  ])("where %s is %#", (_what, rows, expected) => {
    expect(divisionOfLabour(rows)).toBeCloseTo(expected, 12);
  });

  it("is what knowing who takes away of the doubt of what", () => {
    const table = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)), { minLength: 1 });
    fc.assert(
      fc.property(table, (rows) => {
        const total = rows.flat().reduce((sum, each) => sum + each, 0);
        const what = entropy([0, 1, 2].map((at) => rows.reduce((s, r) => s + (r[at] ?? 0), 0)));
        fc.pre(total > 0 && what > 0);
        const left = rows.reduce((sum, row) => {
          const mine = row.reduce((a, b) => a + b, 0);
          return mine === 0 ? sum : sum + (mine / total) * entropy(row);
        }, 0);
        expect(divisionOfLabour(rows)).toBeCloseTo((what - left) / what, 9);
      }),
    );
  });
});

const arrowsOf = (pairs: readonly (readonly [string, string])[]) => {
  const arrows = new Map<string, Map<string, null>>();
  for (const [from, to] of pairs) arrows.set(from, (arrows.get(from) ?? new Map()).set(to, null));
  return arrows;
};

describe("a network", () => {
  const arrows = arrowsOf([
    ["a", "b"],
    ["b", "a"],
    ["b", "c"],
    ["d", "e"],
  ]);

  it("is as dense as many of its possible arrows are there", () => {
    expect(density(5, 4)).toBe(0.2);
    expect(density(2, 2)).toBe(1);
    expect(density(1, 0)).toBe(0);
    expect(density(0, 0)).toBe(0);
  });

  it("is mutual so far as arrows are answered", () => {
    expect(reciprocity(arrows)).toBe(0.5);
    expect(reciprocity(arrowsOf([]))).toBe(0);
  });

  it("falls into parts between which there is no arrow", () => {
    expect(components(["a", "b", "c", "d", "e", "f"], arrows)).toEqual([3, 2, 1]);
    expect(components([], arrowsOf([]))).toEqual([]);
  });

  it("has the parts that a walk finds", () => {
    const node = fc.constantFrom(..."abcdefghijkl");
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node)), (pairs) => {
        const walked = partsByWalking([..."abcdefghijkl"], pairs);
        expect(components("abcdefghijkl", arrowsOf(pairs))).toEqual(walked);
      }),
    );
  });
});

/** The sizes of the parts, by walking from each node as far as one comes. */
const partsByWalking = (
  nodes: readonly string[],
  pairs: readonly (readonly [string, string])[],
): readonly number[] => {
  const seen = new Set<string>();
  const sizes: number[] = [];
  for (const start of nodes) {
    const part = new Set([start]);
    for (const here of part) {
      for (const [from, to] of pairs) {
        if (from === here) part.add(to);
        if (to === here) part.add(from);
      }
    }
    if (!seen.has(start)) sizes.push(part.size);
    for (const each of part) seen.add(each);
  }
  return sizes.sort((a, b) => b - a);
};
