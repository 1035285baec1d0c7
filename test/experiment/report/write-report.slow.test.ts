import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeReport } from "../../../src/experiment/index.ts";
import { type Duck, openDuck } from "../../support/duckdb.ts";
import { sharedFolder } from "../../support/temporary-folder.ts";
import { contrast, crossedInput, gini, reportInput, run, summary } from "./report-fixture.ts";

const folder = sharedFolder();
const plain = join(folder, "plain");
const crossed = join(folder, "crossed");
let files: readonly string[];
let duck: Duck;

beforeAll(async () => {
  duck = await openDuck();
  files = await writeReport(plain, reportInput());
  await writeReport(crossed, crossedInput());
});
afterAll(() => duck.close());

describe("writeReport", () => {
  it("returns the files that it wrote", () => {
    const charts = [
      "differences",
      "trajectory-trades",
      "trajectory-gini",
      "trajectory-compute_price",
      "distribution-gini",
    ];
    const written = [
      "report.html",
      ...charts.flatMap((name) => [`figures/${name}.svg`, `figures/${name}.png`]),
      ...["runs.csv", "runs.parquet", "trajectories.parquet", "measures.csv", "differences.csv"],
    ];
    expect(files.map((file) => relative(plain, file))).toEqual(written);
    const there = readdirSync(plain, { recursive: true, encoding: "utf8" });
    expect(there.toSorted()).toEqual([...written, "figures"].toSorted());
  });

  it("writes the same bytes again", async () => {
    const bytes = () => files.map((file) => readFileSync(file).toString("base64"));
    const before = bytes();
    await writeReport(plain, reportInput());
    expect(bytes()).toEqual(before);
  });

  it("names the file in the place of its folder, and leaves the others unchanged", async () => {
    const before = readFileSync(join(plain, "report.html"), "utf8");
    await expect(writeReport("/dev/null/x", reportInput())).rejects.toThrow(
      "/dev/null: it is not a folder; choose another path",
    );
    expect(readFileSync(join(plain, "report.html"), "utf8")).toBe(before);
  });
});

describe("the tables of an experiment", () => {
  it.each(["csv", "parquet"])("have one row for each run in runs.%s", async (format) => {
    const rows = await duck.rows(
      `SELECT id, cell, arm, seed, "mint.period_s" AS period, status, gini
       FROM '${join(crossed, `runs.${format}`)}' ORDER BY arm, period, seed`,
    );
    expect(rows.length).toBe(12);
    expect(rows[9]).toEqual({
      ...{ id: "share {mint.period_s=60}-s1", cell: "share {mint.period_s=60}", arm: "share" },
      ...{ seed: 1, period: 60, status: "done", gini: gini("share", 1) },
    });
  });

  it("have one row for each moment of a run, in tidy form", async () => {
    const path = join(plain, "trajectories.parquet");
    expect(
      await duck.row(
        `SELECT count(*) AS n, count(DISTINCT run) AS runs, sum(trades) AS trades,
                count(compute_price) AS prices FROM '${path}'`,
      ),
    ).toEqual({ n: 186, runs: 6, trades: 2 * 30 * (1 + 2 + 3), prices: 6 * 21 });
    const row = await duck.row(
      `SELECT cell, arm, seed, at_ms, gini FROM '${path}' WHERE run = 'burn-s2' AND at_ms = 60000`,
    );
    const value = 0.2 + 30 * gini("burn", 2) * 0.01;
    expect(row).toEqual({ cell: "burn", arm: "burn", seed: 2, at_ms: 60_000, gini: value });
  });

  it("have the values of the result for each measure and cell", async () => {
    const row = await duck.row(
      `SELECT * FROM '${join(plain, "measures.csv")}' WHERE cell = 'share'`,
    );
    const { ci95: _, ci95_bootstrap: __, ...values } = summary({ n: 3, mean: 0.479 });
    expect(row).toEqual({
      ...{ measure: "gini", cell: "share", arm: "share", ...values },
      ...{ ci95_low: 0.487, ci95_high: 0.513 },
      ...{ ci95_bootstrap_low: 0.488, ci95_bootstrap_high: 0.512 },
    });
  });

  it("have one row for each difference", async () => {
    const { ci95: _, ci95_bootstrap: __, ...values } = contrast({ n: 3 });
    expect(await duck.row(`SELECT * FROM '${join(plain, "differences.csv")}'`)).toEqual({
      ...{ measure: "gini", ...values },
      ...{ ci95_low: -0.034, ci95_high: -0.008 },
      ...{ ci95_bootstrap_low: -0.033, ci95_bootstrap_high: -0.009 },
    });
  });

  it("keep columns apart whose names differ only in case or from fixed columns", async () => {
    const dir = join(folder, "names");
    const figures = { Seed: 7, gini: 0.5, GINI: 0.6 };
    const none = { says: "", arms: {}, differences: [] };
    const result = {
      runs: [run("burn", 1, { figures, status: "failed", error: 'a, "b"' })],
      measures: { Seed: none, gini: none, GINI: none },
    };
    await writeReport(dir, reportInput({ result }));
    for (const format of ["csv", "parquet"]) {
      expect(
        await duck.row(
          `SELECT seed, measure_Seed AS other, gini, measure_GINI AS loud, status, error
           FROM '${join(dir, `runs.${format}`)}'`,
        ),
      ).toEqual({ seed: 1, other: 7, gini: 0.5, loud: 0.6, status: "failed", error: 'a, "b"' });
    }
  });
});
