import { z } from "zod";
import {
  canonical,
  ID_RULE,
  interfaceProblem,
  isObject,
  isReserved,
  memoryIds,
  must,
  type OwnReviewTerms,
  parseAction,
  parseId,
  type ReviewDefault,
  type ReviewRule,
} from "../../kernel/index.ts";
import { workingMemorySettings } from "../../memory/index.ts";
import { isModulePath, type ModuleFile, type ModuleRole } from "../../mind/index.ts";
import { checkAnswers } from "../../workflow/index.ts";
import {
  type Problem,
  reviewDefault,
  reviewRule,
  standingTerms,
  type YamlFile,
} from "../config/index.ts";
import {
  type AgentConfig,
  agentFields,
  checkPersona,
  hasWorkspace,
  isModelMind,
  type ModuleConfig,
  moduleSettings,
  personaMind,
  personaPlugins,
} from "../minds/agent-config.ts";
import { numberedPrompt } from "./system-prompt.ts";
import { varySchema } from "./vary.ts";

const DESCRIPTION_CHARS_MAX = 200;
const COUNT_MAX = 100_000;
const VALUES_MAX = 100;
/** The most scrip that an artifact can be worth, so that no sum of values is inexact. */
const VALUE_MAX = 1_000_000_000;
/** The name of the row for agents without a group in tables. */
const NO_GROUP = "none";

const idSchema = z
  .string()
  .refine((id) => parseId(id) !== null, { error: `is not an id: ${ID_RULE}`, abort: true })
  .refine((id) => parseId(memoryIds(id).working) !== null, {
    error: "must have at most 113 characters, because `_working_memory` is appended to it",
  })
  .refine((id) => !isReserved(id), {
    error: "must not be operator or start with genesis or handbook; these names are reserved",
  });

/** Returns why a text is not a valid id, or null. The reason is a phrase to put after the id. */
export const idProblem = (id: string): string | null =>
  idSchema.safeParse(id).error?.issues[0]?.message ?? null;

/** The schema of `agent.yaml`: the runner's settings and the content of the agent's artifact. */
export const personaSchema = z
  .strictObject({
    ...agentFields,
    mind: personaMind,
    settings: moduleSettings.optional(),
    plugins: personaPlugins,
    id: idSchema.describe("the unique name of the agent and of its account"),
    /** Only the settings of the working memory. The agent itself writes the content. */
    working_memory: workingMemorySettings.partial().optional(),
    enabled: z.boolean().optional().describe("false: takes no part in runs"),
    starting_scrip: z
      .int()
      .min(0)
      .optional()
      .describe("replaces scrip.starting_amount of the configuration"),
    compute: standingTerms
      .partial()
      .optional()
      .describe("the first standing order for model budget; replaces compute.standing"),
    review: reviewRule
      .optional()
      .describe("which actions wait for a reviewer; overrides agents.defaults (docs/people.md)"),
    review_default: reviewDefault
      .optional()
      .describe("what happens without an answer of a reviewer; overrides agents.defaults"),
    group: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, {
        error: "must have 1 to 64 letters, digits, _ . - and start with a letter or digit",
      })
      .refine((name) => name !== NO_GROUP, {
        error: `must not be ${NO_GROUP}: reports use this name for agents without a group`,
      })
      .optional()
      .describe("a label; reports sum up the agents of each group"),
    contacts: z
      .array(z.string().refine((id) => parseId(id) !== null, { error: `is not an id: ${ID_RULE}` }))
      .max(100)
      .optional()
      .describe("the only addresses that the agent may send messages to; default: all"),
    values: z
      .record(
        z.string().refine((id) => parseId(id) !== null, { error: `is not an id: ${ID_RULE}` }),
        z.int().min(0).max(VALUE_MAX),
      )
      .refine((values) => Object.keys(values).length <= VALUES_MAX, {
        error: `must have at most ${VALUES_MAX} artifacts`,
      })
      .optional()
      .describe("what artifacts are worth to the agent, in scrip by id; no other agent sees it"),
    count: z
      .int()
      .min(1)
      .max(COUNT_MAX)
      .optional()
      .describe("makes this many agents, with the ids ID_1, ID_2 and so on"),
    vary: varySchema.optional(),
    description: z
      .string()
      .max(DESCRIPTION_CHARS_MAX)
      .regex(/^\S.*$/, { error: "must be one line of text" })
      .optional()
      .describe("who this is, in one line for `sim agents list`"),
  })
  .superRefine(checkPersona);

export type Persona = Readonly<ReturnType<typeof personaOf>>;

export type PersonaGiven = z.infer<typeof personaSchema>;

/** A module of a persona: its mind, or a plugin. */
export type PersonaModule = {
  readonly path: string;
  readonly role: ModuleRole;
  /** The name of the run's copy. */
  readonly name: string;
  /** The module and the files that it imports. `main` is the path of the module among them. */
  readonly files: readonly ModuleFile[];
  readonly main: string;
};

export type PersonaFiles = {
  readonly folder: string;
  readonly yaml: YamlFile;
  /** The text of system_prompt.md, or null if the file does not exist. */
  readonly systemPrompt: string | null;
  /** The content of the workspace, or null if the folder has none. */
  readonly workspace: string | null;
  /** The module of `mind`, or those of `plugins` in their order. */
  readonly modules: readonly PersonaModule[];
};

/** Which agent of a population this is. `population` is the id of the persona. */
type Member = { readonly population: string; readonly index: number };

