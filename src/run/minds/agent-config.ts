import { z } from "zod";
import { isObject, type Json, jsonIn, must } from "../../kernel/index.ts";
import { workingMemorySettings } from "../../memory/index.ts";
import {
  addIssues,
  COGNITIVE_SCHEMAS,
  cliSettings,
  entrySchema,
  isModuleName,
  isModulePath,
  type LlmDefaults,
  type MindSettings,
  type ModulePath,
  type ModuleRole,
  namesIn,
  type Own,
  ownPromptSettings,
  ragSettings,
  seatSettings,
  valuesText,
  withoutUndefined,
} from "../../mind/index.ts";
import { parseModelId, reasoningSetting, replyTokensMax } from "../../model/index.ts";
import { POLICIES, POLICY_NAMES, type PolicyName } from "../../policy/index.ts";
import { toolSettings } from "../../tools/index.ts";
import { workflowSchema } from "../../workflow/index.ts";

const TOOL_MINDS = ["tools", "code"] as const;
const MODEL_MINDS = ["llm", "workflow", ...TOOL_MINDS] as const;
type ModelMind = (typeof MODEL_MINDS)[number];

export const MIND_NAMES = [
  ...MODEL_MINDS,
  "script",
  "seat",
  "cli",
  ...POLICY_NAMES.map((name) => `policy/${name}` as const),
] as const;

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

/** A null in the settings with defaults is the same as a missing key. */
const modelFields = {
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
  cognitive_schema: cognitiveSchema
    .nullish()
    .describe("the form of a reply. simple: thought, action. ooda: assessment, rationale, action"),
  system_prompt: z
    .string()
    .max(SYSTEM_PROMPT_CHARS_MAX)
    .optional()
    .describe("the system prompt; a file system_prompt.md in the same folder has the same effect"),
  rag: ragSettings.partial().optional(),
  prompt: ownPromptSettings.partial().optional(),
  tools: toolSettings
    .partial()
    .optional()
    .describe("settings of mind: tools and mind: code (docs/tools.md)"),
  workflow: workflowSchema
    .optional()
    .describe("the steps of a decision (docs/agents.md); default: one question to the model"),
};
const MODEL_KEYS = namesIn(modelFields);

export const agentFields = {
  mind: z.enum(MIND_NAMES).describe("how the agent decides"),
  policy: z
    .record(z.string(), z.json())
    .optional()
    .describe("settings of the policy (docs/agents.md)"),
  script: z
    .array(entrySchema)
    .optional()
    .describe("the actions, in order; one per iteration (docs/agents.md)"),
  script_loop: z
    .boolean()
    .optional()
    .describe("whether the script starts again at its end; if not, the agent stops"),
  seat: seatSettings.partial().optional().describe("settings of mind: seat (docs/people.md)"),
  cli: cliSettings.partial().optional().describe("settings of mind: cli (docs/coding-agents.md)"),
  ...modelFields,
};

/** The settings that a module gets. */
export const moduleSettings = z
  .record(z.string(), z.json())
  .describe("the settings that the functions of a module get, such as decide of mind: ./mind.ts");

/** YAML and JSON have no other values. */
const pluginSettings = z.record(z.string(), z.custom<Json>());

const pluginPath = z
  .string()
  .refine(isModulePath, { error: "must be the path of a module such as ./plugin.ts" })
  .describe("the path of a module such as ./plugin.ts, relative to the persona");

/** The plugins of a persona: paths of modules of the user, each with or without settings. */
export const personaPlugins = z
  .array(
    z.union(
      [pluginPath, z.strictObject({ module: pluginPath, settings: pluginSettings.optional() })],
      { error: "must be the path of a module such as ./plugin.ts, or { module, settings }" },
    ),
  )
  .max(20)
  .optional()
  .describe("with mind: tools or code, modules that add texts and tools (docs/tools.md)");

/**
 * The plugins of an agent. Only the personas of a run can have plugins, because their code runs
 * outside the sandbox. Agents cannot write them.
 */
const storedPlugins = z.array(
  z.strictObject({
    /** The name of the run's copy of the module. */
    module: z.string().refine(isModuleName),
    settings: pluginSettings.optional(),
  }),
);

const fields = z.strictObject(agentFields);
type Fields = z.infer<typeof fields>;

/** The minds that have a setting of agents on language models. */
const mindsWith = (key: string): readonly string[] => {
  switch (key) {
    case "workflow":
    case "cognitive_schema":
      return MODEL_MINDS.filter((mind) => !hasTools(mind));
    case "tools":
      return TOOL_MINDS;
    case "system_prompt":
      return [...MODEL_MINDS, "cli"];
    default:
      return MODEL_MINDS;
  }
};

