import { z } from "zod";
import type { Frozen } from "./frozen.ts";

/** The parts of a prompt that can be switched, ordered and bounded, in their shipped order. */
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
  "recent_events",
  "memories",
  "working_memory",
  "last_action",
  "failures",
  "own_actions",
  "hints",
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

/** A section's own settings; what is not named stays as shipped. */
const sectionSettings = z.strictObject({
  enabled: z.boolean().optional(),
  /** Lower ones are cut first. */
  priority: z.int().min(0).max(100).optional(),
  tokens_max: z.int().min(1).max(100_000).optional(),
});

const sections = z.partialRecord(z.enum(SECTION_NAMES), sectionSettings);

/** What an agent may settle for its own prompt. */
export const ownPromptSettings = z.strictObject({
  budget_tokens: z.int().min(200).max(1_000_000),
  recent_events: z.int().min(0).max(100),
  /** The order in which they stand; those not named follow in the shipped order. */
  order: z.array(z.enum(SECTION_NAMES)),
  sections,
  /** Whether others' artifacts, names and events are shown. */
  see_others: z.boolean(),
  detail_level: z.enum(["minimal", "standard", "verbose"]),
});

/** What is mandatory is the run's to settle, since agents can write their own configuration. */
export const promptSettings = ownPromptSettings.extend({
  mandatory_prefix: z.string().max(10_000),
  mandatory_suffix: z.string().max(10_000),
  /** Whose system prompt gets prefix and suffix: nobody's, the personas' of the start, all. */
  injection_scope: z.enum(["none", "genesis", "all"]),
});
export type PromptSettings = Frozen<z.infer<typeof promptSettings>>;

export const ragSettings = z.strictObject({
  enabled: z.boolean(),
  limit: z.int().min(0).max(50),
  /** With {agent_id}, {balance}, {now_s}, {my_artifacts}, {other_agents}, {last_action}. */
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
