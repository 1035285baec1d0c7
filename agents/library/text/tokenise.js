/* ---
title: Split text into words
topic: text
takes: text
gives: words
worth: 2
description: The words of a text in order, in lower case, without punctuation.
methods:
  - name: run
    description: Words in order of appearance. An apostrophe inside a word stays.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any prose. }
        min_length:
          type: integer
          minimum: 1
          description: Shorter words are left out. Default 1.
      required: [text]
    output_schema: { type: array, items: { type: string } }
    examples:
      - args: ["Don't panic: it's only 42 words."]
        result: ["don't", panic, "it's", only, "42", words]
      - args: ["The cat sat on the mat", 3]
        result: [the, cat, sat, the, mat]
      - args: ["... !"]
        result: []
variants:
  - name: long
    title: Split text into long words
    bind: { min_length: 4 }
    examples:
      - args: ["The price of bread rose in the town"]
        result: [price, bread, rose, town]
      - args: ["as it is"]
        result: []
--- */
function run(text, min_length = 1) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'The cat sat on the mat'");
  }
  if (!Number.isInteger(min_length) || min_length < 1) {
    kernel.fail("bad_input", "min_length must be a whole number of letters, 1 or more");
  }
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu) || [];
  return words.filter((word) => word.length >= min_length);
}
