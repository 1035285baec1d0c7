import type { EmbeddingModel } from "ai";
import type { LlmSettings } from "./llm-settings.ts";
import { parseModelId } from "./model-id.ts";
import { credentialsOf, type Environment } from "./providers.ts";

/**
 * The embedding model that `provider/model` names, asked with the provider's first key. Rejects
 * where the provider has none, such as Anthropic.
 */
export const embeddingModelFor = async (
  name: string,
  { settings, env }: { readonly settings: LlmSettings; readonly env: Environment },
): Promise<EmbeddingModel> => {
  const parsed = parseModelId(name);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { provider, model } = parsed;
  const own = settings.providers[provider];
  const [key = null] = credentialsOf(provider, own, env);
  const { embeddingModels } = await import("./language-model.ts");
  return embeddingModels({ provider, settings: own, key })(model);
};
