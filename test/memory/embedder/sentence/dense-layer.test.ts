import { expect, it } from "vitest";
import { openKernels } from "../../../../src/memory/embedder/sentence/matrix-kernels.ts";
import { denseLayers } from "../../../../src/memory/embedder/sentence/transformer-layer.ts";

const INPUTS = 24;
const OUTPUTS = 16;
const ROWS = 7;
const NO_MINIMUM = Number.NEGATIVE_INFINITY;

const numbers = (length: number, shift: number): Float32Array =>
  Float32Array.from({ length }, (_, i) => Math.sin(i * 1.7 + shift) * (1 + (i % 5)));

const bench = (minimum: number, weights = numbers(INPUTS * OUTPUTS, 1)) => {
  const kernels = openKernels(1 << 20);
  const bias = numbers(OUTPUTS, 2);
  const layer = denseLayers(kernels, { rowsMax: 8, inputsMax: INPUTS })({ weights, bias, minimum });
  const output = kernels.floats(8 * OUTPUTS);
  return (rows: Float32Array): Float32Array => {
    const input = kernels.floats(8 * INPUTS);
    input.set(rows);
    layer(input, output, rows.length / INPUTS);
    return output.slice(0, (rows.length / INPUTS) * OUTPUTS);
  };
};

/** The same in floats. */
const expected = (rows: Float32Array, weights = numbers(INPUTS * OUTPUTS, 1)): readonly number[] =>
  Array.from({ length: (rows.length / INPUTS) * OUTPUTS }, (_, i) => {
    const [row, output] = [Math.floor(i / OUTPUTS), i % OUTPUTS];
    let sum = numbers(OUTPUTS, 2)[output] ?? 0;
    for (let input = 0; input < INPUTS; input++) {
      sum += (rows[row * INPUTS + input] ?? 0) * (weights[input * OUTPUTS + output] ?? 0);
    }
    return sum;
  });

const largestDifference = (one: Float32Array, other: readonly number[]): number =>
  Math.max(...one.map((number, i) => Math.abs(number - (other[i] ?? Number.NaN))));

it("multiplies rows by weights and adds the bias", () => {
  const rows = numbers(ROWS * INPUTS, 3);
  expect(largestDifference(bench(NO_MINIMUM)(rows), expected(rows))).toBeLessThan(0.05);
});

it("replaces results below the minimum", () => {
  const rows = numbers(ROWS * INPUTS, 3);
  const clamped = expected(rows).map((number) => Math.max(0, number));
  expect(largestDifference(bench(0)(rows), clamped)).toBeLessThan(0.05);
});

it("gives a row the same bits alone and with others", () => {
  const rows = numbers(ROWS * INPUTS, 3);
  const layer = bench(NO_MINIMUM);
  const together = layer(rows);
  for (let row = 0; row < ROWS; row++) {
    const alone = layer(rows.slice(row * INPUTS, (row + 1) * INPUTS));
    expect(alone).toEqual(together.slice(row * OUTPUTS, (row + 1) * OUTPUTS));
  }
});

it("gives the bias for a row of zeros", () => {
  expect([...bench(NO_MINIMUM)(new Float32Array(INPUTS))]).toEqual([...numbers(OUTPUTS, 2)]);
});

it("does not overflow if all weights and inputs are the largest", () => {
  const weights = new Float32Array(INPUTS * OUTPUTS).fill(-3);
  const rows = new Float32Array(INPUTS).fill(1e6);
  const [result = 0] = bench(NO_MINIMUM, weights)(rows);
  expect(result / (-3e6 * INPUTS)).toBeCloseTo(1, 5);
});
