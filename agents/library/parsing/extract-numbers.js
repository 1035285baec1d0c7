/* ---
title: Numbers in a text
topic: parsing
takes: text
gives: numbers
worth: 3
description: Finds every number that a text mentions, such as 12, -3.5 and 1,250,000.
methods:
  - name: run
    description: The numbers in order of appearance. Digits inside a word or code are not numbers.
    input_schema:
      type: object
      properties:
        text: { type: string, description: Any prose. }
      required: [text]
    output_schema: { type: array, items: { type: number } }
    examples:
      - args: ["Sold 12 loaves at 3.50 each; rent is 1,250 and the balance -40."]
        result: [12, 3.5, 1250, -40]
      - args: ["From 10-12 pay 5%, model X2 excluded"]
        result: [10, 12, 5]
      - args: ["none at all"]
        result: []
--- */
function run(text) {
  if (typeof text !== "string") {
    kernel.fail("bad_input", "text must be a string, such as 'Sold 12 loaves at 3.50 each'");
  }
  const numbers = text.match(/(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w,]*\w)/g) || [];
  return numbers.map((number) => Number(number.replace(/,/g, "")) + 0);
}
