import type { State } from "../../kernel/index.ts";
import {
  type Environment,
  isModelMind,
  type LlmDefaults,
  memoryModels,
  providerProblems,
  readStoredConfig,
} from "../../mind/index.ts";
import type { Config } from "../config/index.ts";
import type { Persona } from "../persona/persona.ts";
import { agentContents } from "../schedule/agent-contents.ts";

export type ModelUser = Pick<Persona, "mind" | "model">;

/** Problems, such as a missing key, that make every call to a used model fail. One line each. */
export const modelProblems = (
  config: Config,
  { thinkers, env }: { readonly thinkers: readonly ModelUser[]; readonly env: Environment },
): readonly string[] => {
  const called = modelsCalled(config, thinkers);
  const { profiles } = config.llm.failover;
  const fallbacks = called.flatMap((model) => profiles[model] ?? []);
  return providerProblems([...called, ...fallbacks], config.llm.providers, env);
};

/** The mind and the model of each agent that has not stopped or will join the world. */
export const modelUsersIn = (state: State): readonly ModelUser[] =>
  agentContents(state).flatMap(({ content }) => {
    const read = readStoredConfig(content);
    if (!read.ok || read.config.mind === "module") return [];
    return [{ mind: read.config.mind, model: read.config.llm_model ?? null }];
  });

/** The settings of an agent that sets none. What `agents.defaults` leaves null is as in `llm`. */
export const llmDefaultsOf = ({ llm, agent, agents: { defaults } }: Config): LlmDefaults => ({
  model: defaults.llm_model ?? llm.default_model,
  maxTokens: defaults.max_tokens ?? llm.max_tokens,
  reasoning: defaults.reasoning ?? llm.reasoning,
  temperature: defaults.temperature,
  cognitiveSchema: defaults.cognitive_schema,
  repairAttempts: llm.repair_attempts,
  callsMax: llm.max_model_calls,
  prompt: agent.prompt,
  rag: agent.rag,
  workingMemory: agent.working_memory,
});

/** The models that the run needs at the start. Agents may switch to other models later. */
export const modelsCalled = (config: Config, all: readonly ModelUser[]): readonly string[] => {
  const { llm, mint, memory, agents } = config;
  const agentModel = agents.defaults.llm_model ?? llm.default_model;
  const thinkers = all.filter(({ mind }) => isModelMind(mind));
  const named = [
    ...thinkers.map(({ model }) => model ?? agentModel),
    ...(mint.scorer === "llm" ? [llm.default_model] : []),
    ...(thinkers.length > 0 ? memoryModels(memory, llm.default_model) : []),
  ];
  return [...new Set(named)];
};
