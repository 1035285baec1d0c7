import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  components,
  density,
  divisionOfLabour,
  gini,
  hhi,
  lorenz,
  quantiles,
  reciprocity,
  specialisation,
} from "../../../src/figures/metrics/statistics.ts";

const amounts = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 40 });
const someAmounts = amounts.filter((list) => list.some((amount) => amount > 0));

it("finds quantiles between amounts", () => {
  expect(quantiles([30, 10, 20], [0, 0.25, 0.5, 1])).toEqual([10, 15, 20, 30]);
  expect(quantiles([7], [0.1, 0.9])).toEqual([7, 7]);
  expect(quantiles([], [0.5])).toEqual([]);
});

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
});

describe("the Lorenz curve", () => {
  it("starts with the poorest", () => {
    expect(lorenz([6, 1, 3])).toEqual([
      { population: 0, wealth: 0 },
      { population: 1 / 3, wealth: 0.1 },
      { population: 2 / 3, wealth: 0.4 },
      { population: 1, wealth: 1 },
    ]);
  });

  it.each([[[]], [[0, 0]]])("of %j is the diagonal", (list) => {
    const points = lorenz(list);
    expect(points.every(({ population, wealth }) => population === wealth)).toBe(true);
    expect(points.at(-1)).toEqual({ population: 1, wealth: 1 });
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

  it("ignores the order, and amounts of 0", () => {
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

  it.each([[[0, 0]], [[5]], [[]]])("of an income %j is null", (income) => {
    expect(specialisation(income)).toBeNull();
  });
});

it.each([
  ["each does one thing alone", ["40", "04"], 1],
  ["all do the same", ["22", "33"], 0],
  ["only one thing is done", ["50", "30"], 0],
  ["nothing is done", ["00", "00"], 0],
  ["the table is empty", [], 0],
] as const)("the division of labour if %s, for rows %j, is %d", (_what, rows, expected) => {
  expect(divisionOfLabour(rows.map((row) => [...row].map(Number)))).toBeCloseTo(expected, 12);
});

/** A graph from its arrows: `ab` points from a to b. */
const arrowsOf = (...pairs: readonly string[]) => {
  const arrows = new Map<string, Map<string, null>>();
  for (const [from = "", to = ""] of pairs) {
    arrows.set(from, (arrows.get(from) ?? new Map()).set(to, null));
  }
  return arrows;
};

describe("a network", () => {
  const arrows = arrowsOf("ab", "ba", "bc", "de");

  it("has a density: the share of possible arrows that exist", () => {
    expect(density(5, 4)).toBe(0.2);
    expect(density(2, 2)).toBe(1);
    expect(density(1, 0)).toBe(0);
    expect(density(0, 0)).toBe(0);
  });

  it("has a reciprocity: the share of arrows with an answer", () => {
    expect(reciprocity(arrows)).toBe(0.5);
    expect(reciprocity(arrowsOf())).toBe(0);
  });

  it("has components without arrows between them", () => {
    expect(components(["a", "b", "c", "d", "e", "f"], arrows)).toEqual([3, 2, 1]);
    expect(components([], arrowsOf())).toEqual([]);
  });

  it("has the components that a walk finds", () => {
    const node = fc.constantFrom(..."abcdefghijkl");
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node).map((pair) => pair.join(""))), (pairs) => {
        const walked = partsByWalking([..."abcdefghijkl"], pairs);
        expect(components("abcdefghijkl", arrowsOf(...pairs))).toEqual(walked);
      }),
    );
  });
});

/** The sizes of the components, by walking from each node. */
const partsByWalking = (nodes: readonly string[], pairs: readonly string[]): readonly number[] => {
  const seen = new Set<string>();
  const sizes: number[] = [];
  for (const start of nodes) {
    const part = new Set([start]);
    for (const here of part) {
      for (const [from, to] of pairs) {
        if (from === here) part.add(to ?? here);
        if (to === here) part.add(from ?? here);
      }
    }
    if (!seen.has(start)) sizes.push(part.size);
    for (const each of part) seen.add(each);
  }
  return sizes.sort((a, b) => b - a);
};
