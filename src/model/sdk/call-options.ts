import { hash } from "node:crypto";
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "../model.ts";
import type { RemoteProvider } from "../providers.ts";
import { effortOf, outputTokensMax, type Reasoning, reasoningTokens } from "../reasoning.ts";

type CallOptions = Pick<
  LanguageModelV4CallOptions,
  "maxOutputTokens" | "reasoning" | "providerOptions"
>;

type Asked = {
  readonly provider: RemoteProvider;
  /** The provider's name of the model. */
  readonly name: string;
  readonly request: ModelRequest;
  /** The reasoning setting to send. It differs from the request if the model refuses that one. */
  readonly reasoning: Reasoning | null;
};

/** Returns the options of a call for reasoning, token limit and cache. */
export const callOptions = ({ provider, name, request, reasoning }: Asked): CallOptions => {
  const { effort, options = {}, addedTokens = 0 } = reasoningOptions(provider, name, reasoning);
  const all = { ...options, ...fixedOptions(provider, request) };
  return {
    maxOutputTokens: outputTokensMax(request) - addedTokens,
    ...(effort === undefined ? {} : { reasoning: effort }),
    ...(Object.keys(all).length === 0 ? {} : { providerOptions: { [provider]: all } }),
  };
};

type Options = SharedV4ProviderOptions[string];

type ReasoningOptions = {
  /** A setting that the package translates for each model, to the nearest that the model has. */
  readonly effort?: LanguageModelV4CallOptions["reasoning"];
  readonly options?: Options;
  /** The tokens that the package adds to the token limit by itself. */
  readonly addedTokens?: number;
};

const reasoningOptions = (
  provider: RemoteProvider,
  name: string,
  reasoning: Reasoning | null,
): ReasoningOptions => {
  if (reasoning === null) return {};
  if (reasoning === "off") return { effort: "none" };
  const tokens = reasoningTokens(reasoning);
  const effort = effortOf(reasoning);
  switch (provider) {
    case "google": {
      if (typeof reasoning !== "number" && hasThinkingLevels(name)) return { effort };
      const thinkingBudget = Math.min(tokens, GEMINI_BUDGET_MAX);
      return { options: { thinkingConfig: { thinkingBudget } } };
    }
    case "anthropic": {
      if (isAdaptive(name)) return { options: { thinking: { type: "adaptive" }, effort } };
      const thinking = { type: "enabled", budgetTokens: tokens };
      return { options: { thinking }, addedTokens: tokens };
    }
    case "openai":
    case "openai-compatible":
      return { effort };
  }
};

/** The largest `thinkingBudget` that all models with a budget accept. */
const GEMINI_BUDGET_MAX = 24_576;

/** Gemini has levels from version 3 on. Earlier versions have only a budget. */
const hasThinkingLevels = (name: string): boolean =>
  /(^|\/)gemini-/.test(name) && !/gemini-[12](?:[.-]|$)/.test(name);

/** Claude models whose reasoning has a budget. Later models decide themselves, by effort. */
const BUDGET_ONLY = /claude-(?:(?:sonnet|opus|haiku)-4(?:-[0-5](?!\d)|[-@]\d{8}|$)|3|v?2|instant)/;

const isAdaptive = (name: string): boolean => name.includes("claude-") && !BUDGET_ONLY.test(name);

const fixedOptions = (provider: RemoteProvider, { agent, onDelta }: ModelRequest): Options => {
  // Otherwise, a stream has the arguments of tools before Anthropic has checked their JSON.
  if (provider === "anthropic" && onDelta !== undefined) return { toolStreaming: false };
  if (provider !== "openai") return {};
  return {
    // The Responses API stores answers by default.
    store: false,
    // Summaries of reasoning need a verified organization, and this project does not use them.
    reasoningSummary: null,
    ...(agent === null ? {} : { promptCacheKey: cacheKeyOf(agent) }),
  };
};

/** OpenAI's maximum length of `prompt_cache_key`. */
const CACHE_KEY_CHARS_MAX = 64;

/** Returns a key for the prompts of an agent, so that OpenAI sends them to the same cache. */
const cacheKeyOf = (agent: string): string =>
  agent.length <= CACHE_KEY_CHARS_MAX ? agent : hash("sha256", agent);

/** Marks the system text as a part to cache. Other providers than Anthropic cache without marks. */
export const CACHED_PART = {
  anthropic: { cacheControl: { type: "ephemeral" } },
} as const satisfies SharedV4ProviderOptions;