const eitherOf = (minds: readonly string[]): string =>
  `${minds.slice(0, -1).join(", ")} or ${minds.at(-1)}`;

const POLICY_HINT = `a policy is a mind, such as \`mind: policy/${POLICY_NAMES[0]}\``;

const checkAgent = (config: Fields, context: z.core.$RefinementCtx): void => {
  const problem = (path: string, message: string, hint: string | null = null): void => {
    context.addIssue({ code: "custom", path: [path], message, params: { hint } });
  };
  const { mind } = config;
  if (mind !== "script") {
    const scriptKeys = ["script", "script_loop"] as const;
    const key = scriptKeys.find((each) => config[each] !== undefined);
    if (key !== undefined) problem(key, `only mind: script has ${key}`);
  }
  if (mind !== "seat" && config.seat !== undefined) problem("seat", "only mind: seat has seat");
  if (mind !== "cli" && config.cli !== undefined) problem("cli", "only mind: cli has cli");
  if (isModelMind(mind)) {
    if (config.policy !== undefined) {
      problem("policy", `mind: ${mind} has no policy settings`, POLICY_HINT);
    }
    if (mind === "workflow" && config.workflow === undefined) {
      problem("mind", "mind: workflow needs a workflow");
    }
    if (hasTools(mind)) {
      const key = (["workflow", "cognitive_schema"] as const).find((each) => config[each] != null);
      if (key !== undefined) problem(key, `mind: ${mind} has no ${key}`);
      if (mind === "code" && config.tools?.protocol !== undefined) {
        problem(
          "tools",
          "mind: code has no tools.protocol",
          "delete `protocol`, or write `mind: tools`",
        );
      }
      if (mind === "tools" && config.tools?.language !== undefined) {
        problem("tools", "only mind: code has tools.language", "write `mind: code`");
      }
    } else if (config.tools !== undefined) {
      problem("tools", "only mind: tools or code has tools", "write `mind: tools`");
    }
    return;
  }
  const foreign = MODEL_KEYS.find(
    (key) => config[key] !== undefined && !mindsWith(key).includes(mind),
  );
  if (foreign !== undefined)
    problem(foreign, `only mind: ${eitherOf(mindsWith(foreign))} has ${foreign}`);
  if (mind === "script") {
    if (config.script === undefined) problem("mind", "mind: script needs a script");
    if (config.policy !== undefined) problem("policy", "a script has no policy settings");
    return;
  }
  if (mind === "seat" || mind === "cli") {
    if (config.policy !== undefined) problem("policy", `mind: ${mind} has no policy settings`);
    if (mind === "cli") checkCli(config.cli ?? {}, problem);
    return;
  }
  const { settings } = POLICIES[policyOf(mind)];
  addIssues(settings, config.policy ?? {}, { context, before: ["policy"] });
};

const checkCli = (
  { provider, command, stream, executable, args, llm_model }: NonNullable<Fields["cli"]>,
  problem: (path: string, message: string, hint?: string) => void,
): void => {
  if (provider === undefined) {
    problem("mind", "mind: cli needs cli.provider", "write `cli: { provider: claude }`");
  } else if (provider === "command") {
    if (command === undefined)
      problem("cli", "provider: command needs cli.command", "write `command: [my-agent]`");
    const key = Object.entries({ executable, args, llm_model }).find(
      ([, value]) => value !== undefined,
    );
    if (key !== undefined)
      problem("cli", `provider: command has no cli.${key[0]}`, "use cli.command");
  } else if (command !== undefined || stream !== undefined) {
    const key = command === undefined ? "stream" : "command";
    problem("cli", `only provider: command has cli.${key}`);
  }
};

/** The schema of the settings of a policy, or null for other minds. */
export const policySettings = (mind: string): z.ZodType | null => {
  const name = POLICY_NAMES.find((policy) => mind === `policy/${policy}`);
  return name === undefined ? null : POLICIES[name].settings;
};

/** Adds the mind to a configuration or persona that names none. Its other keys decide. */
export const withImpliedMind = (given: unknown): unknown => {
  if (!isObject(given) || given.mind !== undefined) return given;
  const other = given.script === undefined ? "llm" : "script";
  const asked = given.tools === undefined && given.plugins === undefined ? other : "tools";
  return { ...given, mind: given.workflow === undefined ? asked : "workflow" };
};

/** The minds that a message about an unknown mind lists. */
const MIND_FORMS = [...MIND_NAMES, "a module such as ./mind.ts"];

/** The mind of a persona: a name, or the path of a module of the user. */
export const personaMind = z
  .custom<Fields["mind"] | ModulePath>()
  .superRefine((given, context) => {
    if (isModulePath(given) || agentFields.mind.safeParse(given).success) return;
    addIssues(z.literal(MIND_FORMS), given, { context });
  })
  .describe(
    "how the agent decides: a name, or the path of a module such as ./mind.ts; " +
      "default: workflow with a workflow, script with a script, tools with tools or plugins, " +
      "else llm",
  );

