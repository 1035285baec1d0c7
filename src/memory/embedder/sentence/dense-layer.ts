import { type Kernels, PANEL_COLUMNS } from "./matrix-kernels.ts";

/** Writes `rows` rows of inputs, multiplied by weights, plus a bias, to `output`. */
type DenseLayer = (input: Float32Array, output: Float32Array, rows: number) => void;

export type DenseParts = {
  /** By input and output. */
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  /** Smaller results are replaced by this one. */
  readonly minimum: number;
};

const WEIGHT_MAX = 4095;
const INPUT_MAX = 2 ** 15 - 1;
const SUM_MAX = 2 ** 31 - 1;
const PAIR = 2;
const SHORT_BYTES = 2;
const FLOAT_BYTES = 4;

/**
 * Returns a function that makes layers. They multiply integers of 16 bits, because this is faster
 * than floats, and because exact sums do not depend on their order. Layers share their scratch
 * memory, so they are used one after another.
 */
export const denseLayers = (
  kernels: Kernels,
  { rowsMax, inputsMax }: { readonly rowsMax: number; readonly inputsMax: number },
): ((parts: DenseParts) => DenseLayer) => {
  const integers = kernels.shorts(rowsMax * inputsMax);
  const rowScales = kernels.floats(4 * rowsMax);
  return (parts) => {
    const { inputs, outputs, weights, columnFacts, maximum } = packed(kernels, parts);
    return (input, output, rows) => {
      kernels.quantize({
        from: input.byteOffset,
        to: integers.byteOffset,
        rows,
        columns: inputs,
        maximum: maximum.byteOffset,
        rowScales: rowScales.byteOffset,
      });
      const product = {
        rows,
        columns: outputs,
        steps: inputs / PAIR,
        a: integers.byteOffset,
        aRowBytes: SHORT_BYTES * inputs,
        b: weights.byteOffset,
        bStepBytes: SHORT_BYTES * PAIR * PANEL_COLUMNS,
        bPanelBytes: SHORT_BYTES * inputs * PANEL_COLUMNS,
        c: output.byteOffset,
        cRowBytes: FLOAT_BYTES * outputs,
      };
      const scaling = { rowScales: rowScales.byteOffset, columnFacts: columnFacts.byteOffset };
      kernels.multiplyIntegers(product, scaling);
    };
  };
};

/** Writes the weights to the kernels' memory as integers: by panel, pair of inputs, and output. */
const packed = (kernels: Kernels, parts: DenseParts) => {
  const outputs = parts.bias.length;
  const inputs = parts.weights.length / outputs;
  const weights = kernels.shorts(inputs * outputs);
  const columnFacts = kernels.floats(3 * outputs);
  let sumMax = 1;
  for (let output = 0; output < outputs; output++) {
    const [panel, place] = [output - (output % PANEL_COLUMNS), output % PANEL_COLUMNS];
    const scale = largestOf(parts.weights, output, outputs) / WEIGHT_MAX || 1;
    let sum = 0;
    for (let input = 0; input < inputs; input++) {
      const weight = Math.round((parts.weights[input * outputs + output] ?? 0) / scale);
      const pair = input - (input % PAIR);
      weights[panel * inputs + pair * PANEL_COLUMNS + place * PAIR + (input % PAIR)] = weight;
      sum += Math.abs(weight);
    }
    sumMax = Math.max(sumMax, sum);
    const facts = [scale, parts.bias[output] ?? 0, parts.minimum];
    for (const [i, fact] of facts.entries())
      columnFacts[3 * panel + i * PANEL_COLUMNS + place] = fact;
  }
  // With larger inputs, a sum could exceed 32 bits.
  const maximum = kernels.floats(4).fill(Math.min(INPUT_MAX, Math.floor(SUM_MAX / sumMax)));
  return { inputs, outputs, weights, columnFacts, maximum };
};

const largestOf = (numbers: Float32Array, first: number, every: number): number => {
  let largest = 0;
  for (let i = first; i < numbers.length; i += every) {
    largest = Math.max(largest, Math.abs(numbers[i] ?? 0));
  }
  return largest;
};
