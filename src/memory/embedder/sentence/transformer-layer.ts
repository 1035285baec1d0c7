import { exponential } from "./exponential.ts";
import { type Kernels, PANEL_COLUMNS } from "./matrix-kernels.ts";
import type { Weights } from "./model-files.ts";

/** Replaces the states of tokens. A state is a row of numbers. */
type TransformerLayer = (states: Float32Array, tokens: number) => void;

type LayerSizes = {
  readonly tokensMax: number;
  /** The length of a state after each layer. */
  readonly width: number;
  readonly innerWidth: number;
};

const EPSILON = 1e-6;

/**
 * Returns a function that makes a layer: attention, and then two dense layers. Its weights have
 * names that begin with `name`. A state has the length `width` before the layer. Layers share their
 * scratch memory, so they are used one after another.
 */
export const transformerLayers = (
  kernels: Kernels,
  { tokensMax, width: widthAfter, innerWidth }: LayerSizes,
): ((weights: Weights, name: string, width: number) => TransformerLayer) => {
  const attend = attentionIn(kernels, { tokensMax, widthMax: widthAfter });
  const layerOf = denseLayers(kernels, { rowsMax: tokensMax, inputsMax: innerWidth });
  const normed = kernels.floats(tokensMax * widthAfter);
  const mixed = kernels.floats(tokensMax * widthAfter);
  const change = kernels.floats(tokensMax * widthAfter);
  const wide = kernels.floats(tokensMax * innerWidth);
  return (weights, name, width) => {
    const parts = partsOf({ layerOf, weights, name }, [width, widthAfter, innerWidth]);
    return (states, tokens) => {
      parts.beforeAttention(states, normed, tokens);
      parts.qkv(normed, wide, tokens);
      attend(wide, mixed, { tokens, width });
      parts.project(mixed, change, tokens);
      if (parts.widen !== null) {
        parts.widen(states, normed, tokens);
        states.set(normed);
      }
      add(states, change, tokens * widthAfter);
      parts.beforeDense(states, normed, tokens);
      parts.inner(normed, wide, tokens);
      parts.outer(wide, change, tokens);
      add(states, change, tokens * widthAfter);
    };
  };
};

type Source = {
  readonly layerOf: ReturnType<typeof denseLayers>;
  readonly weights: Weights;
  readonly name: string;
};

type Widths = readonly [before: number, after: number, inner: number];

const partsOf = ({ layerOf, weights, name }: Source, [before, after, inner]: Widths) => {
  const dense = (path: string, inputs: number, outputs: number): DenseParts => ({
    weights: weights(`${name}/${path}/kernel`, inputs * outputs),
    bias: weights(`${name}/${path}/bias`, outputs),
    minimum: Number.NEGATIVE_INFINITY,
  });
  const normalizing = (path: string, length: number): Normalize => {
    const scale = weights(`${name}/${path}/layer_norm/layer_norm_scale`, length);
    return normalize(scale, weights(`${name}/${path}/layer_norm/layer_norm_bias`, length));
  };
  return {
    beforeAttention: normalizing("layer_prepostprocess", before),
    qkv: layerOf(dense("MultiheadAttention/qkv_transform_single", before, 3 * before)),
    project: layerOf(dense("MultiheadAttention/output_transform_single", before, after)),
    widen: before === after ? null : layerOf(dense("dense", before, after)),
    beforeDense: normalizing("FFN/layer_prepostprocess", after),
    inner: layerOf({ ...dense("FFN/conv1", after, inner), minimum: 0 }),
    outer: layerOf(dense("FFN/conv2", inner, after)),
  };
};

type Normalize = (from: Float32Array, to: Float32Array, rows: number) => void;

