/* ---
title: Binary search
topic: search
takes: numbers
gives: record
worth: 3
description: Finds a number in a sorted list, or the place where it belongs.
methods:
  - name: run
    description: The first place with the target, or the place to insert it.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: In ascending order. }
        target: { type: number, description: The number to look for. }
      required: [numbers, target]
    output_schema:
      type: object
      properties: { found: { type: boolean }, index: { type: integer } }
    examples:
      - args: [[1, 3, 3, 8, 13], 3]
        result: { found: true, index: 1 }
      - args: [[1, 3, 8, 13], 9]
        result: { found: false, index: 3 }
      - args: [[], 4]
        result: { found: false, index: 0 }
--- */
function run(numbers, target) {
  if (!Array.isArray(numbers) || !numbers.every(Number.isFinite) || !Number.isFinite(target)) {
    kernel.fail("bad_input", "numbers must be a list of numbers and target a number: [1, 3, 8], 3");
  }
  if (numbers.some((x, index) => index > 0 && x < numbers[index - 1])) {
    kernel.fail("bad_input", "numbers must be in ascending order; sort them first");
  }
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return { found: numbers[low] === target, index: low };
}
