/* ---
title: Totals by group
topic: tables
takes: table
gives: tally
worth: 4
description: Adds up one column of a table for each value of another, or counts the rows of each.
methods:
  - name: run
    description: From each value of the grouping column to its total, in order of appearance.
    input_schema:
      type: object
      properties:
        table: { type: array, items: { type: object }, description: Records with the same keys. }
        by: { type: string, description: "Column to group by. Default: the first." }
        sum: { type: string, description: "Column to add up. Default: none, rows are counted." }
      required: [table]
    output_schema: { type: object, additionalProperties: { type: number } }
    examples:
      - args:
          - [{ seller: ann, units: 4 }, { seller: bob, units: 9 }, { seller: ann, units: 2 }]
          - seller
          - units
        result: { ann: 6, bob: 9 }
      - args: [[{ level: INFO }, { level: WARN }, { level: INFO }]]
        result: { INFO: 2, WARN: 1 }
      - args: [[]]
        result: {}
--- */
function run(table, by, sum) {
  if (!Array.isArray(table) || !table.every((row) => row !== null && typeof row === "object")) {
    kernel.fail(
      "bad_input",
      "table must be a list of records, such as [{ seller: 'ann', units: 4 }]",
    );
  }
  const names = Object.keys(table[0] || {});
  const group = by === undefined ? names[0] : by;
  for (const name of [group, sum]) {
    if (name !== undefined && !names.includes(name)) {
      kernel.fail("bad_input", `no column is called ${name}; the columns are: ${names.join(", ")}`);
    }
  }
  const totals = new Map();
  for (const row of table) {
    const amount = sum === undefined ? 1 : Number(row[sum]);
    if (!Number.isFinite(amount)) {
      kernel.fail("bad_input", `column ${sum} holds '${row[sum]}', which is not a number`);
    }
    const key = String(row[group]);
    totals.set(key, (totals.get(key) || 0) + amount);
  }
  return Object.fromEntries(totals);
}
