/* ---
title: Percentile
topic: statistics
takes: numbers
gives: number
worth: 3
description: The value below which a given share of the numbers lies; the median by default.
methods:
  - name: run
    description: Interpolates between the two closest ranks, rounded to 6 places.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: At least one number. }
        p: { type: number, minimum: 0, maximum: 100, description: Percent. Default 50. }
      required: [numbers]
    output_schema: { type: number }
    examples:
      - args: [[15, 20, 35, 40, 50], 40]
        result: 29
      - args: [[3, 1, 2, 10]]
        result: 2.5
      - args: [[8], 99]
        result: 8
variants:
  - name: p10
    title: 10th percentile
    bind: { p: 10 }
    examples:
      - args: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]
        result: 2
  - name: p90
    title: 90th percentile
    bind: { p: 90 }
    examples:
      - args: [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]
        result: 10
  - name: p99
    title: 99th percentile
    bind: { p: 99 }
    examples:
      - args: [[0, 100]]
        result: 99
--- */
function run(numbers, p = 50) {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
    kernel.fail("bad_input", "numbers must be a list of at least one number, such as [3, 1, 2]");
  }
  if (!Number.isFinite(p) || p < 0 || p > 100) {
    kernel.fail("bad_input", "p must be a percentage from 0 to 100");
  }
  const sorted = [...numbers].sort((a, b) => a - b);
  const rank = (p / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(rank)];
  const above = sorted[Math.ceil(rank)];
  const value = below + (above - below) * (rank - Math.floor(rank));
  return Math.round(value * 1e6) / 1e6 + 0;
}
