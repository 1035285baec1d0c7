/* ---
title: Correlation
topic: statistics
takes: points
gives: number
worth: 5
description: Pearson's correlation, from -1 (one falls as the other rises) over 0 to 1 (they rise
  together).
methods:
  - name: run
    description: The coefficient to 6 places. It is not defined when x or y never varies.
    input_schema:
      type: object
      properties:
        points:
          type: array
          items: { type: array, items: { type: number } }
          description: At least two pairs [x, y].
      required: [points]
    output_schema: { type: number }
    examples:
      - args: [[[1, 10], [2, 20], [3, 30]]]
        result: 1
      - args: [[[1, 2], [2, 1], [3, 4], [4, 3]]]
        result: 0.6
      - args: [[[1, 5], [2, 3]]]
        result: -1
--- */
function run(points) {
  const isPoint = (point) =>
    Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  if (!Array.isArray(points) || points.length < 2 || !points.every(isPoint)) {
    kernel.fail(
      "bad_input",
      "points must be a list of at least two pairs, such as [[1, 10], [2, 20]]",
    );
  }
  const x = _deviations(points.map((point) => point[0]));
  const y = _deviations(points.map((point) => point[1]));
  const spread = Math.sqrt(_dot(x, x)) * Math.sqrt(_dot(y, y));
  if (spread === 0) {
    kernel.fail("bad_input", "x or y is the same in every point; both must vary");
  }
  return Math.round((_dot(x, y) / spread) * 1e6) / 1e6 + 0;
}

function _deviations(numbers) {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  return numbers.map((x) => x - mean);
}

function _dot(a, b) {
  return a.reduce((sum, x, index) => sum + x * b[index], 0);
}
