/* ---
title: Read CSV
topic: parsing
takes: notation
gives: table
worth: 5
description: Turns comma-separated values with a header line into a list of records.
methods:
  - name: run
    description: One record a row, with the header's names as keys. Quotes as in RFC 4180; blank
      lines are skipped.
    input_schema:
      type: object
      properties:
        text: { type: string, description: The first line names the columns. }
        separator: { type: string, enum: [",", ";", "|", "\t"], description: Default comma. }
      required: [text]
    output_schema: { type: array, items: { type: object, additionalProperties: { type: string } } }
    examples:
      - args: ["name,price\nbread,3\n\"salt, fine\",2\n"]
        result: [{ name: bread, price: "3" }, { name: "salt, fine", price: "2" }]
      - args: ["city;rent\r\nYork;640\r\nHull;410", ";"]
        result: [{ city: York, rent: "640" }, { city: Hull, rent: "410" }]
      - args: ["seller,units\nann,4\nbob,9\nann,2"]
        result:
          - { seller: ann, units: "4" }
          - { seller: bob, units: "9" }
          - { seller: ann, units: "2" }
      - args: [""]
        result: []
variants:
  - name: semicolon
    title: Read semicolon-separated values
    bind: { separator: ";" }
    examples:
      - args: ["city;rent\nYork;640"]
        result: [{ city: York, rent: "640" }]
  - name: tab
    title: Read tab-separated values
    bind: { separator: "\t" }
    examples:
      - args: ["city\trent\nYork\t640\n"]
        result: [{ city: York, rent: "640" }]
--- */
function run(text, separator = ",") {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'name,price\\nbread,3'");
  }
  if (![",", ";", "|", "\t"].includes(separator)) {
    kernel.fail("bad_input", "separator must be a comma, a semicolon, a bar or a tab");
  }
  const [header = [], ...rows] = _rows(text, separator);
  if (new Set(header).size !== header.length) {
    kernel.fail("bad_input", "two columns have the same name; give each its own");
  }
  return rows.map((row, index) => {
    if (row.length !== header.length) {
      const counts = `${row.length} fields where the header has ${header.length}`;
      kernel.fail("bad_input", `row ${index + 1} has ${counts}; quote fields that hold separators`);
    }
    return Object.fromEntries(header.map((name, column) => [name, row[column]]));
  });
}

// Each match is one field and what ends it: a separator, a line end, or the end of the text.
function _rows(text, separator) {
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n\\${separator}]*))(\\${separator}|\\r?\\n|$)`,
    "y",
  );
  const rows = [];
  let row = [];
  while (field.lastIndex < text.length || row.length > 0) {
    const match = field.exec(text);
    if (match === null) {
      kernel.fail(
        "bad_input",
        `row ${rows.length} has a stray quote or line end; put the field in quotes`,
      );
    }
    row.push(match[1] === undefined ? match[2] : match[1].replace(/""/g, '"'));
    if (match[3] !== separator) {
      rows.push(row);
      row = [];
    }
  }
  return rows.filter((fields) => fields.length > 1 || fields[0] !== "");
}
