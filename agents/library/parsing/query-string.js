/* ---
title: Read a query string
topic: parsing
takes: notation
gives: record
worth: 3
description: Turns the query of a web address into a record, and back.
methods:
  - name: run
    description: Values by name, decoded. A name that comes more than once has a list of values.
    input_schema:
      type: object
      properties:
        text: { type: string, description: "With or without the leading question mark." }
      required: [text]
    output_schema: { type: object }
    examples:
      - args: ["?q=fresh+bread&max=3"]
        result: { q: fresh bread, max: "3" }
      - args: ["tag=a&tag=b&tag=c%26d"]
        result: { tag: [a, b, "c&d"] }
      - args: [""]
        result: {}
  - name: build
    description: The query string of a record.
    input_schema:
      type: object
      properties:
        values: { type: object, description: Strings or lists by name. }
      required: [values]
    output_schema: { type: string }
    examples:
      - args: [{ q: fresh bread, tag: [a, "c&d"] }]
        result: q=fresh%20bread&tag=a&tag=c%26d
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as '?q=bread&max=3'");
  }
  const values = new Map();
  for (const pair of text.replace(/^\?/, "").split("&")) {
    if (pair !== "") {
      const cut = pair.includes("=") ? pair.indexOf("=") : pair.length;
      const name = _decoded(pair.slice(0, cut));
      values.set(name, [...(values.get(name) || []), _decoded(pair.slice(cut + 1))]);
    }
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  );
}

function build(values) {
  if (values === null || typeof values !== "object" || Array.isArray(values)) {
    kernel.fail("bad_input", "values must be a record, such as { q: 'bread' }");
  }
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [].concat(value).map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  );
  return pairs.join("&");
}

function _decoded(part) {
  try {
    return decodeURIComponent(part.replace(/\+/g, " "));
  } catch {
    return kernel.fail("bad_input", `'${part}' has a broken % code; write a percent sign as %25`);
  }
}
