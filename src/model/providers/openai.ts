import { hash } from "node:crypto";
import { networkProvider } from "./network-provider.ts";

export const openai = networkProvider("openai", {
  address: "https://api.openai.com/v1",
  dialect: {
    // OpenAI's strict mode supports neither unions nor records.
    forms: ["flat", "text"],
    formsWithoutSchema: ["text"],
    open: async (options) => (await import("@ai-sdk/openai")).createOpenAI(options),
    reasoning: (_model, _reasoning, effort) => ({ effort }),
    options: ({ agent }) => ({
      // The Responses API stores answers by default.
      store: false,
      // Summaries of reasoning need a verified organization, and this project does not use them.
      reasoningSummary: null,
      ...(agent === null ? {} : { promptCacheKey: cacheKeyOf(agent) }),
    }),
  },
});

/** OpenAI's maximum length of `prompt_cache_key`. */
const CACHE_KEY_CHARS_MAX = 64;

/** Returns a key for the prompts of an agent, so that OpenAI sends them to the same cache. */
const cacheKeyOf = (agent: string): string =>
  agent.length <= CACHE_KEY_CHARS_MAX ? agent : hash("sha256", agent);
