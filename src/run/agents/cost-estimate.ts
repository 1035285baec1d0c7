import { pricingFrom, reasoningTokens } from "../../model/index.ts";
import { type Config, microsOf } from "../config/index.ts";
import { asksModels, kindOf } from "../minds/kinds.ts";
import type { Persona } from "../persona/persona.ts";
import { type FirstPrompt, firstPrompts } from "./first-prompts.ts";
import { llmDefaultsOf } from "./model-users.ts";

/** Assumed duration of a model call in seconds, and assumed length of a reply in tokens. */
const LATENCY_S = 3;
const REPLY_TOKENS = 300;

export type RunEstimate = Awaited<ReturnType<typeof estimateRun>>;

/**
 * Estimates the cost of model calls: from prompts as long as the first one, up to prompts that fill
 * their budget (`agent.prompt.budget_tokens`). Prompts grow with the history of an agent.
 */
export const estimateRun = async (config: Config, personas: readonly Persona[]) => {
  const { llm, resources, run, agent, budget } = config;
  const pricing = pricingFrom(llm.pricing, llm.default_pricing);
  const prompts = await firstPrompts(config, personas);
  const agents = prompts.map((first) => {
    const { persona, settings, prompt, callsPerThought } = first;
    const { model, maxTokens, reasoning } = settings;
    const promptTokens = prompt.tokens;
    const replyTokens = Math.min(maxTokens, REPLY_TOKENS);
    /** The reasoning of each call. Like a reply, it is assumed to use all that it may use. */
    const reasoningMax = reasoningTokens(reasoning);
    const output = replyTokens + reasoningMax;
    const promptTokensMax = longestPrompt(first);
    const windows = run.duration_s / resources.window_s;
    const { llm_calls, llm_tokens } = resources.windows;
    /** The number of calls until the run reaches the horizon or the agent reaches a limit. */
    const costWith = (input: number) => {
      const callMicros = pricing.priceBound(model, { input, output });
      const calls = Math.floor(
        Math.min(
          (callsPerThought * run.duration_s) /
            (callsPerThought * LATENCY_S + agent.loop.min_delay_s),
          windows * llm_calls,
          (windows * llm_tokens) / (input + output),
          callMicros === 0
            ? Number.POSITIVE_INFINITY
            : microsOf(resources.stock.llm_budget_usd) / callMicros,
        ),
      );
      return { callMicros, calls, costMicros: calls * callMicros };
    };
    const least = costWith(promptTokens);
    const costMaxMicros = Math.max(least.costMicros, costWith(promptTokensMax).costMicros);
    /** False if the price of the model is unknown. The default price is then used. */
    const { known: priced } = pricing.priceOf(model);
    /** What the budget of the run must have left for the shortest question of the first thought. */
    const reservedMicros = pricing.priceBound(model, first.reserved);
    const costs = { ...least, reservedMicros, costMaxMicros };
    const tokens = { promptTokens, promptTokensMax, replyTokens, reasoningTokens: reasoningMax };
    return { id: persona.id, model, priced, ...tokens, ...costs };
  });
  return {
    agents,
    /** Agents whose programs alone know what a turn costs. */
    notEstimated: personas
      .filter(({ mind }) => kindOf(mind)?.cost === "program")
      .map(({ id }) => id),
    costMicros: agents.reduce((sum, { costMicros }) => sum + costMicros, 0),
    costMaxMicros: agents.reduce((sum, { costMaxMicros }) => sum + costMaxMicros, 0),
    budgetMicros: microsOf(budget.max_api_cost_usd),
  };
};

/** The tokens of a prompt whose sections fill their budget, with the longest step of a workflow. */
const longestPrompt = ({ prompt, settings, steps }: FirstPrompt): number => {
  const systemTokens = prompt.parts.find(({ name }) => name === "system")?.tokens ?? 0;
  const stepTokens = Math.max(0, ...steps.map(({ tokens }) => tokens));
  return Math.max(prompt.tokens, systemTokens + settings.prompt.budget_tokens + stepTokens);
};

const MANY_TOKENS = { input: 1_000_000, output: 1_000_000 };

/** Returns whether an agent uses a model that costs money. Quicker than an estimate. */
export const hasPaidModel = (config: Config, personas: readonly Persona[]): boolean => {
  const pricing = pricingFrom(config.llm.pricing, config.llm.default_pricing);
  const shared = llmDefaultsOf(config).model;
  return personas.some(
    ({ mind, model }) => asksModels(mind) && pricing.priceBound(model ?? shared, MANY_TOKENS) > 0,
  );
};
