import { describe, expect, it } from "vitest";
import { type FigureRow, warningsOf } from "../../../src/experiment/statistics/measure-results.ts";

const GINI = { name: "gini", says: "inequality of scrip" };
const TRADES = { name: "trades", says: "calls that were paid" };
const BURN = { cell: "burn", arm: "burn", factors: {} };
const SHARE = { cell: "share", arm: "share", factors: {} };

const seeds = (count: number, first = 1): number[] =>
  Array.from({ length: count }, (_, at) => first + at);

const done = (cell: string, all: readonly number[], gini: number | null = 1): FigureRow[] =>
  all.map((seed) => ({ cell, seed, status: "done", figures: { gini, trades: 1 } }));

const failed = (cell: string, all: readonly number[]): FigureRow[] =>
  all.map((seed) => ({ cell, seed, status: "failed", figures: {} }));

const warnings = (rows: readonly FigureRow[], measures = [GINI], cells = [BURN, SHARE]) =>
  warningsOf({ measures, cells, rows });

describe("an experiment with enough seeds", () => {
  it.each([10, 20])("has no warning for %i pairs", (n) => {
    expect(warnings([...done("burn", seeds(n)), ...done("share", seeds(n))])).toEqual([]);
  });

  it("has no warning for 10 seeds of one cell", () => {
    expect(warnings(done("burn", seeds(10)), [GINI], [BURN])).toEqual([]);
  });

  it("has no warning for 17 unpaired seeds", () => {
    expect(warnings([...done("burn", seeds(17)), ...done("share", seeds(17, 90))])).toEqual([]);
  });
});

describe("few_seeds", () => {
  it("says what 9 pairs can find", () => {
    expect(warnings([...done("burn", seeds(9)), ...done("share", seeds(9))])).toEqual([
      {
        kind: "few_seeds",
        arm: "share",
        text:
          "share: 9 seeds in both cells: a comparison detects a mean difference of 1.1 standard " +
          "deviations of the differences with 80 % power; its smallest possible p is 0.0039",
      },
    ]);
  });

  it("says that no difference of 5 pairs can be significant", () => {
    const rows = [...done("burn", seeds(5)), ...done("share", seeds(5))];
    expect(warnings(rows, [GINI, TRADES])[0]?.text).toBe(
      "share: 5 seeds in both cells: a comparison detects a mean difference of 1.7 standard deviations " +
        "of the differences with 80 % power; its smallest possible p is 0.063, or 0.13 after " +
        "Holm's correction for 2 differences",
    );
  });

  it("warns at 10 pairs if Holm's correction leaves no significant difference", () => {
    const cells = seeds(28).map((period) => ({
      cell: `all, period=${period}`,
      arm: "all",
      factors: { period },
    }));
    const rows = cells.flatMap(({ cell }) => done(cell, seeds(10)));
    expect(warnings(rows, [GINI], cells.slice(0, 26))).toEqual([]);
    expect(warnings(rows, [GINI], cells)).toEqual([
      expect.objectContaining({ kind: "few_seeds", arm: null }),
    ]);
    expect(warnings(rows, [GINI], cells)[0]?.text).toContain("or 0.053 after Holm's correction");
  });

  it("names the cell if only some cells have few seeds", () => {
    const keep = { cell: "keep", arm: "keep", factors: {} };
    const rows = [BURN, SHARE, keep].flatMap(({ cell }, at) => done(cell, seeds(at < 2 ? 12 : 4)));
    expect(warnings(rows, [GINI], [BURN, SHARE, keep])).toMatchObject([
      { kind: "few_seeds", arm: "keep" },
    ]);
  });

  it("counts only seeds whose runs are done in both cells", () => {
    const rows = [
      ...done("burn", seeds(12)),
      ...done("share", seeds(9)),
      ...failed("share", [10, 11, 12]),
    ];
    const few = warnings(rows).filter(({ kind }) => kind === "few_seeds");
    expect(few).toMatchObject([
      { arm: "share", text: expect.stringContaining("9 seeds in both cells") },
    ]);
  });

  it.each([
    { says: "one", n: 1, text: "1 seed in both cells: a comparison needs at least 2" },
    { says: "none", n: 0, text: "0 seeds in both cells: a comparison needs at least 2" },
  ])("says that a comparison needs two seeds, not $says", ({ n, text }) => {
    const rows = [...done("burn", seeds(n)), ...done("share", seeds(n))];
    expect(warnings(rows)).toEqual([{ kind: "few_seeds", arm: "share", text: `share: ${text}` }]);
  });

  it("says what cells with other seeds can find", () => {
    const rows = [...done("burn", seeds(3)), ...done("share", seeds(12, 50))];
    expect(warnings(rows)).toMatchObject([
      {
        text:
          "share: 3 seeds in a cell: a comparison detects a mean difference of 3.1 standard deviations " +
          "of the values with 80 % power; its smallest possible p is 0.1",
      },
    ]);
  });

  it.each([
    { n: 5, text: "burn: 5 seeds: the 95 % interval of a mean is ±1.2 standard deviations" },
    { n: 1, text: "burn: 1 seed: an interval of the mean needs at least 2" },
  ])("says how wide the interval of one cell is for $n", ({ n, text }) => {
    expect(warnings(done("burn", seeds(n)), [GINI], [BURN])).toEqual([
      { kind: "few_seeds", arm: "burn", text },
    ]);
  });
});

describe("failed_runs", () => {
  it("counts them and names their seeds", () => {
    const rows = [
      ...done("burn", seeds(12)),
      ...done("share", seeds(12, 3)),
      ...failed("share", [2, 1]),
    ];
    expect(warnings(rows)).toEqual([
      {
        kind: "failed_runs",
        arm: "share",
        text: "share: 2 of 14 runs failed (seeds 1, 2); the statistics leave these runs out",
      },
    ]);
  });

  it("says once what holds for several arms", () => {
    const keep = { cell: "keep", arm: "keep", factors: {} };
    const rows = [
      ...[...done("burn", seeds(12)), ...failed("burn", [13, 14])],
      ...[...done("share", seeds(12)), ...failed("share", [13, 14])],
      ...[...done("keep", seeds(13)), ...failed("keep", [14])],
    ];
    expect(warnings(rows, [GINI], [BURN, SHARE, keep])).toMatchObject([
      { arm: null, text: expect.stringMatching(/^each of burn, share: 2 of 14 runs failed \(/) },
      { arm: "keep", text: expect.stringMatching(/^keep: 1 of 14 runs failed \(seed 14\);/) },
    ]);
  });

  it("names at most ten seeds", () => {
    const rows = [
      ...done("burn", seeds(40)),
      ...done("share", seeds(20)),
      ...failed("share", seeds(12, 21)),
    ];
    expect(warnings(rows)[0]?.text).toContain(
      "12 of 32 runs failed (seeds 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 and 2 more)",
    );
  });
});

describe("missing_values", () => {
  it("counts them for each measure of a cell", () => {
    const rows = [
      ...done("burn", seeds(12)),
      ...done("share", seeds(11)),
      ...done("share", [12], null),
      ...failed("share", [13]),
    ];
    const missing = warnings(rows, [TRADES, GINI]).filter(({ kind }) => kind === "missing_values");
    expect(missing).toEqual([
      {
        kind: "missing_values",
        arm: "share",
        text:
          "share: no value for gini in 1 of 12 runs; the statistics leave these runs out, so the rest " +
          "may not represent all seeds",
      },
    ]);
  });
});
