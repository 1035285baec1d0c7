/* ---
title: Gini coefficient
topic: statistics
takes: numbers
gives: number
worth: 6
description: How unequally something is shared, from 0 (all alike) towards 1 (one has it all).
methods:
  - name: run
    description: The coefficient to 6 places; 0 when there is nothing to share.
    input_schema:
      type: object
      properties:
        numbers:
          type: array
          items: { type: number, minimum: 0 }
          description: What each one has.
      required: [numbers]
    output_schema: { type: number }
    examples:
      - args: [[5, 5, 5, 5]]
        result: 0
      - args: [[0, 0, 0, 100]]
        result: 0.75
      - args: [[1, 2, 3, 4]]
        result: 0.25
      - args: [[]]
        result: 0
--- */
function run(numbers) {
  if (!Array.isArray(numbers) || !numbers.every((x) => Number.isFinite(x) && x >= 0)) {
    kernel.fail("bad_input", "numbers must be a list of numbers, none below 0, such as [1, 2, 3]");
  }
  const sorted = [...numbers].sort((a, b) => a - b);
  const count = sorted.length;
  const total = sorted.reduce((sum, x) => sum + x, 0);
  if (total === 0) {
    return 0;
  }
  // Twice the rank-weighted sum over n times the total, less (n + 1) / n.
  const ranked = sorted.reduce((sum, x, index) => sum + x * (index + 1), 0);
  const gini = (2 * ranked) / (count * total) - (count + 1) / count;
  return Math.round(gini * 1e6) / 1e6 + 0;
}
