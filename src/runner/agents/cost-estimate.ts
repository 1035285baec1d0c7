import { isModelMind, leastReserved, pricingFrom, reasoningTokens } from "../../mind/index.ts";
import { type Config, microsOf } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import { firstPrompts } from "./first-prompts.ts";
import { llmDefaultsOf } from "./model-users.ts";

/** Assumed duration of a model call in seconds, and assumed length of a reply in tokens. */
const LATENCY_S = 3;
const REPLY_TOKENS = 300;

export type RunEstimate = Awaited<ReturnType<typeof estimateRun>>;

/** Estimates the cost of model calls. Assumes that all prompts are as long as the first. */
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
    const callMicros = pricing.priceBound(model, { input: promptTokens, output });
    const windows = run.duration_s / resources.window_s;
    const { llm_calls, llm_tokens } = resources.windows;
    /** The number of calls until the run reaches the horizon or the agent reaches a limit. */
    const calls = Math.floor(
      Math.min(
        (callsPerThought * run.duration_s) / (callsPerThought * LATENCY_S + agent.loop.min_delay_s),
        windows * llm_calls,
        (windows * llm_tokens) / (promptTokens + output),
        callMicros === 0
          ? Number.POSITIVE_INFINITY
          : microsOf(resources.stock.llm_budget_usd) / callMicros,
      ),
    );
    /** False if the price of the model is unknown. The default price is then used. */
    const { known: priced } = pricing.priceOf(model);
    const costMicros = calls * callMicros;
    /** What the budget of the run must have left for the shortest question of the first thought. */
    const reservedMicros = pricing.priceBound(model, leastReserved(settings, first));
    const costs = { callMicros, reservedMicros, calls, costMicros };
    const tokens = { promptTokens, replyTokens, reasoningTokens: reasoningMax };
    return { id: persona.id, model, priced, ...tokens, ...costs };
  });
  return {
    agents,
    costMicros: agents.reduce((sum, { costMicros }) => sum + costMicros, 0),
    budgetMicros: microsOf(budget.max_api_cost_usd),
  };
};

const MANY_TOKENS = { input: 1_000_000, output: 1_000_000 };

/** Returns whether an agent uses a model that costs money. Quicker than an estimate. */
export const hasPaidModel = (config: Config, personas: readonly Persona[]): boolean => {
  const pricing = pricingFrom(config.llm.pricing, config.llm.default_pricing);
  const shared = llmDefaultsOf(config).model;
  return personas.some(
    ({ mind, model }) => isModelMind(mind) && pricing.priceBound(model ?? shared, MANY_TOKENS) > 0,
  );
};
