import type { ThoughtPrice } from "../mind.ts";
import type { Pricing } from "../model/index.ts";
import { estimateTokens } from "../tokens.ts";
import type { Workflow } from "../workflow/index.ts";
import type { MindSettings } from "./mind-settings.ts";

/** What one call can take at the worst; an agent that cannot pay that does not begin to think. */
export const priceOf = (settings: MindSettings, pricing: Pricing): ThoughtPrice => {
  const { prompt, maxTokens, model, systemPrompt } = settings;
  // The words of a persona are never cut, whatever a prompt should have.
  const uncut = SHARED_TOKENS + estimateTokens(systemPrompt);
  const tokens = { input: Math.max(prompt.budget_tokens, uncut), output: maxTokens };
  return {
    micros: pricing.priceBound(model, tokens),
    calls: 1,
    tokens: tokens.input + tokens.output,
  };
};

/** About what the system texts of all agents have in common. */
const SHARED_TOKENS = 1_200;

/** The calls that a thought cannot do without: one that begins with fewer left is paid in vain. */
export const callsNeeded = ({
  workflow,
  settings,
}: {
  readonly workflow: Workflow;
  readonly settings: MindSettings;
}): number => {
  const sure = workflow.steps.filter((step) => {
    return step.type === "llm" && step.if === undefined && step.in_state === undefined;
  });
  return Math.max(1, Math.min(sure.length, workflow.max_model_calls ?? settings.callsMax));
};
