import { z } from "zod";
import { jsonIn, must } from "../kernel/index.ts";
import { parseModelId } from "./model/index.ts";
import { explorerSettings } from "./policy/explorer.ts";
import { integratorSettings } from "./policy/integrator.ts";
import { lenderSettings } from "./policy/lender.ts";
import { producerSettings } from "./policy/producer.ts";
import { traderSettings } from "./policy/trader.ts";
import { workerSettings } from "./policy/worker.ts";
import { zeroIntelligenceSettings } from "./policy/zero-intelligence.ts";
import { relay } from "./relay.ts";
import { entrySchema } from "./script/script.ts";
import {
  COGNITIVE_SCHEMAS,
  ownPromptSettings,
  ragSettings,
  workingMemorySettings,
} from "./settings.ts";
import { workflowSchema } from "./workflow/index.ts";

/** The settings of each policy, under the name by which a persona asks for it. */
export const POLICY_SETTINGS = {
  producer: producerSettings,
  integrator: integratorSettings,
  explorer: explorerSettings,
  trader: traderSettings,
  lender: lenderSettings,
  worker: workerSettings,
  zero_intelligence: zeroIntelligenceSettings,
} as const;
type PolicyName = keyof typeof POLICY_SETTINGS;

const namesIn = <T extends object>(record: T): readonly (keyof T & string)[] =>
  Object.keys(record).filter((name): name is keyof T & string => name in record);

export const POLICY_NAMES: readonly PolicyName[] = namesIn(POLICY_SETTINGS);

/** Minds that ask a language model. */
const MODEL_MINDS = ["llm", "workflow"] as const;
type ModelMind = (typeof MODEL_MINDS)[number];

const mindNames = [
  ...MODEL_MINDS,
  "script",
  ...POLICY_NAMES.map((name) => `policy/${name}` as const),
] as const;

const TOKENS_MAX = 1_000_000;
export const SYSTEM_PROMPT_CHARS_MAX = 40_000;

const modelId = z.string().superRefine((given, context) => {
  const parsed = parseModelId(given);
  if (!parsed.ok) context.addIssue({ code: "custom", message: parsed.problem });
});

/** Settings that only a mind on a language model has. */
const modelFields = {
  llm_model: modelId
    .optional()
    .describe("provider/model, instead of the configuration's llm.default_model"),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("how freely it chooses its words, 0 to 2; the provider's own where nothing is said"),
  max_tokens: z
    .int()
    .min(1)
    .max(TOKENS_MAX)
    .optional()
    .describe("of one reply, its thinking included; instead of the configuration's llm.max_tokens"),
  cognitive_schema: z
    .enum(COGNITIVE_SCHEMAS)
    .optional()
    .describe("simple: a thought, then an action. ooda: an assessment, a rationale, an action"),
  system_prompt: z
    .string()
    .max(SYSTEM_PROMPT_CHARS_MAX)
    .optional()
    .describe("who it is; or in a file system_prompt.md beside this one"),
  rag: ragSettings.partial().optional(),
  prompt: ownPromptSettings.partial().optional(),
  workflow: workflowSchema
    .optional()
    .describe("the steps in which it decides (docs/workflows.md); without one it is asked once"),
};
const MODEL_KEYS = namesIn(modelFields);

/** What an agent's artifact and its `agent.yaml` have in common. */
export const agentFields = {
  mind: z
    .enum(mindNames)
    .describe("how it decides; a workflow goes without saying where there is one"),
  policy: z
    .record(z.string(), z.json())
    .optional()
    .describe("settings of the policy (docs/policies.md)"),
  script: z
    .array(entrySchema)
    .optional()
    .describe("one action an iteration, in this order (docs/agents.md)"),
  script_loop: z
    .boolean()
    .optional()
    .describe("true: begin again at the end; otherwise the agent stops there"),
  ...modelFields,
};

const fields = z.strictObject(agentFields);
type Fields = z.infer<typeof fields>;

/** Finds settings that are not those of the mind they stand beside. */
export const checkAgent = (config: Fields, context: z.core.$RefinementCtx): void => {
  const problem = (path: string, message: string): void => {
    context.addIssue({ code: "custom", path: [path], message });
  };
  const { mind } = config;
  if (isModelMind(mind)) {
    for (const key of ["script", "policy"] as const) {
      if (config[key] !== undefined) problem(key, `a mind on a language model has no ${key}`);
    }
    if (mind === "workflow" && config.workflow === undefined) {
      problem("mind", "mind: workflow needs a workflow");
    }
    return;
  }
  const foreign = MODEL_KEYS.find((key) => config[key] !== undefined);
  if (foreign !== undefined) problem(foreign, `only mind: llm or workflow has ${foreign}`);
  if (mind === "script") {
    if (config.script === undefined) problem("mind", "mind: script needs a script");
    if (config.policy !== undefined) problem("policy", "a script has no policy settings");
    return;
  }
  if (config.script !== undefined) problem("script", "only mind: script has a script");
  const schema = POLICY_SETTINGS[policyOf(mind)];
  relay(schema, config.policy ?? {}, { context, before: ["policy"] });
};

/** What an agent's artifact holds: how it decides. The rest of its being is the world's. */
export const agentConfigSchema = z
  .strictObject({
    ...agentFields,
    /** What the agent keeps in mind, as it writes it itself. */
    working_memory: z.json().optional(),
    /** The settings that `agent.yaml` calls `working_memory`. */
    working_memory_settings: workingMemorySettings.partial().optional(),
  })
  .superRefine(checkAgent);
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** Whether a mind asks a language model. */
export const isModelMind = (mind: AgentConfig["mind"]): mind is ModelMind =>
  MODEL_MINDS.some((name) => name === mind);

export const policyOf = (mind: Exclude<AgentConfig["mind"], "script" | ModelMind>): PolicyName =>
  must(
    POLICY_NAMES.find((name) => mind === `policy/${name}`),
    "a mind that is no script and asks no model follows a policy",
  );

/** The configuration in an agent's artifact; else what it holds, and what the schema says to it. */
export type AgentConfigRead =
  | { readonly ok: true; readonly config: AgentConfig }
  | { readonly ok: false; readonly given: unknown; readonly error: z.ZodError | null };

/** `error` is null for what is not JSON at all. */
export const readAgentConfig = (content: string): AgentConfigRead => {
  const found = jsonIn(content);
  if (found === undefined) return { ok: false, given: found, error: null };
  const result = agentConfigSchema.safeParse(found);
  return result.success
    ? { ok: true, config: result.data }
    : { ok: false, given: found, error: result.error };
};
