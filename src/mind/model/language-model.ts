import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import { guardedFetch } from "./guarded-fetch.ts";
import type { ProviderSettings } from "./llm-settings.ts";
import type { ProviderName } from "./model-id.ts";

export type EmbeddingModel = EmbeddingModelV4;
export type Fetch = typeof globalThis.fetch;

/** One provider, asked with one key. */
export type Access = {
  readonly provider: ProviderName;
  readonly settings: ProviderSettings;
  /** Null: none is sent. */
  readonly key: string | null;
  /** Stands in for the global one. */
  readonly fetch?: Fetch;
};

/**
 * The providers' own addresses. They are always given, for otherwise the packages would read the
 * process environment.
 */
const OWN_ADDRESS: { readonly [P in ProviderName]: string } = {
  google: "https://generativelanguage.googleapis.com/v1beta",
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  "openai-compatible": "http://127.0.0.1:11434/v1",
};

const commonOf = ({ provider, settings, key, fetch }: Access) => ({
  baseURL: settings.base_url ?? OWN_ADDRESS[provider],
  ...(key === null ? {} : { apiKey: key }),
  fetch: guardedFetch(fetch),
});

/** Gives models of one provider by its own names for them. Nothing is sent yet. */
export const languageModels = (access: Access): ((model: string) => LanguageModelV4) => {
  const { provider, settings } = access;
  const common = commonOf(access);
  switch (provider) {
    case "google":
      return createGoogle(common);
    case "anthropic":
      return createAnthropic(common);
    case "openai":
      return createOpenAI(common);
    case "openai-compatible":
      return createOpenAICompatible({
        ...common,
        name: provider,
        supportsStructuredOutputs: settings.structured_outputs,
      });
  }
};

/** The same for models that embed texts. Throws for a provider that has none. */
export const embeddingModels = (access: Access): ((model: string) => EmbeddingModel) => {
  const { provider } = access;
  const common = commonOf(access);
  switch (provider) {
    case "google":
      return (model) => createGoogle(common).embeddingModel(model);
    case "anthropic":
      throw new Error("anthropic embeds no texts; choose another provider for memory.embedder");
    case "openai":
      return (model) => createOpenAI(common).embeddingModel(model);
    case "openai-compatible":
      return (model) => createOpenAICompatible({ ...common, name: provider }).embeddingModel(model);
  }
};
