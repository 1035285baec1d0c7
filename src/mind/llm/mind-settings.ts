import type { PrivateValues } from "../../kernel/index.ts";
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

/** What the settings of an agent depend on besides its configuration. */
export type Own = { readonly id: string; readonly values: PrivateValues };

/** The settings of an agent. A copy of a configuration names the agent that has the copy. */
export const settingsOf = (
  { id, values }: Own,
  config: AgentConfig,
  defaults: LlmDefaults,
): MindSettings => {
  const { prompt = {} } = config;
  const persona = config.system_prompt?.replaceAll("{id}", id) ?? "";
  const worth = valuesText(values);
  return {
    ...defaults,
    model: config.llm_model ?? defaults.model,
    maxTokens: config.max_tokens ?? defaults.maxTokens,
    temperature: config.temperature ?? defaults.temperature,
    reasoning: config.reasoning ?? defaults.reasoning,
    cognitiveSchema: config.cognitive_schema ?? defaults.cognitiveSchema,
    systemPrompt: worth === "" ? persona : `${persona.trimEnd()}\n\n${worth}`.trimStart(),
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

/** Says to an agent what artifacts are worth to it. Empty if it values none. */
export const valuesText = (values: PrivateValues): string => {
  const all = Object.entries(values);
  const [first] = all;
  if (first === undefined) return "";
  const worth =
    all.length === 1
      ? `${first[0]} is worth ${first[1]} scrip`
      : `these artifacts are worth: ${all.map(([id, scrip]) => `${id} ${scrip} scrip`).join(", ")}`;
  return `To you, ${worth}. No one else knows this.`;
};
