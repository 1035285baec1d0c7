import type { PrivateValues } from "../../kernel/index.ts";
import type { WorkingMemorySettings } from "../../memory/index.ts";
import type { Reasoning } from "../../model/index.ts";
import type { CognitiveSchema, PromptSettings, RagSettings } from "../settings.ts";

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
