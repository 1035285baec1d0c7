import { attentionIn } from "./attention.ts";
import { type DenseParts, denseLayers } from "./dense-layer.ts";
import type { Kernels } from "./matrix-kernels.ts";
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
