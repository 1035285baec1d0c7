import { z } from "zod";
import { workingMemorySettings } from "../../memory/index.ts";
import { parseModelId, reasoningSetting, replyTokensMax } from "../../model/index.ts";
import { FORM_HINTS } from "./findings.ts";
import {
  COGNITIVE_SCHEMAS,
  type LlmDefaults,
  type MindSettings,
  type Own,
  ownPromptSettings,
  ragSettings,
  valuesText,
} from "./settings.ts";
import { withoutUndefined } from "./stored-memory.ts";

export const SYSTEM_PROMPT_CHARS_MAX = 40_000;

const modelId = z.string().superRefine((given, context) => {
  const parsed = parseModelId(given);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.problem });
});

const temperature = z.number().min(0).max(2);
const cognitiveSchema = z.enum(COGNITIVE_SCHEMAS);

/** The settings of all agents on language models that do not set them. Null: as in `llm`. */
export const agentDefaults = z.strictObject({
  cognitive_schema: cognitiveSchema,
  llm_model: modelId.nullable(),
  temperature: temperature.nullable(),
  reasoning: reasoningSetting.nullable(),
  max_tokens: replyTokensMax.nullable(),
});

export const systemPromptKey = z
  .string()
  .max(SYSTEM_PROMPT_CHARS_MAX)
  .optional()
  .describe("the system prompt; a file system_prompt.md in the same folder has the same effect");

/** The keys of agents on language models. A null in one with a default is like a missing key. */
export const modelKeys = {
  llm_model: modelId
    .nullish()
    .describe("the model, as provider/model; overrides agents.defaults of the configuration"),
  temperature: temperature
    .nullish()
    .describe("how much the answers vary, 0 to 2; overrides agents.defaults"),
  reasoning: reasoningSetting
    .nullish()
    .describe("off, low, medium, high, or a number of tokens; overrides agents.defaults"),
  max_tokens: replyTokensMax
    .nullish()
    .describe("maximum tokens of a reply, without reasoning; overrides agents.defaults"),
  system_prompt: systemPromptKey,
  rag: ragSettings.partial().optional(),
  prompt: ownPromptSettings
    .partial()
    .register(FORM_HINTS, { text: "write this text under `system_prompt`" })
    .optional(),
};

/** The form of a reply, for agents without tools. */
export const cognitiveSchemaKey = cognitiveSchema
  .nullish()
  .describe("the form of a reply. simple: thought, action. ooda: assessment, rationale, action");

/** The settings of the working memory. Agents of all kinds can have them in their configuration. */
export const workingMemoryKey = workingMemorySettings.partial().optional();

const ownSettings = z.object({
  ...modelKeys,
  cognitive_schema: cognitiveSchemaKey,
  working_memory_settings: workingMemoryKey,
});

/** The settings of an agent. A copy of a configuration names the agent that has the copy. */
export const mindSettingsOf = (
  { id, values }: Own,
  config: z.infer<typeof ownSettings>,
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