export const personaOf = (given: PersonaGiven, from: PersonaFiles & Member) => {
  const { id, enabled = true, starting_scrip, description, group, compute, ...settings } = given;
  const { count: _count, vary: _vary, contacts = null, values = {}, ...limited } = settings;
  const { review, review_default, ...config } = limited;
  const { folder, population, modules, workspace, yaml } = from;
  return {
    id,
    /** The id in `agent.yaml`. It differs from `id` if the persona has a `count`. */
    population,
    enabled,
    mind: String(config.mind),
    modules,
    model: config.llm_model ?? null,
    startingScrip: starting_scrip ?? null,
    group: group ?? null,
    contacts,
    values,
    /** The parts of the agent's first standing order that the persona sets, or null. */
    compute: compute ?? null,
    /** The terms of review that the persona sets, or null if it sets none. */
    review: ownTerms(review ?? null, review_default ?? null),
    description: description ?? null,
    content: canonical(contentOf(config, from)),
    /** The content of the workspace that the agent starts with, or null if it starts with none. */
    workspace: hasWorkspace(config.mind) ? workspace : null,
    folder,
    /** The location of the id in `agent.yaml`. */
    place: yaml.placeOf({ path: ["id"], at: "value" }),
    /** The location of the setting by which the agent writes Python, or null. */
    python:
      config.mind === "code" && config.tools?.language === "python"
        ? yaml.placeOf({ path: ["tools", "language"], at: "value" })
        : null,
    warnings: [
      ...refusedIn(config.script ?? [], { yaml, above: ["script"] }),
      ...uselessAnswersIn(config.workflow, yaml),
    ],
  };
};

const ownTerms = (
  review: ReviewRule | null,
  review_default: ReviewDefault | null,
): OwnReviewTerms | null =>
  review === null && review_default === null ? null : { review, review_default };

type Settings = Omit<
  PersonaGiven,
  | "id"
  | "enabled"
  | "starting_scrip"
  | "description"
  | "group"
  | "contacts"
  | "values"
  | "compute"
  | "count"
  | "vary"
  | "review"
  | "review_default"
>;

const contentOf = (
  { mind, settings, plugins, working_memory: memory, system_prompt: own, ...config }: Settings,
  { systemPrompt, index, modules }: PersonaFiles & Member,
): AgentConfig | ModuleConfig => {
  if (isModulePath(mind)) {
    const { name } = must(modules[0], "a persona must have its module");
    return { mind: "module", module: name, ...(settings === undefined ? {} : { settings }) };
  }
  const prompt = own ?? (isModelMind(mind) ? systemPrompt : null);
  return {
    ...config,
    mind,
    ...(plugins === undefined ? {} : { plugins: storedPlugins(plugins, modules) }),
    ...(memory === undefined ? {} : { working_memory_settings: memory }),
    ...(prompt === null ? {} : { system_prompt: numberedPrompt(prompt, index) }),
  };
};

const storedPlugins = (
  given: NonNullable<PersonaGiven["plugins"]>,
  modules: readonly PersonaModule[],
): AgentConfig["plugins"] =>
  given.map((plugin, at) => {
    const { name } = must(modules[at], "a persona must have its plugins");
    const settings = typeof plugin === "string" ? undefined : plugin.settings;
    return { module: name, ...(settings === undefined ? {} : { settings }) };
  });

/** No world allows deeper JSON nesting. A world may have a lower `artifacts.json_depth_max`. */
const DEPTH_MAX = 200;

type Script = NonNullable<AgentConfig["script"]>;
type KeyPath = readonly (string | number)[];

/** Warns of script actions that every world refuses. An experiment may need such actions. */
const refusedIn = (
  script: Script,
  { yaml, above }: { readonly yaml: YamlFile; readonly above: KeyPath },
): readonly Problem[] =>
  script.flatMap((entry, at) => {
    const path = [...above, at];
    if ("do" in entry) return refusedIn([...entry.do], { yaml, above: [...path, "do"] });
    if ("wait" in entry || "sleep" in entry) return [];
    const [kind = "", fields] = Object.entries(entry)[0] ?? [];
    const message = refusalOf(entry, fields);
    if (message === null) return [];
    const [field = ""] = /^[a-z_]+/.exec(message) ?? [];
    const named = isObject(fields) && field in fields ? [field] : [];
    const place = yaml.placeOf({ path: [...path, kind, ...named], at: "value" });
    return [{ ...place, message: `the world will refuse this ${kind}: ${message}`, hint: null }];
  });

const refusalOf = (entry: Script[number], fields: unknown): string | null => {
  const parsed = parseAction(entry, DEPTH_MAX);
  if (parsed.kind === "refused") return parsed.refusal.message;
  if (!("write_artifact" in entry) || !isObject(fields) || fields.interface === undefined)
    return null;
  const problem = interfaceProblem(fields.interface);
  return problem === null ? null : `interface: ${problem}`;
};

/** Returns warnings about llm steps that the agent pays for without effect. */
const uselessAnswersIn = (workflow: AgentConfig["workflow"], yaml: YamlFile): readonly Problem[] =>
  workflow === undefined
    ? []
    : checkAnswers(workflow).map(({ path, message, hint }) => {
        const place = yaml.placeOf({ path: ["workflow", ...path], at: "value" });
        return { ...place, message, hint };
      });

export const keyDescription = (key: keyof typeof personaSchema.shape): string =>
  must(personaSchema.shape[key].description ?? null, `the schema must describe ${key}`);
