import {
  type Environment,
  isModelMind,
  type LlmDefaults,
  providerProblems,
  type RecordedCall,
} from "../mind/index.ts";
import type { Config } from "./config/index.ts";
import type { LlmPlan } from "./language-models.ts";
import type { Persona } from "./persona/index.ts";

type Asked = {
  readonly personas: readonly Persona[];
  readonly env: Environment;
  readonly replay: readonly RecordedCall[] | null;
  readonly fetch?: typeof globalThis.fetch;
};

const MICROS = 1_000_000;

/** What a configuration and its personas make of language models. */
export const llmPlanOf = (config: Config, { personas, env, replay, fetch }: Asked): LlmPlan => {
  const { llm, memory, virtual, run, budget } = config;
  const thinking = virtual.think_ms.llm === "recorded" ? "latency" : virtual.think_ms.llm;
  return {
    settings: llm,
    memory,
    defaults: llmDefaultsOf(config),
    env,
    budgetMicros: Math.round(budget.max_api_cost_usd * MICROS),
    models: modelsAsked(config, personas),
    replay,
    ...(fetch === undefined ? {} : { fetch }),
    // On the wall clock a thought has taken its time already.
    thinkMs: run.clock === "wall" ? [0, 0] : thinking,
  };
};

/** What would make every call of a model fail, one line each, to be told before a run starts. */
export const modelProblems = (
  config: Config,
  { personas, env }: Pick<Asked, "personas" | "env">,
): readonly string[] => {
  const asked = modelsAsked(config, personas);
  const { profiles } = config.llm.failover;
  const standIns = asked.flatMap((model) => profiles[model] ?? []);
  return providerProblems([...asked, ...standIns], config.llm.providers, env);
};

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
const modelsAsked = (config: Config, personas: readonly Persona[]): readonly string[] => {
  const { llm, mint, memory } = config;
  const thinkers = personas.filter(({ mind }) => isModelMind(mind));
  const infers = memory.backend === "mem0" && memory.infer && thinkers.length > 0;
  const named = [
    ...thinkers.map(({ model }) => model ?? llm.default_model),
    ...(mint.scorer === "llm" || infers ? [llm.default_model] : []),
    ...(thinkers.length > 0 && memory.embedder.includes("/") ? [memory.embedder] : []),
  ];
  return [...new Set(named)];
};
