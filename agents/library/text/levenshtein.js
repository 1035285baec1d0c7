/* ---
title: Edit distance
topic: text
takes: text
gives: record
worth: 4
description: How many single-letter edits turn one text into another, and how alike the two are.
methods:
  - name: run
    description: Levenshtein distance, and similarity from 0 (nothing in common) to 1 (equal).
    input_schema:
      type: object
      properties:
        text: { type: string, description: One text. }
        other: { type: string, description: The other text. }
      required: [text, other]
    output_schema:
      type: object
      properties: { distance: { type: integer }, similarity: { type: number } }
    examples:
      - args: [kitten, sitting]
        result: { distance: 3, similarity: 0.5714 }
      - args: [price, price]
        result: { distance: 0, similarity: 1 }
      - args: ["", abc]
        result: { distance: 3, similarity: 0 }
--- */
function run(text, other) {
  if (typeof text !== "string" || typeof other !== "string") {
    kernel.fail("bad_input", "text and other must both be strings, such as 'kitten', 'sitting'");
  }
  const a = Array.from(text);
  const b = Array.from(other);
  if (a.length * b.length > 100000) {
    kernel.fail("bad_input", "the texts are too long to compare; 300 letters each is fine");
  }
  const distance = _distance(a, b);
  const longest = Math.max(a.length, b.length, 1);
  return { distance, similarity: Math.round((1 - distance / longest) * 10000) / 10000 };
}

// Wagner and Fischer's table, of which only the row above is ever needed.
function _distance(a, b) {
  let above = [0, ...b.map((_, column) => column + 1)];
  a.forEach((letter, row) => {
    const here = [row + 1];
    b.forEach((other, column) => {
      const replaced = above[column] + (letter === other ? 0 : 1);
      here.push(Math.min(replaced, above[column + 1] + 1, here[column] + 1));
    });
    above = here;
  });
  return above[b.length];
}
