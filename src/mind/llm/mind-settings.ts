import type { AgentConfig } from "../agent-config.ts";
import { withoutUndefined } from "../mind-memory-codec.ts";
import type { Reasoning } from "../model/index.ts";
import type {
  CognitiveSchema,
  PromptSettings,
  RagSettings,
  WorkingMemorySettings,
} from "../settings.ts";

export type LlmDefaults = {
  readonly model: string;
  readonly maxTokens: number;
  /** Null: requests have no temperature. */
  readonly temperature: number | null;
  /** Null: requests have no reasoning setting. */
  readonly reasoning: Reasoning | null;
  readonly cognitiveSchema: CognitiveSchema;
  readonly repairAttempts: number;
  readonly callsMax: number;
  readonly prompt: PromptSettings;
  readonly rag: RagSettings;
  readonly workingMemory: WorkingMemorySettings;
};

export type MindSettings = LlmDefaults & { readonly systemPrompt: string };

/** The settings of agent `id`. A copy of a configuration names the agent that has the copy. */
export const settingsOf = (
  id: string,
  config: AgentConfig,
  defaults: LlmDefaults,
): MindSettings => {
  const { prompt = {} } = config;
  return {
    ...defaults,
    model: config.llm_model ?? defaults.model,
    maxTokens: config.max_tokens ?? defaults.maxTokens,
    temperature: config.temperature ?? defaults.temperature,
    reasoning: config.reasoning ?? defaults.reasoning,
    cognitiveSchema: config.cognitive_schema ?? defaults.cognitiveSchema,
    systemPrompt: config.system_prompt?.replaceAll("{id}", id) ?? "",
    prompt: {
      ...defaults.prompt,
      ...withoutUndefined(prompt),
      sections: { ...defaults.prompt.sections, ...prompt.sections },
    },
    rag: { ...defaults.rag, ...withoutUndefined(config.rag ?? {}) },
    workingMemory: {
      ...defaults.workingMemory,
      ...withoutUndefined(config.working_memory_settings ?? {}),
    },
  };
};