/** Shifts and scales each row to mean 0 and variance 1, and then by given factors and biases. */
const normalize =
  (scale: Float32Array, bias: Float32Array): Normalize =>
  (from, to, rows) => {
    const { length } = scale;
    for (let first = 0; first < rows * length; first += length) {
      let sum = 0;
      for (let i = 0; i < length; i++) sum += from[first + i] ?? 0;
      const mean = sum / length;
      let squares = 0;
      for (let i = 0; i < length; i++) {
        const difference = (from[first + i] ?? 0) - mean;
        squares += difference * difference;
      }
      const factor = 1 / Math.sqrt(squares / length + EPSILON);
      for (let i = 0; i < length; i++) {
        const shifted = ((from[first + i] ?? 0) - mean) * factor;
        to[first + i] = shifted * (scale[i] ?? 0) + (bias[i] ?? 0);
      }
    }
  };

const add = (to: Float32Array, change: Float32Array, length: number): void => {
  for (let i = 0; i < length; i++) to[i] = (to[i] ?? 0) + (change[i] ?? 0);
};

/**
 * Mixes the values of all tokens, for each token by the similarity of its query to the keys of the
 * other tokens (Vaswani and others, "Attention Is All You Need", 2017). `qkv` has for each token
 * its query, key and value of `width` numbers each. `mixed` gets `width` numbers for each token.
 */
type Attention = (qkv: Float32Array, mixed: Float32Array, sizes: Sizes) => void;

type Sizes = { readonly tokens: number; readonly width: number };

const HEADS = 4;
const FLOAT_BYTES = 4;

const attentionIn = (
  kernels: Kernels,
  { tokensMax, widthMax }: { readonly tokensMax: number; readonly widthMax: number },
): Attention => {
  const keys = kernels.floats((widthMax / HEADS) * tokensMax);
  const similarity = kernels.floats(tokensMax * tokensMax);
  return (qkv, mixed, { tokens, width }) => {
    const headWidth = width / HEADS;
    const columns = Math.ceil(tokens / PANEL_COLUMNS) * PANEL_COLUMNS;
    for (let first = 0; first < width; first += headWidth) {
      keys.fill(0, 0, headWidth * columns);
      for (let token = 0; token < tokens; token++) {
        const key = 3 * width * token + width + first;
        for (let i = 0; i < headWidth; i++) keys[i * columns + token] = qkv[key + i] ?? 0;
      }
      kernels.multiplyFloats({
        rows: tokens,
        columns,
        steps: headWidth,
        a: qkv.byteOffset + FLOAT_BYTES * first,
        aRowBytes: FLOAT_BYTES * 3 * width,
        b: keys.byteOffset,
        bStepBytes: FLOAT_BYTES * columns,
        bPanelBytes: FLOAT_BYTES * PANEL_COLUMNS,
        c: similarity.byteOffset,
        cRowBytes: FLOAT_BYTES * columns,
      });
      for (let from = 0; from < tokens * columns; from += columns) {
        softmax(similarity.subarray(from, from + tokens), 1 / Math.sqrt(headWidth));
      }
      kernels.multiplyFloats({
        rows: tokens,
        columns: headWidth,
        steps: tokens,
        a: similarity.byteOffset,
        aRowBytes: FLOAT_BYTES * columns,
        b: qkv.byteOffset + FLOAT_BYTES * (2 * width + first),
        bStepBytes: FLOAT_BYTES * 3 * width,
        bPanelBytes: FLOAT_BYTES * PANEL_COLUMNS,
        c: mixed.byteOffset + FLOAT_BYTES * first,
        cRowBytes: FLOAT_BYTES * width,
      });
    }
  };
};

/** Replaces numbers by weights whose sum is 1. A larger number gets a larger weight. */
const softmax = (numbers: Float32Array, factor: number): void => {
  let largest = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > largest) largest = number;
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) {
    const weight = exponential(((numbers[i] ?? 0) - largest) * factor);
    numbers[i] = weight;
    sum += weight;
  }
  for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] ?? 0) / sum;
};

/** Writes `rows` rows of inputs, multiplied by weights, plus a bias, to `output`. */
type DenseLayer = (input: Float32Array, output: Float32Array, rows: number) => void;

type DenseParts = {
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
