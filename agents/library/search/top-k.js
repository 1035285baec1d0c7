/* ---
title: Top entries
topic: search
takes: tally
gives: table
worth: 3
description: The entries of a tally with the greatest values, best first.
methods:
  - name: run
    description: Rows of name and value. Equal values stand in alphabetical order.
    input_schema:
      type: object
      properties:
        tally:
          type: object
          additionalProperties: { type: number }
          description: Numbers by name.
        k: { type: integer, minimum: 1, description: How many to keep. Default 3. }
      required: [tally]
    output_schema:
      type: array
      items: { type: object, properties: { name: { type: string }, value: { type: number } } }
    examples:
      - args: [{ ann: 4, bob: 9, cyd: 4, dan: 1 }]
        result: [{ name: bob, value: 9 }, { name: ann, value: 4 }, { name: cyd, value: 4 }]
      - args: [{ ann: 4, bob: 9 }, 1]
        result: [{ name: bob, value: 9 }]
      - args: [{}]
        result: []
variants:
  - name: winner
    title: Top entry
    bind: { k: 1 }
    examples:
      - args: [{ ann: 4, bob: 9, cyd: 4 }]
        result: [{ name: bob, value: 9 }]
  - name: ten
    title: Top ten entries
    bind: { k: 10 }
    examples:
      - args: [{ ann: 4, bob: 9 }]
        result: [{ name: bob, value: 9 }, { name: ann, value: 4 }]
--- */
function run(tally, k = 3) {
  if (tally === null || typeof tally !== "object" || Array.isArray(tally)) {
    kernel.fail("bad_input", "tally must be a record of numbers, such as { ann: 4, bob: 9 }");
  }
  if (!Number.isInteger(k) || k < 1) {
    kernel.fail("bad_input", "k must be a whole number, 1 or more");
  }
  const rows = Object.entries(tally).map(([name, value]) => ({ name, value }));
  const odd = rows.find((row) => !Number.isFinite(row.value));
  if (odd !== undefined) {
    kernel.fail("bad_input", `${odd.name} is not a number; every value of a tally must be one`);
  }
  return rows.sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1)).slice(0, k);
}
