import { pricingFrom } from "../mind/index.ts";
import { type Config, microsOf } from "./config/index.ts";
import { firstLooks } from "./first-look.ts";
import type { Persona } from "./persona/index.ts";

/** How long a model is taken to think, s, and how many tokens it is taken to answer with. */
const LATENCY_S = 3;
const REPLY_TOKENS = 300;

/** What one agent may cost. Money in micro-dollars. */
export type AgentEstimate = {
  readonly id: string;
  readonly model: string;
  /** False where the default price stands in for a model that has none. */
  readonly priced: boolean;
  readonly promptTokens: number;
  readonly replyTokens: number;
  readonly callMicros: number;
  /** Model calls until the horizon, or until one of the agent's own limits. */
  readonly calls: number;
  readonly costMicros: number;
};

export type RunEstimate = {
  readonly agents: readonly AgentEstimate[];
  /** All agents together. */
  readonly costMicros: number;
  /** Where the run would stop. */
  readonly budgetMicros: number;
};

/**
 * What the models of a run may cost, guessed before it begins: prompts as long as the first one, a
 * thought every few seconds, and no more than the agent's budget and windows allow.
 */
export const estimateRun = async (
  config: Config,
  personas: readonly Persona[],
): Promise<RunEstimate> => {
  const { llm, resources, run, agent, budget } = config;
  const pricing = pricingFrom(llm.pricing, llm.default_pricing);
  const looks = await firstLooks(config, personas);
  const agents = looks.map(({ persona, settings, prompt, callsPerThought }): AgentEstimate => {
    const { model, maxTokens } = settings;
    const promptTokens = prompt.tokens;
    const replyTokens = Math.min(maxTokens, REPLY_TOKENS);
    const callMicros = pricing.priceBound(model, { input: promptTokens, output: replyTokens });
    const windows = run.duration_s / resources.window_s;
    const { llm_calls, llm_tokens } = resources.windows;
    const calls = Math.floor(
      Math.min(
        (callsPerThought * run.duration_s) / (callsPerThought * LATENCY_S + agent.loop.min_delay_s),
        windows * llm_calls,
        (windows * llm_tokens) / (promptTokens + replyTokens),
        callMicros === 0
          ? Number.POSITIVE_INFINITY
          : microsOf(resources.stock.llm_budget_usd) / callMicros,
      ),
    );
    const { known: priced } = pricing.priceOf(model);
    const costMicros = calls * callMicros;
    const { id } = persona;
    return { id, model, priced, promptTokens, replyTokens, callMicros, calls, costMicros };
  });
  return {
    agents,
    costMicros: agents.reduce((sum, { costMicros }) => sum + costMicros, 0),
    budgetMicros: microsOf(budget.max_api_cost_usd),
  };
};
