import type { AgentConfig } from "../agent-config.ts";
import { definedIn } from "../memory-codec.ts";
import type {
  CognitiveSchema,
  PromptSettings,
  RagSettings,
  WorkingMemorySettings,
} from "../settings.ts";

/** What the configuration says for every agent that asks a language model. */
export type LlmDefaults = {
  readonly model: string;
  readonly maxTokens: number;
  readonly repairAttempts: number;
  /** The most model calls of one thought. */
  readonly callsMax: number;
  readonly prompt: PromptSettings;
  readonly rag: RagSettings;
  readonly workingMemory: WorkingMemorySettings;
};

/** The same for one agent, its own wishes first. */
export type MindSettings = LlmDefaults & {
  readonly temperature: number | null;
  readonly cognitiveSchema: CognitiveSchema;
  readonly systemPrompt: string;
};

/** What an agent's own configuration makes of the defaults. */
export const settingsOf = (config: AgentConfig, defaults: LlmDefaults): MindSettings => {
  const { prompt = {} } = config;
  return {
    ...defaults,
    model: config.llm_model ?? defaults.model,
    maxTokens: config.max_tokens ?? defaults.maxTokens,
    temperature: config.temperature ?? null,
    cognitiveSchema: config.cognitive_schema ?? "simple",
    systemPrompt: config.system_prompt ?? "",
    prompt: {
      ...defaults.prompt,
      ...definedIn(prompt),
      sections: { ...defaults.prompt.sections, ...prompt.sections },
    },
    rag: { ...defaults.rag, ...definedIn(config.rag ?? {}) },
    workingMemory: {
      ...defaults.workingMemory,
      ...definedIn(config.working_memory_settings ?? {}),
    },
  };
};
