import { networkProvider } from "./network-provider.ts";

const name = "openai-compatible";

/** Servers with OpenAI's API: Ollama, vLLM, llama.cpp, gateways. */
export const openaiCompatible = networkProvider(name, {
  aliases: ["ollama"],
  price: "by user",
  isKeyOptional: true,
  address: null,
  dialect: {
    forms: ["flat", "json", "text"],
    formsWithoutSchema: ["json", "text"],
    open: async ({ structuredOutputs, ...options }) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        ...options,
        name,
        // Otherwise, streams have no token counts.
        includeUsage: true,
        supportsStructuredOutputs: structuredOutputs,
      });
    },
    reasoning: (_model, _reasoning, effort) => ({ effort }),
  },
});
