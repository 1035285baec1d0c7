/* ---
title: Count words
topic: text
takes: words
gives: tally
worth: 3
description: How often each word of a list occurs, the most frequent first.
methods:
  - name: run
    description: A record from word to count. Equal counts stand in alphabetical order.
    input_schema:
      type: object
      properties:
        words: { type: array, items: { type: string }, description: The words to count. }
        min_count: { type: integer, minimum: 1, description: Rarer words are left out. Default 1. }
      required: [words]
    output_schema: { type: object, additionalProperties: { type: integer } }
    examples:
      - args: [[to, be, or, not, to, be]]
        result: { be: 2, to: 2, not: 1, or: 1 }
      - args: [[sell, buy, sell, hold], 2]
        result: { sell: 2 }
      - args: [[]]
        result: {}
variants:
  - name: repeated
    title: Count repeated words
    bind: { min_count: 2 }
    examples:
      - args: [[to, be, or, not, to, be]]
        result: { be: 2, to: 2 }
      - args: [[once]]
        result: {}
--- */
function run(words, min_count = 1) {
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    kernel.fail("bad_input", "words must be a list of strings, such as ['to', 'be', 'to']");
  }
  if (!Number.isInteger(min_count) || min_count < 1) {
    kernel.fail("bad_input", "min_count must be a whole number, 1 or more");
  }
  const counts = new Map();
  for (const word of words) {
    counts.set(word, (counts.get(word) || 0) + 1);
  }
  const ranked = [...counts]
    .filter(([, count]) => count >= min_count)
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return Object.fromEntries(ranked);
}
