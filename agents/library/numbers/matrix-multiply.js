/* ---
title: Multiply matrices
topic: numbers
takes: matrix
gives: matrix
worth: 5
description: The product of two matrices; and the transpose of one.
methods:
  - name: run
    description: The first must be as wide as the second is high. Entries to 9 places.
    input_schema:
      type: object
      properties:
        matrix: { type: array, items: { type: array, items: { type: number } }, description: Rows. }
        other: { type: array, items: { type: array, items: { type: number } }, description: Rows. }
      required: [matrix, other]
    output_schema: { type: array, items: { type: array, items: { type: number } } }
    examples:
      - args: [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
        result: [[19, 22], [43, 50]]
      - args: [[[1, 2, 3]], [[1], [0.5], [0.1]]]
        result: [[2.3]]
      - args: [[[2]], [[-3]]]
        result: [[-6]]
  - name: transpose
    description: Rows become columns.
    input_schema:
      type: object
      properties:
        matrix: { type: array, items: { type: array, items: { type: number } }, description: Rows. }
      required: [matrix]
    output_schema: { type: array, items: { type: array, items: { type: number } } }
    examples:
      - args: [[[1, 2, 3], [4, 5, 6]]]
        result: [[1, 4], [2, 5], [3, 6]]
--- */
function run(matrix, other) {
  _check(matrix, "matrix");
  _check(other, "other");
  if (matrix[0].length !== other.length) {
    const sizes = `${matrix[0].length} columns, the second ${other.length} rows`;
    kernel.fail("bad_input", `the first matrix has ${sizes}; these must be the same number`);
  }
  const columns = transpose(other);
  const cell = (row, column) => row.reduce((sum, x, index) => sum + x * column[index], 0);
  return matrix.map((row) =>
    columns.map((column) => Math.round(cell(row, column) * 1e9) / 1e9 + 0),
  );
}

function transpose(matrix) {
  _check(matrix, "matrix");
  return matrix[0].map((_, column) => matrix.map((row) => row[column]));
}

function _check(matrix, name) {
  const isRow = (row) => Array.isArray(row) && row.length > 0 && row.every(Number.isFinite);
  if (!Array.isArray(matrix) || matrix.length === 0 || !matrix.every(isRow)) {
    kernel.fail("bad_input", `${name} must be a list of rows of numbers, such as [[1, 2], [3, 4]]`);
  }
  if (matrix.some((row) => row.length !== matrix[0].length)) {
    kernel.fail("bad_input", `the rows of ${name} must all have the same length`);
  }
}
