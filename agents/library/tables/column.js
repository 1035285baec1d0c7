/* ---
title: Column of a table
topic: tables
takes: table
gives: numbers
worth: 2
description: The numbers in one column of a table; without a name, in the first column of numbers.
methods:
  - name: run
    description: The column from top to bottom. Numbers may be written as strings; empty cells are
      skipped.
    input_schema:
      type: object
      properties:
        table: { type: array, items: { type: object }, description: Records with the same keys. }
        name:
          type: string
          description: "Name of the column. Default: the first that is all numbers."
      required: [table]
    output_schema: { type: array, items: { type: number } }
    examples:
      - args: [[{ item: bread, price: "3" }, { item: salt, price: "2.5" }]]
        result: [3, 2.5]
      - args: [[{ units: 4, price: 3 }, { units: 1, price: 8 }], price]
        result: [3, 8]
      - args: [[{ price: 3 }, { price: "" }]]
        result: [3]
--- */
function run(table, name) {
  if (!Array.isArray(table) || !table.every((row) => row !== null && typeof row === "object")) {
    kernel.fail(
      "bad_input",
      "table must be a list of records, such as [{ item: 'salt', price: 2 }]",
    );
  }
  const names = Object.keys(table[0] || {});
  const chosen =
    name === undefined ? names.find((each) => _cells(table, each).every(_isNumeric)) : name;
  if (!names.includes(chosen)) {
    const known = names.join(", ") || "none";
    kernel.fail("bad_input", `not a column of numbers; the columns are: ${known}`);
  }
  const cells = _cells(table, chosen);
  const odd = cells.find((cell) => !_isNumeric(cell));
  if (odd !== undefined) {
    kernel.fail("bad_input", `column ${chosen} holds '${odd}', which is not a number`);
  }
  return cells.map(Number);
}

function _cells(table, name) {
  return table.map((row) => row[name]).filter((cell) => cell !== "" && cell !== undefined);
}

function _isNumeric(cell) {
  return (
    Number.isFinite(cell) || (typeof cell === "string" && /^\s*[-+]?\d+(\.\d+)?\s*$/.test(cell))
  );
}
