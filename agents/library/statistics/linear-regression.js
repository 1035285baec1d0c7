/* ---
title: Fit a line
topic: statistics
takes: points
gives: record
worth: 7
description: The straight line that lies closest to a set of points, by least squares.
methods:
  - name: run
    description: Slope, intercept and r squared (1 means that every point is on the line), to 6
      places.
    input_schema:
      type: object
      properties:
        points:
          type: array
          items: { type: array, items: { type: number } }
          description: Pairs [x, y] with at least two different x.
      required: [points]
    output_schema:
      type: object
      properties:
        slope: { type: number }
        intercept: { type: number }
        r_squared: { type: number }
    examples:
      - args: [[[0, 1], [1, 3], [2, 5]]]
        result: { slope: 2, intercept: 1, r_squared: 1 }
      - args: [[[1, 2], [2, 1], [3, 4], [4, 3]]]
        result: { slope: 0.6, intercept: 1, r_squared: 0.36 }
      - args: [[[5, 7], [9, 7]]]
        result: { slope: 0, intercept: 7, r_squared: 1 }
--- */
function run(points) {
  const isPoint = (point) =>
    Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  if (!Array.isArray(points) || !points.every(isPoint)) {
    kernel.fail("bad_input", "points must be a list of pairs, such as [[0, 1], [1, 3]]");
  }
  const meanX = _mean(points.map(([x]) => x));
  const meanY = _mean(points.map(([, y]) => y));
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  if (points.length < 2 || xx === 0) {
    kernel.fail("bad_input", "a line needs at least two points with different x");
  }
  return {
    slope: _round(xy / xx),
    intercept: _round(meanY - (xy / xx) * meanX),
    r_squared: yy === 0 ? 1 : _round((xy * xy) / (xx * yy)),
  };
}

function _mean(numbers) {
  return numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
}

function _round(x) {
  return Math.round(x * 1e6) / 1e6 + 0;
}
