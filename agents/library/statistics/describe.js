/* ---
title: Describe numbers
topic: statistics
takes: numbers
gives: record
worth: 4
description: Count, mean, median, standard deviation, least and greatest of a list of numbers.
methods:
  - name: run
    description: Figures rounded to 6 places. The deviation is the sample's (n - 1).
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: At least one number. }
      required: [numbers]
    output_schema:
      type: object
      properties:
        count: { type: integer }
        mean: { type: number }
        median: { type: number }
        deviation: { type: number }
        min: { type: number }
        max: { type: number }
    examples:
      - args: [[2, 4, 4, 4, 5, 5, 7, 9]]
        result: { count: 8, mean: 5, median: 4.5, deviation: 2.13809, min: 2, max: 9 }
      - args: [[10, -10, 3]]
        result: { count: 3, mean: 1, median: 3, deviation: 10.148892, min: -10, max: 10 }
      - args: [[7]]
        result: { count: 1, mean: 7, median: 7, deviation: 0, min: 7, max: 7 }
--- */
function run(numbers) {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
    kernel.fail("bad_input", "numbers must be a list of at least one number, such as [3, 1, 2]");
  }
  const sorted = [...numbers].sort((a, b) => a - b);
  const count = sorted.length;
  const mean = _sum(sorted) / count;
  const squares = _sum(sorted.map((x) => (x - mean) ** 2));
  return {
    count,
    mean: _round(mean),
    median: _round((sorted[Math.floor((count - 1) / 2)] + sorted[Math.floor(count / 2)]) / 2),
    deviation: _round(Math.sqrt(squares / Math.max(count - 1, 1))),
    min: sorted[0],
    max: sorted[count - 1],
  };
}

function _sum(numbers) {
  return numbers.reduce((sum, x) => sum + x, 0);
}

function _round(x) {
  return Math.round(x * 1e6) / 1e6 + 0;
}