const isMind = (mind: string): boolean => MIND_NAMES.some((name) => name === mind);

type PersonaFields = Omit<Fields, "mind"> & {
  readonly mind: Fields["mind"] | ModulePath;
  readonly settings?: unknown;
  readonly plugins?: unknown;
};

export const checkPersona = (config: PersonaFields, context: z.core.$RefinementCtx): void => {
  const { mind, settings, plugins, ...others } = config;
  const refuse = (key: string, message: string): void => {
    context.addIssue({ code: "custom", path: [key], message });
  };
  if (plugins !== undefined && !hasTools(mind)) {
    refuse("plugins", "only mind: tools and mind: code have plugins");
  }
  if (!isModulePath(mind)) {
    if (settings !== undefined) refuse("settings", "only a mind that is a module has settings");
    // `personaMind` has already reported a name that is unknown.
    if (isMind(mind)) checkAgent({ ...others, mind }, context);
    return;
  }
  const keys = [...MODEL_KEYS, "policy", "script", "script_loop", "seat", "cli"] as const;
  for (const key of keys.filter((each) => others[each] !== undefined)) {
    refuse(key, `a mind that is a module has no ${key}; use settings`);
  }
};

/** The configuration of an agent: the JSON in the agent's artifact. */
export const agentConfigSchema = z
  .strictObject({
    ...agentFields,
    /** The working memory. The agent writes this field itself. */
    working_memory: z.json().optional(),
    /** The settings under `working_memory` in `agent.yaml`. */
    working_memory_settings: workingMemorySettings.partial().optional(),
    plugins: storedPlugins.optional(),
  })
  .superRefine(checkAgent);
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/**
 * The configuration of an agent whose mind is a module of the user. Only the personas of a run can
 * have such a mind, because its code runs outside the sandbox. Agents cannot write it.
 */
const moduleConfigSchema = z.strictObject({
  mind: z.literal("module"),
  /** The name of the run's copy of the module. */
  module: z.string().refine(isModuleName),
  settings: moduleSettings.optional(),
});
export type ModuleConfig = z.infer<typeof moduleConfigSchema>;

/** The modules that an agent needs. */
export const modulesNeeded = (
  config: AgentConfig | ModuleConfig,
): readonly { readonly name: string; readonly role: ModuleRole }[] =>
  config.mind === "module"
    ? [{ name: config.module, role: "mind" }]
    : (config.plugins ?? []).map(({ module: name }) => ({ name, role: "plugin" }));

/** Whether an agent writes scripts in Python, which run only if its run allows it. */
export const needsPython = ({ mind, ...config }: AgentConfig | ModuleConfig): boolean =>
  mind === "code" && "tools" in config && config.tools?.language === "python";

export const isModelMind = (mind: string): mind is ModelMind =>
  MODEL_MINDS.some((name) => name === mind);

/** Whether agents with this mind work in turns and call tools. */
export const hasTools = (mind: string): boolean => TOOL_MINDS.some((name) => name === mind);

/** Whether agents with this mind keep files. */
export const hasWorkspace = (mind: string): boolean => mind === "cli" || hasTools(mind);

export const policyOf = (
  mind: Exclude<AgentConfig["mind"], "script" | "seat" | "cli" | ModelMind>,
): PolicyName =>
  must(
    POLICY_NAMES.find((name) => mind === `policy/${name}`),
    "any other mind must follow a policy",
  );

type AgentConfigRead<Config = AgentConfig> =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly given: unknown; readonly error: z.ZodError | null };

/** Parses a configuration that an agent wrote. `error` is null if the text is not JSON. */
export const readAgentConfig = (content: string): AgentConfigRead =>
  readAs<AgentConfig>(agentConfigSchema, content);

/** Parses the content of an agent's artifact. Agents can have written it, or the run. */
export const readStoredConfig = (content: string): AgentConfigRead<AgentConfig | ModuleConfig> => {
  const found = jsonIn(content);
  return isObject(found) && found.mind === "module"
    ? readAs<ModuleConfig>(moduleConfigSchema, content)
    : readAgentConfig(content);
};

const readAs = <Config>(schema: z.ZodType<Config>, content: string): AgentConfigRead<Config> => {
  const found = withImpliedMind(jsonIn(content));
  if (found === undefined) return { ok: false, given: found, error: null };
  const result = schema.safeParse(found);
  return result.success
    ? { ok: true, config: result.data }
    : { ok: false, given: found, error: result.error };
};

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
