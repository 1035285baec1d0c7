/* ---
title: Series to points
topic: statistics
takes: numbers
gives: points
worth: 2
description: Numbers the values of a series, so that a line or a correlation over time can be found.
methods:
  - name: run
    description: Pairs [x, value] where x counts up from start.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: A series in order. }
        start: { type: number, description: The first x. Default 0. }
        step: { type: number, description: From one x to the next. Default 1. }
      required: [numbers]
    output_schema: { type: array, items: { type: array, items: { type: number } } }
    examples:
      - args: [[5, 7, 6]]
        result: [[0, 5], [1, 7], [2, 6]]
      - args: [[5, 7], 2020, 5]
        result: [[2020, 5], [2025, 7]]
      - args: [[]]
        result: []
variants:
  - name: from_1
    title: Series to points from 1
    bind: { start: 1, step: 1 }
    examples:
      - args: [[5, 7, 6]]
        result: [[1, 5], [2, 7], [3, 6]]
  - name: by_minute
    title: Series to points by the minute, in seconds
    bind: { start: 0, step: 60 }
    examples:
      - args: [[5, 7, 6]]
        result: [[0, 5], [60, 7], [120, 6]]
--- */
function run(numbers, start = 0, step = 1) {
  if (!Array.isArray(numbers) || !numbers.every(Number.isFinite)) {
    kernel.fail("bad_input", "numbers must be a list of numbers, such as [5, 7, 6]");
  }
  if (!Number.isFinite(start) || !Number.isFinite(step)) {
    kernel.fail("bad_input", "start and step must be numbers, such as 0 and 1");
  }
  return numbers.map((value, index) => [start + step * index, value]);
}
