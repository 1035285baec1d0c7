/* ---
title: Histogram
topic: statistics
takes: numbers
gives: table
worth: 4
description: Counts how many numbers fall into each of a few ranges of equal width.
methods:
  - name: run
    description: One row a range, low to high. A range holds its lower end; the last holds both.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: At least one number. }
        bins: { type: integer, minimum: 1, maximum: 100, description: How many ranges. Default 5. }
      required: [numbers]
    output_schema:
      type: array
      items:
        type: object
        properties: { from: { type: number }, to: { type: number }, count: { type: integer } }
    examples:
      - args: [[0, 1, 2, 3, 9, 10], 2]
        result: [{ from: 0, to: 5, count: 4 }, { from: 5, to: 10, count: 2 }]
      - args: [[1, 2, 3, 4, 5, 6]]
        result:
          - { from: 1, to: 2, count: 1 }
          - { from: 2, to: 3, count: 1 }
          - { from: 3, to: 4, count: 1 }
          - { from: 4, to: 5, count: 1 }
          - { from: 5, to: 6, count: 2 }
      - args: [[4, 4, 4]]
        result: [{ from: 4, to: 4, count: 3 }]
variants:
  - name: halves
    title: Histogram with 2 ranges
    bind: { bins: 2 }
    examples:
      - args: [[0, 1, 2, 3, 9, 10]]
        result: [{ from: 0, to: 5, count: 4 }, { from: 5, to: 10, count: 2 }]
  - name: tenths
    title: Histogram with 10 ranges
    bind: { bins: 10 }
    examples:
      - args: [[7, 7]]
        result: [{ from: 7, to: 7, count: 2 }]
--- */
function run(numbers, bins = 5) {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
    kernel.fail("bad_input", "numbers must be a list of at least one number, such as [3, 1, 2]");
  }
  if (!Number.isInteger(bins) || bins < 1 || bins > 100) {
    kernel.fail("bad_input", "bins must be a whole number from 1 to 100");
  }
  const low = numbers.reduce((least, x) => Math.min(least, x));
  const high = numbers.reduce((most, x) => Math.max(most, x));
  if (low === high) {
    return [{ from: low, to: high, count: numbers.length }];
  }
  const width = (high - low) / bins;
  const counts = Array.from({ length: bins }, () => 0);
  for (const x of numbers) {
    counts[Math.min(Math.floor((x - low) / width), bins - 1)] += 1;
  }
  const edge = (index) => Math.round((low + width * index) * 1e6) / 1e6 + 0;
  return counts.map((count, index) => ({ from: edge(index), to: edge(index + 1), count }));
}
