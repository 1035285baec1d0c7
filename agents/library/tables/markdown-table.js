/* ---
title: Table for reading
topic: tables
takes: table
gives: code
worth: 3
description: Lays a table out in Markdown with columns that line up.
methods:
  - name: run
    description: A Markdown table with the keys of the first record as its header.
    input_schema:
      type: object
      properties:
        table: { type: array, items: { type: object }, description: Records with the same keys. }
      required: [table]
    output_schema: { type: string }
    examples:
      - args: [[{ item: bread, price: 3 }, { item: salt, price: 12 }]]
        result: "| item  | price |\n| ----- | ----- |\n| bread | 3     |\n| salt  | 12    |"
      - args: [[{ note: "a|b" }]]
        result: "| note |\n| ---- |\n| a\\|b |"
      - args: [[]]
        result: ""
--- */
function run(table) {
  if (!Array.isArray(table) || !table.every((row) => row !== null && typeof row === "object")) {
    kernel.fail(
      "bad_input",
      "table must be a list of records, such as [{ item: 'salt', price: 2 }]",
    );
  }
  if (table.length === 0) {
    return "";
  }
  const names = Object.keys(table[0]);
  const rows = [names, ...table.map((row) => names.map((name) => row[name]))].map((row) =>
    row.map(_cell),
  );
  const widths = names.map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => _line(row.map((cell, column) => cell.padEnd(widths[column]))));
  const rule = _line(widths.map((width) => "-".repeat(width)));
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function _cell(value) {
  const shown =
    typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  return shown.replace(/\|/g, "\\|").replace(/\s+/g, " ");
}

function _line(cells) {
  return `| ${cells.join(" | ")} |`;
}
