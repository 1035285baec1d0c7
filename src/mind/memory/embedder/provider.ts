import type { EmbeddingModel } from "ai";
import { cutText } from "../../../kernel/index.ts";
import type { Embedder } from "../memory-store.ts";

const TEXT_UNITS_MAX = 4_000;
const RETRIES_MAX = 1;
const REQUEST_MS_MAX = 30_000;

/** Embeds by a provider's model; `name` is `provider/model`. Costs are the provider's to bill. */
export const providerEmbedder = (name: string, model: () => Promise<EmbeddingModel>): Embedder => ({
  name,
  embed: async (texts) => {
    const { embedMany } = await import("ai");
    const { embeddings } = await embedMany({
      model: await model(),
      // Providers refuse the empty text.
      values: texts.map((text) => cutText(text, TEXT_UNITS_MAX).trim() || "(nothing)"),
      maxRetries: RETRIES_MAX,
      abortSignal: AbortSignal.timeout(REQUEST_MS_MAX),
    });
    return embeddings.map((embedding) => Float32Array.from(embedding));
  },
  close: async () => {},
});
