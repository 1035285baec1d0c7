import { exponential } from "./exponential.ts";
import { type Kernels, PANEL_COLUMNS } from "./matrix-kernels.ts";

/**
 * Mixes the values of all tokens, for each token by the similarity of its query to the keys of the
 * other tokens (Vaswani and others, "Attention Is All You Need", 2017). `qkv` has for each token
 * its query, key and value of `width` numbers each. `mixed` gets `width` numbers for each token.
 */
type Attention = (qkv: Float32Array, mixed: Float32Array, sizes: Sizes) => void;

type Sizes = { readonly tokens: number; readonly width: number };

const HEADS = 4;
const FLOAT_BYTES = 4;

export const attentionIn = (
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
