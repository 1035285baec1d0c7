import { z } from "zod";
import type { PrivateValues } from "../../kernel/index.ts";
import type { WorkingMemorySettings } from "../../memory/index.ts";
import type { Frozen, Reasoning } from "../../model/index.ts";
import { didYouMean } from "../../text/index.ts";

/** The sections of a prompt in their default order. Each can be disabled, moved and limited. */
export const SECTION_NAMES = [
  "time",
  "balances",
  "family",
  "quotas",
  "resources",
  "own_artifacts",
  "market",
  "texts",
  "principals",
  "offers",
  "compute",
  "mint",
  "tasks",
  "messages",
  "inbox",
  "recent_events",
  "memories",
  "working_memory",
  "last_action",
  "failures",
  "own_actions",
  "hints",
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

/** The settings of one section. Omitted settings keep their defaults. */
const sectionSettings = z.strictObject({
  enabled: z.boolean().optional(),
  priority: z.int().min(0).max(100).optional(),
  tokens_max: z.int().min(1).max(100_000).optional(),
});

const sections = z.partialRecord(z.enum(SECTION_NAMES), sectionSettings);

export const ownPromptSettings = z.strictObject({
  budget_tokens: z.int().min(200).max(1_000_000),
  recent_events: z.int().min(0).max(100),
  /** The order of the sections. Sections that the list omits follow in the default order. */
  order: z.array(z.enum(SECTION_NAMES)),
  sections,
  see_others: z.boolean(),
  detail_level: z.enum(["minimal", "standard", "verbose"]),
});

/** Only the run may set the fields added here. Agents can write the others themselves. */
export const promptSettings = ownPromptSettings.extend({
  mandatory_prefix: z.string().max(10_000),
  mandatory_suffix: z.string().max(10_000),
  /** The agents that get the prefix and suffix: none, agents present at the start, or all. */
  injection_scope: z.enum(["none", "genesis", "all"]),
});
export type PromptSettings = Frozen<z.infer<typeof promptSettings>>;

/** The variables that `rag.query_template` can use, such as `{balance}`. */
const QUERY_VARIABLES = [
  "agent_id",
  "balance",
  "now_s",
  "my_artifacts",
  "other_agents",
  "last_action",
  "last_result",
  "goal",
  "inbox",
] as const;
export type QueryVariable = (typeof QUERY_VARIABLES)[number];

/** A variable in a query template. Group 1 is its name. */
export const QUERY_SLOT = /\{(\w+)\}/g;

export const isQueryVariable = (name: string): name is QueryVariable =>
  QUERY_VARIABLES.some((known) => known === name);

const queryTemplate = z
  .string()
  .min(1)
  .max(2_000)
  .superRefine((template, context) => {
    for (const [slot, name = ""] of template.matchAll(QUERY_SLOT)) {
      if (isQueryVariable(name)) continue;
      const all = `it can use ${QUERY_VARIABLES.map((known) => `{${known}}`).join(", ")}`;
      const hint = didYouMean(name, QUERY_VARIABLES) ?? all;
      context.addIssue({ code: "custom", message: `has no variable ${slot}`, params: { hint } });
    }
  });

export const ragSettings = z.strictObject({
  enabled: z.boolean(),
  limit: z.int().min(0).max(50),
  query_template: queryTemplate,
});
export type RagSettings = Frozen<z.infer<typeof ragSettings>>;

export const COGNITIVE_SCHEMAS = ["simple", "ooda"] as const;
export type CognitiveSchema = (typeof COGNITIVE_SCHEMAS)[number];

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

/** The defaults of `config.yaml` by dotted path, with their comments. */
export type ShippedSettings = ReadonlyMap<
  string,
  { readonly name: string; readonly value: unknown; readonly comment: string | null }
>;

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
