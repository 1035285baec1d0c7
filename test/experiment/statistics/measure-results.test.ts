import { describe, expect, it } from "vitest";
import type { Contrast, Factors } from "../../../src/experiment/index.ts";
import { contrastOf } from "../../../src/experiment/statistics/contrast.ts";
import {
  correctByHolm,
  type FigureRow,
  resultsOf,
} from "../../../src/experiment/statistics/measure-results.ts";
import { sampleOf } from "./random-samples.ts";

const GINI = { name: "gini", says: "inequality of scrip, from 0 to 1" };

const cellOf = (arm: string, factors: Factors = {}) => {
  const point = Object.entries(factors).map(([name, value]) => `, ${name}=${value}`);
  return { cell: `${arm}${point.join("")}`, arm, factors };
};

/** Rows of one cell. The values belong to the seeds 1, 2, 3, … */
const rowsOf = (cell: string, values: readonly (number | null)[], firstSeed = 1): FigureRow[] =>
  values.map((gini, at) => ({ cell, seed: firstSeed + at, status: "done", figures: { gini } }));

const comparisons = (differences: readonly Contrast[] | undefined) =>
  differences?.map(({ a, b }) => `${a} - ${b}`);

describe("results", () => {
  const cells = [cellOf("burn"), cellOf("share")];

  it("summarise each measure in each cell and compare it with the control", () => {
    const rows = [...rowsOf("share", [5, 7, 12]), ...rowsOf("burn", [4, 5, 9])];
    const { gini } = resultsOf({ measures: [GINI], cells, rows });
    expect(gini?.says).toBe("inequality of scrip, from 0 to 1");
    expect(Object.keys(gini?.arms ?? {})).toEqual(["burn", "share"]);
    expect(gini?.arms.burn).toMatchObject({ n: 3, mean: 6 });
    expect(gini?.arms.share).toMatchObject({ n: 3, mean: 8 });
    const difference = { a: "share", b: "burn", paired: true, n: 3, mean: 2, p: 0.25 };
    expect(gini?.differences).toEqual([expect.objectContaining({ ...difference, p_holm: 0.25 })]);
  });

  it("keep all cells and differences if no run is done", () => {
    const { gini } = resultsOf({ measures: [GINI], cells, rows: [] });
    expect(gini?.arms.share).toMatchObject({ n: 0, mean: null });
    expect(gini?.differences).toMatchObject([{ a: "share", b: "burn", paired: true, n: 0 }]);
  });

  it("count only runs that are done and have a value", () => {
    const [first, ...others] = rowsOf("share", [1, 2, 3, null, 5]);
    const failed = { ...rowsOf("share", [9])[0], status: "failed" } as FigureRow;
    const rows = [failed, ...others, ...rowsOf("burn", [1, 1, 1, 1, 1])];
    const { gini } = resultsOf({ measures: [GINI], cells, rows });
    expect(first?.seed).toBe(failed.seed);
    expect(gini?.arms.share).toMatchObject({ n: 3, mean: 10 / 3 });
    expect(gini?.differences).toMatchObject([{ n: 3, mean: 10 / 3 - 1 }]);
  });

  it("are the same for any order of the rows", () => {
    const rows = [...rowsOf("share", [0.5, 0.7, 0.1]), ...rowsOf("burn", [0.4, 0.5, 0.9])];
    const there = resultsOf({ measures: [GINI], cells, rows });
    expect(resultsOf({ measures: [GINI], cells, rows: rows.toReversed() })).toEqual(there);
  });

  it("compare unpaired if the cells share no seed", () => {
    const rows = [...rowsOf("share", [4, 6]), ...rowsOf("burn", [1, 3, 5], 10)];
    const { gini } = resultsOf({ measures: [GINI], cells, rows });
    expect(gini?.differences).toMatchObject([{ paired: false, n: 2, mean: 2 }]);
  });

  it("refuse two rows for one seed of a cell", () => {
    const rows = [...rowsOf("share", [4, 6]), ...rowsOf("share", [4])];
    expect(() => resultsOf({ measures: [GINI], cells, rows })).toThrow("at most one row");
  });

  it("take a measure named as a method of objects for missing if no run has it", () => {
    const measures = [{ name: "toString", says: "" }];
    const results = resultsOf({ measures, cells, rows: rowsOf("share", [1]) });
    expect(results.toString).toMatchObject({ arms: { share: { n: 0 } } });
  });
});

describe("the differences of a design", () => {
  it.each([
    { says: "one cell", cells: [cellOf("all")], pairs: [] },
    {
      says: "several arms: each with the first",
      cells: [cellOf("burn"), cellOf("share"), cellOf("keep")],
      pairs: ["share - burn", "keep - burn"],
    },
    {
      says: "arms and factors: each with the first arm at its point",
      cells: [
        cellOf("burn", { period: 30, fee: 1 }),
        cellOf("burn", { period: 60, fee: 1 }),
        cellOf("share", { fee: 1, period: 30 }),
        cellOf("share", { fee: 1, period: 60 }),
      ],
      pairs: [
        "share, fee=1, period=30 - burn, period=30, fee=1",
        "share, fee=1, period=60 - burn, period=60, fee=1",
      ],
    },
    {
      says: "one arm and factors: each with the first point",
      cells: [30, 60, 90].map((period) => cellOf("all", { period })),
      pairs: ["all, period=60 - all, period=30", "all, period=90 - all, period=30"],
    },
  ])("for $says", ({ cells, pairs }) => {
    const results = resultsOf({ measures: [GINI], cells, rows: [] });
    expect(comparisons(results.gini?.differences)).toEqual(pairs);
  });
});

describe("Holm's correction", () => {
  const withP = (p: number | null): Contrast => ({
    ...contrastOf(sampleOf("share", []), sampleOf("burn", []), true),
    p,
  });
  const corrected = (all: readonly (number | null)[]) =>
    correctByHolm(all.map(withP)).map(({ p_holm }) => p_holm);

  it.each([
    // p.adjust(c(0.01, 0.02, 0.03, 0.04), "holm") in R.
    { p: [0.01, 0.02, 0.03, 0.04], holm: [0.04, 0.06, 0.06, 0.06] },
    // The order of the differences does not matter, and a smaller p never gets a larger p_holm.
    { p: [0.04, 0.01, 0.03, 0.02], holm: [0.06, 0.04, 0.06, 0.06] },
    { p: [0.5, 0.001, 0.9], holm: [1, 0.003, 1] },
    { p: [0.02, null, 0.03], holm: [0.04, null, 0.04] },
    { p: [0.2], holm: [0.2] },
    { p: [], holm: [] },
  ])("of $p is $holm", ({ p, holm }) => {
    for (const [at, value] of corrected(p).entries()) {
      const expected = holm[at] ?? null;
      if (expected === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(expected, 12);
    }
  });

  it("covers the differences of all measures", () => {
    const rows = [1, 2, 3, 4].flatMap((seed): FigureRow[] => [
      { cell: "burn", seed, status: "done", figures: { gini: 1, trades: 1 } },
      { cell: "share", seed, status: "done", figures: { gini: 1 + seed, trades: 1 } },
    ]);
    const measures = [GINI, { name: "trades", says: "calls that were paid" }];
    const cells = [cellOf("burn"), cellOf("share")];
    const { gini, trades } = resultsOf({ measures, cells, rows });
    expect(gini?.differences).toMatchObject([{ p: 2 / 16, p_holm: 4 / 16 }]);
    expect(trades?.differences).toMatchObject([{ p: 1, p_holm: 1 }]);
  });
});
