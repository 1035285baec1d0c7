import { scaleToUnit } from "../../port/vector.ts";
import { tanh } from "./exponential.ts";
import { openKernels } from "./matrix-kernels.ts";
import { readModel } from "./model-files.ts";
import { tokenizerOf } from "./tokenizer.ts";
import { transformerLayers } from "./transformer-layer.ts";

const TOKENS_MAX = 128;
const TOKEN_WIDTH = 256;
const WIDTH = 512;
const INNER_WIDTH = 1_536;
const VOCABULARY_SIZE = 8_002;
/** Enough for the weights of all layers and the states of `TOKENS_MAX` tokens. */
const MEMORY_BYTES = 12 * 1024 * 1024;

/**
 * Loads the Universal Sentence Encoder lite (Cer and others, "Universal Sentence Encoder", 2018).
 * Returns a function from a text to its vector of length 1. It reads at most 128 tokens. The
 * vector of a text has the same bits on every machine.
 */
export const sentenceEncoder = (): ((text: string) => Float32Array) => {
  const { weights, vocabulary } = readModel();
  const tokenize = tokenizerOf(vocabulary);
  const kernels = openKernels(MEMORY_BYTES);
  const sizes = { tokensMax: TOKENS_MAX, width: WIDTH, innerWidth: INNER_WIDTH };
  const layerOf = transformerLayers(kernels, sizes);
  const layers = [layerOf(weights, "Layer_0", TOKEN_WIDTH), layerOf(weights, "Layer_1", WIDTH)];
  const tokenVectors = weights("Embeddings_en", VOCABULARY_SIZE * TOKEN_WIDTH);
  const placeVectors = placesOf(
    weights("AddTimingSignal/TimingSignal/ExpandDims_1", TOKEN_WIDTH / 2),
  );
  const summary = summaryOf(
    weights("tanh_layer_0/weights", WIDTH * WIDTH),
    weights("tanh_layer_0/bias", WIDTH),
  );
  const states = kernels.floats(TOKENS_MAX * WIDTH);
  return (text) => {
    const tokens = tokenize(text).slice(0, TOKENS_MAX);
    for (const [place, token] of tokens.entries()) {
      for (let i = 0; i < TOKEN_WIDTH; i++) {
        const at = place * TOKEN_WIDTH + i;
        states[at] = 2 * (tokenVectors[token * TOKEN_WIDTH + i] ?? 0) + (placeVectors[at] ?? 0);
      }
    }
    for (const layer of layers) layer(states, tokens.length);
    return summary(states.subarray(0, tokens.length * WIDTH));
  };
};

/**
 * Returns sines and cosines for each place in a text, which tell the model the order of the tokens.
 * They are rounded to 32 bits, so the last bits of `Math.sin` do not matter.
 */
const placesOf = (frequencies: Float32Array): Float32Array => {
  const vectors = new Float32Array(TOKENS_MAX * TOKEN_WIDTH);
  for (let place = 0; place < TOKENS_MAX; place++) {
    for (const [i, frequency] of frequencies.entries()) {
      const at = place * TOKEN_WIDTH + i;
      vectors[at] = Math.sin(place * frequency);
      vectors[at + frequencies.length] = Math.cos(place * frequency);
    }
  }
  return vectors;
};

/** Returns a function from all states to one vector: their mean, through a last dense layer. */
const summaryOf =
  (weights: Float32Array, bias: Float32Array) =>
  (states: Float32Array): Float32Array => {
    const sums = new Float64Array(WIDTH);
    for (let i = 0; i < states.length; i++)
      sums[i % WIDTH] = (sums[i % WIDTH] ?? 0) + (states[i] ?? 0);
    const vector = Float64Array.from(bias);
    for (let input = 0; input < WIDTH; input++) {
      const mean = ((sums[input] ?? 0) * WIDTH) / states.length;
      for (let output = 0; output < WIDTH; output++) {
        const weight = weights[input * WIDTH + output] ?? 0;
        vector[output] = (vector[output] ?? 0) + mean * weight;
      }
    }
    return scaleToUnit(Float32Array.from(vector, tanh));
  };
