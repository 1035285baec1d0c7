/* ---
title: Outliers
topic: statistics
takes: numbers
gives: record
worth: 5
description: The numbers that lie far outside the rest, and where outside begins, by Tukey's fences
  around the quartiles.
methods:
  - name: run
    description: Values more than fence times the quartile range below the first or above the third
      quartile.
    input_schema:
      type: object
      properties:
        numbers: { type: array, items: { type: number }, description: At least one. }
        fence: { type: number, minimum: 0, description: Default 1.5; 3 finds only extreme values. }
      required: [numbers]
    output_schema:
      type: object
      properties:
        low: { type: number }
        high: { type: number }
        outliers: { type: array, items: { type: number } }
    examples:
      - args: [[10, 12, 11, 13, 95, 12, -40]]
        result: { low: 7.5, high: 15.5, outliers: [95, -40] }
      - args: [[10, 12, 11, 13, 20, 12], 3]
        result: { low: 6.75, high: 17.25, outliers: [20] }
      - args: [[5]]
        result: { low: 5, high: 5, outliers: [] }
variants:
  - name: extreme
    title: Extreme outliers
    bind: { fence: 3 }
    examples:
      - args: [[1, 2, 3, 4, 5, 11, 50]]
        result: { low: -14, high: 24.5, outliers: [50] }
  - name: strict
    title: Outliers, strict
    bind: { fence: 1 }
    examples:
      - args: [[1, 2, 3, 4, 5, 11, 50]]
        result: { low: -3, high: 13.5, outliers: [50] }
--- */
function run(numbers, fence = 1.5) {
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(Number.isFinite)) {
    kernel.fail("bad_input", "numbers must be a list of at least one number, such as [10, 12, 95]");
  }
  if (!Number.isFinite(fence) || fence < 0) {
    kernel.fail("bad_input", "fence must be a number, 0 or more; 1.5 is usual");
  }
  const sorted = [...numbers].sort((a, b) => a - b);
  const first = _quantile(sorted, 0.25);
  const third = _quantile(sorted, 0.75);
  const reach = fence * (third - first);
  const low = first - reach;
  const high = third + reach;
  const outliers = numbers.filter((x) => x < low || x > high);
  return { low: _round(low), high: _round(high), outliers };
}

function _quantile(sorted, share) {
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)];
  const above = sorted[Math.ceil(rank)];
  return below + (above - below) * (rank - Math.floor(rank));
}

function _round(x) {
  return Math.round(x * 1e6) / 1e6 + 0;
}
