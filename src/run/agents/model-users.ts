import type { State } from "../../kernel/index.ts";
import { memoryModels } from "../../memory/index.ts";
import type { LlmDefaults } from "../../mind/index.ts";
import {
  type Environment,
  missingKey,
  type ProviderProblem,
  parseModelId,
  providerProblems,
} from "../../model/index.ts";
import { listed } from "../../text/index.ts";
import type { Config } from "../config/index.ts";
import { modelIn, readableAgentsIn } from "../minds/agent-config.ts";
import { asksModels } from "../minds/kinds.ts";
import type { Persona } from "../persona/persona.ts";

export type ModelUser = Pick<Persona, "mind" | "model">;

/** `population` is the name by which `--only` chooses the agent. */
type NamedUser = ModelUser & Pick<Persona, "population">;

type Users = {
  readonly thinkers: readonly NamedUser[];
  readonly env: Environment;
  /** True if the flags `--model` and `--only` can change who thinks with which model. */
  readonly isNewWorld: boolean;
};

/** Problems, such as a missing key, that make every call to a used model fail. One line each. */
export const modelProblems = (config: Config, users: Users): readonly string[] => {
  const called = modelsCalled(config, users.thinkers);
  const { profiles } = config.llm.failover;
  const fallbacks = called.flatMap((model) => profiles[model] ?? []);
  const problems = providerProblems([...called, ...fallbacks], config.llm.providers, users.env);
  return problems.map((problem) => `${problem.text}${whoNeeds(problem, config, users)}`);
};

/** Whether the run calls a model of a provider. The mock model is part of the program. */
export const callsProviders = (config: Config, thinkers: readonly ModelUser[]): boolean =>
  modelsCalled(config, thinkers).some((model) => {
    const parsed = parseModelId(model);
    return parsed.ok && parsed.provider !== "mock";
  });

/** Names the agents that need the key that is missing, and ways to run without the key. */
const whoNeeds = ({ keyVariable }: ProviderProblem, config: Config, users: Users): string => {
  const { thinkers, env, isNewWorld } = users;
  const shared = llmDefaultsOf(config).model;
  const missing = ({ mind, model }: ModelUser): string | null =>
    asksModels(mind) ? missingKey(model ?? shared, config.llm.providers, env) : null;
  const needing = thinkers.filter((thinker) => {
    const variable = missing(thinker);
    return variable !== null && variable === keyVariable;
  });
  if (needing.length === 0) return "";
  const names = namesOf(needing);
  const who = `${listed(names, NAMES_SHOWN)} ${names.length === 1 ? "needs" : "need"} it`;
  if (!isNewWorld) return `; ${who}`;
  const others = namesOf(thinkers.filter((thinker) => missing(thinker) === null));
  const cures = [
    needing.every(({ model }) => model === null)
      ? "add --model mock"
      : "set llm_model: mock in agent.yaml",
    ...(others.length === 0 || others.length > OTHERS_MAX
      ? []
      : [`run the others with --only ${others.join(",")}`]),
  ];
  return `; ${who}. To run without the key, ${cures.join(", or ")}`;
};

const NAMES_SHOWN = 5;
const OTHERS_MAX = 20;

const namesOf = (users: readonly NamedUser[]): readonly string[] => [
  ...new Set(users.map(({ population }) => population)),
];

/** The mind and the model of each agent that has not stopped or will join the world. */
export const modelUsersIn = (state: State): readonly NamedUser[] =>
  readableAgentsIn(state).map(({ id, config }) => {
    return { mind: config.mind, model: modelIn(config), population: id };
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
  const thinkers = all.filter(({ mind }) => asksModels(mind));
  const named = [
    ...thinkers.map(({ model }) => model ?? agentModel),
    ...(mint.scorer === "llm" ? [llm.default_model] : []),
    ...(thinkers.length > 0 ? memoryModels(memory, llm.default_model) : []),
  ];
  return [...new Set(named)];
};
