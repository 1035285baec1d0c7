import { z } from "zod";

/** The sections of a prompt in their default order. Each can be disabled, moved and limited. */
export const SECTION_NAMES = [
  "time",
  "balances",
  "quotas",
  "resources",
  "own_artifacts",
  "market",
  "principals",
  "offers",
  "mint",
  "tasks",
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

export const ragSettings = z.strictObject({
  enabled: z.boolean(),
  limit: z.int().min(0).max(50),
  /** May contain {agent_id}, {balance}, {now_s}, {my_artifacts}, {other_agents}, {last_action}. */
  query_template: z.string().min(1).max(2_000),
});
export type RagSettings = Frozen<z.infer<typeof ragSettings>>;

export const workingMemorySettings = z.strictObject({
  enabled: z.boolean(),
  auto_inject: z.boolean(),
  max_size_bytes: z.int().min(50).max(100_000),
  include_in_rag: z.boolean(),
  structured_format: z.boolean(),
  warn_on_missing: z.boolean(),
});
export type WorkingMemorySettings = Frozen<z.infer<typeof workingMemorySettings>>;

export const COGNITIVE_SCHEMAS = ["simple", "ooda"] as const;
export type CognitiveSchema = (typeof COGNITIVE_SCHEMAS)[number];

export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
