import { liveArtifact, type State } from "../kernel/index.ts";
import {
  type Environment,
  isModelMind,
  type LlmDefaults,
  providerProblems,
  type Recording,
  readAgentConfig,
} from "../mind/index.ts";
import { type Config, microsOf } from "./config/index.ts";
import type { LlmPlan } from "./language-models.ts";
import type { Persona } from "./persona/index.ts";

/** Whoever thinks, with the model that it names. */
export type Thinker = Pick<Persona, "mind" | "model">;

type AskingParts = {
  readonly thinkers: readonly Thinker[];
  readonly env: Environment;
  readonly replay: Recording | null;
  readonly fetch?: typeof globalThis.fetch;
};

/** What a configuration and its personas make of language models. */
export const llmPlanOf = (
  config: Config,
  { thinkers, env, replay, fetch }: AskingParts,
): LlmPlan => {
  const { llm, memory, virtual, run, budget } = config;
  return {
    settings: llm,
    memory,
    defaults: llmDefaultsOf(config),
    env,
    budgetMicros: microsOf(budget.max_api_cost_usd),
    models: modelsAsked(config, thinkers),
    replay,
    ...(fetch === undefined ? {} : { fetch }),
    // On the wall clock a thought has taken its time already.
    thinkMs: run.clock === "wall" ? [0, 0] : virtual.think_ms.llm,
  };
};

/** What would make every call of a model fail, one line each, to be told before a run starts. */
export const modelProblems = (
  config: Config,
  { thinkers, env }: Pick<AskingParts, "thinkers" | "env">,
): readonly string[] => {
  const asked = modelsAsked(config, thinkers);
  const { profiles } = config.llm.failover;
  const standIns = asked.flatMap((model) => profiles[model] ?? []);
  return providerProblems([...asked, ...standIns], config.llm.providers, env);
};

/** Those who think in a world that goes on. */
export const thinkersIn = (state: State): readonly Thinker[] =>
  [...state.agents.rows()].flatMap(({ id, state: now }) => {
    const read = readAgentConfig(liveArtifact(state, id)?.content ?? "");
    if (now === "stopped" || !read.ok) return [];
    return [{ mind: read.config.mind, model: read.config.llm_model ?? null }];
  });

/** What every agent on a language model begins with. */
export const llmDefaultsOf = ({ llm, agent }: Config): LlmDefaults => ({
  model: llm.default_model,
  maxTokens: llm.max_tokens,
  repairAttempts: llm.repair_attempts,
  callsMax: llm.max_model_calls,
  prompt: agent.prompt,
  rag: agent.rag,
  workingMemory: agent.working_memory,
});

/** The models that will be asked for sure; agents may come to ask others. */
const modelsAsked = (config: Config, all: readonly Thinker[]): readonly string[] => {
  const { llm, mint, memory } = config;
  const thinkers = all.filter(({ mind }) => isModelMind(mind));
  const remembers = memory.backend === "mem0" && thinkers.length > 0;
  const named = [
    ...thinkers.map(({ model }) => model ?? llm.default_model),
    ...(mint.scorer === "llm" || (remembers && memory.infer) ? [llm.default_model] : []),
    ...(remembers && memory.embedder.includes("/") ? [memory.embedder] : []),
  ];
  return [...new Set(named)];
};
