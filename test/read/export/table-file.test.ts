import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { integer, orNull, text } from "../../../src/read/export/export-table.ts";
import { fileOpener } from "../../../src/read/index.ts";
import { type Duck, openDuck } from "../../support/duckdb.ts";
import { emptyFolder } from "../../support/sim.ts";

const folder = emptyFolder();
let duck: Duck;
beforeAll(async () => {
  duck = await openDuck();
});
afterAll(() => duck.close());

const COLUMNS = { n: integer("a number"), word: orNull(text("a text")) };

const groupsOf = async (path: string): Promise<readonly unknown[]> => {
  const rows = await duck.rows(
    `SELECT DISTINCT row_group_id, row_group_num_rows AS n FROM parquet_metadata('${path}')
     ORDER BY row_group_id`,
  );
  return rows.map(({ n }) => n);
};

describe("a Parquet file", () => {
  it("is written in row groups, so that memory is bounded", async () => {
    const path = join(folder, "rows.parquet");
    const file = (await fileOpener("parquet"))(path, COLUMNS, {});
    for (let n = 0; n < 45_000; n++) file.write({ n, word: n % 2 === 0 ? null : "odd" });
    file.end();
    expect(await groupsOf(path)).toEqual([20_000, 20_000, 5_000]);
    expect(await duck.row(`SELECT sum(n) AS n, count(word) AS words FROM '${path}'`)).toEqual({
      n: (45_000 * 44_999) / 2,
      words: 22_500,
    });
  });

  it("has smaller row groups of long texts", async () => {
    const path = join(folder, "texts.parquet");
    const file = (await fileOpener("parquet"))(path, COLUMNS, {});
    const word = "long ".repeat(200_000);
    for (let n = 0; n < 20; n++) file.write({ n, word });
    file.end();
    expect(await groupsOf(path)).toEqual([8, 8, 4]);
  });

  it("keeps integers up to the largest safe one, and all texts", async () => {
    const path = join(folder, "edges.parquet");
    const file = (await fileOpener("parquet"))(path, COLUMNS, {});
    const rows = [
      { n: Number.MAX_SAFE_INTEGER, word: "" },
      { n: -1, word: 'a "quoted",\r\nline \u2028 \u0000 😀' },
      { n: 0, word: null },
    ];
    for (const row of rows) file.write(row);
    file.end();
    expect(await duck.rows(`SELECT * FROM '${path}'`)).toEqual(rows);
  });

  it("without rows has the columns", async () => {
    const path = join(folder, "empty.parquet");
    (await fileOpener("parquet"))(path, COLUMNS, {}).end();
    const columns = await duck.rows(`DESCRIBE SELECT * FROM '${path}'`);
    expect(columns.map((each) => [each.column_name, each.column_type])).toEqual([
      ["n", "BIGINT"],
      ["word", "VARCHAR"],
    ]);
  });
});
