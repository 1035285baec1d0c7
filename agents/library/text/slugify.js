/* ---
title: Make a slug
topic: text
takes: text
gives: code
worth: 2
description: Turns a title into a short name that is safe in an address, a file name or an artifact
  id.
methods:
  - name: run
    description: Lower-case ASCII letters and digits, joined by the separator.
    input_schema:
      type: object
      properties:
        text: { type: string, description: A title. }
        separator:
          type: string
          enum: ["-", "_", "."]
          description: Stands between words. Default "-".
      required: [text]
    output_schema: { type: string }
    examples:
      - args: ["Ten Ways to Price a Café!"]
        result: ten-ways-to-price-a-cafe
      - args: ["Rate  v2 (final)", "_"]
        result: rate_v2_final
      - args: ["?!"]
        result: ""
variants:
  - name: snake
    title: Make a snake_case name
    bind: { separator: "_" }
    examples:
      - args: ["Ten Ways to Price"]
        result: ten_ways_to_price
  - name: dotted
    title: Make a dotted name
    bind: { separator: "." }
    examples:
      - args: ["Ten Ways to Price"]
        result: ten.ways.to.price
--- */
function run(text, separator = "-") {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'Ten Ways to Price'");
  }
  if (!["-", "_", "."].includes(separator)) {
    kernel.fail("bad_input", "separator must be '-', '_' or '.'");
  }
  const words = _foldLatin(text.toLowerCase()).match(/[a-z0-9]+/g) || [];
  return words.join(separator);
}

function _foldLatin(text) {
  const from = "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿ";
  const to = "aaaaaaceeeeiiiinoooooouuuuyy";
  return text.replace(/[à-ÿ]/g, (letter) => to[from.indexOf(letter)] || letter);
}
