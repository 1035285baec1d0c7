import { cutText } from "../../../kernel/index.ts";
import { type Model, parseModelId, readVectors, VECTORS } from "../../model/index.ts";
import type { Embedder } from "../memory-store.ts";

const TEXT_UNITS_MAX = 4_000;

/**
 * Embeds by a provider's model; `name` is `provider/model`. The run pays: each call passes the
 * limits and the budget of its models, and is recorded for what it cost.
 */
export const providerEmbedder = (name: string, model: Model): Embedder => {
  const over = new AbortController();
  const parsed = parseModelId(name);
  const served = parsed.ok ? parsed.id : name;
  return {
    name,
    bySpelling: false,
    embed: async (texts) => {
      // Providers refuse the empty text.
      const values = texts.map((text) => cutText(text, TEXT_UNITS_MAX).trim() || "(nothing)");
      const about = { model: name, purpose: "embed", agent: null, system: "", form: VECTORS };
      const prompt = JSON.stringify(values);
      const request = { ...about, prompt, temperature: null, maxTokens: 0 };
      const reply = await model.ask(request, over.signal);
      if (!reply.ok) throw new Error(`${name}: ${reply.fault}: ${reply.message}`);
      if (reply.servedBy !== served) {
        throw new Error(`vectors of ${reply.servedBy} cannot stand in for those of ${name}`);
      }
      return readVectors(reply.text);
    },
    close: async () => over.abort(),
  };
};
