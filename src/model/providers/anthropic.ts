import { reasoningTokens } from "../port/reasoning.ts";
import { networkProvider } from "./network-provider.ts";

export const anthropic = networkProvider("anthropic", {
  embeds: false,
  address: "https://api.anthropic.com/v1",
  dialect: {
    forms: ["rich", "flat", "text"],
    formsWithoutSchema: ["text"],
    open: async (options) => (await import("@ai-sdk/anthropic")).createAnthropic(options),
    reasoning: (model, reasoning, effort) => {
      if (isAdaptive(model)) return { options: { thinking: { type: "adaptive" }, effort } };
      const budgetTokens = reasoningTokens(reasoning);
      const thinking = { type: "enabled", budgetTokens };
      // The package adds the budget to the token limit by itself.
      return { options: { thinking }, addedTokens: budgetTokens };
    },
    // Without this, a stream has the arguments of tools before Anthropic has checked their JSON.
    options: ({ onDelta }) => (onDelta === undefined ? {} : { toolStreaming: false }),
    // Marks the system text as a part to cache. Other providers cache without marks.
    systemOptions: { cacheControl: { type: "ephemeral" } },
  },
});

/** Claude models whose reasoning has a budget. Later models decide themselves, by effort. */
const BUDGET_ONLY = /claude-(?:(?:sonnet|opus|haiku)-4(?:-[0-5](?!\d)|[-@]\d{8}|$)|3|v?2|instant)/;

const isAdaptive = (model: string): boolean =>
  model.includes("claude-") && !BUDGET_ONLY.test(model);
