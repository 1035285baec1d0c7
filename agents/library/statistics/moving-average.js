/* ---
title: Moving average
topic: statistics
takes: numbers
gives: numbers
worth: 3
description: Smooths a series; each value becomes the mean of itself and the ones just before it.
methods:
  - name: run
    description: As many numbers as came in, to 6 places. The first ones average what there is so
      far.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: A series in order. }
        window: { type: integer, minimum: 1, description: How many values to average. Default 3. }
      required: [numbers]
    output_schema: { type: array, items: { type: number } }
    examples:
      - args: [[3, 6, 9, 12]]
        result: [3, 4.5, 6, 9]
      - args: [[10, 20, 0, 40], 2]
        result: [10, 15, 10, 20]
      - args: [[]]
        result: []
variants:
  - name: of_5
    title: Moving average of 5
    bind: { window: 5 }
    examples:
      - args: [[5, 5, 5, 5, 5, 10]]
        result: [5, 5, 5, 5, 5, 6]
  - name: of_2
    title: Moving average of 2
    bind: { window: 2 }
    examples:
      - args: [[10, 20, 0, 40]]
        result: [10, 15, 10, 20]
--- */
function run(numbers, window = 3) {
  if (!Array.isArray(numbers) || !numbers.every(Number.isFinite)) {
    kernel.fail("bad_input", "numbers must be a list of numbers, such as [3, 6, 9]");
  }
  if (!Number.isInteger(window) || window < 1) {
    kernel.fail("bad_input", "window must be a whole number, 1 or more");
  }
  return numbers.map((_, index) => {
    const recent = numbers.slice(Math.max(0, index + 1 - window), index + 1);
    const mean = recent.reduce((sum, x) => sum + x, 0) / recent.length;
    return Math.round(mean * 1e6) / 1e6 + 0;
  });
}
