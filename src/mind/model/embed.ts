import { InvalidResponseDataError } from "ai";
import type { Generated } from "./generate.ts";
import type { EmbeddingModel } from "./language-model.ts";
import type { ModelRequest } from "./model.ts";
import { textsIn, writtenVectors } from "./vectors.ts";

/** Asks once for the vectors of a request's texts. Rejects as the provider's package does. */
export const embed = async (
  model: EmbeddingModel,
  { prompt }: ModelRequest,
  signal: AbortSignal,
): Promise<Generated> => {
  const values = [...textsIn(prompt)];
  const { embeddings, usage } = await model.doEmbed({ values, abortSignal: signal });
  const text = embeddings.length === values.length ? writtenVectors(embeddings) : null;
  if (text === null) throw new InvalidResponseDataError({ data: null });
  return {
    text,
    written: "",
    usage: {
      inputTokens: { ...NONE, total: usage?.tokens },
      outputTokens: { total: 0, text: undefined, reasoning: undefined },
    },
    finishReason: { unified: "stop", raw: undefined },
    body: undefined,
  };
};

const NONE = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
