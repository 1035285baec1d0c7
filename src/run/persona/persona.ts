import { z } from "zod";
import {
  type AgentTerms,
  asId,
  canonical,
  ID_RULE,
  isReserved,
  memoryIds,
  must,
  parseId,
} from "../../kernel/index.ts";
import {
  type MindConfig,
  type MindKeys,
  type ModuleFile,
  type ModuleRole,
  workingMemoryKey,
} from "../../mind/index.ts";
import {
  type Problem,
  reviewDefault,
  reviewRule,
  standingTerms,
  type YamlFile,
} from "../config/index.ts";
import { checkKind, modelIn, personaKeys, personaMind } from "../minds/agent-config.ts";
import { kindOf, type RunMindKind } from "../minds/kinds.ts";
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

const ownFields = {
  id: idSchema.describe("the unique name of the agent and of its account"),
  /** Only the settings of the working memory. The agent itself writes the content. */
  working_memory: workingMemoryKey,
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
};

/** The schema of `agent.yaml`: the runner's settings and the content of the agent's artifact. */
export const personaSchema = z
  .strictObject({ mind: personaMind, ...personaKeys, ...ownFields })
  .superRefine((given, context) => checkKind(given as PersonaGiven, context));

const ownSchema = z.strictObject(ownFields);

/** A valid `agent.yaml`: the keys of its kind of mind, and those of all personas. */
export type PersonaGiven = MindConfig & z.infer<typeof ownSchema>;

export type Persona = Readonly<ReturnType<typeof personaOf>>;

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
  const { id, enabled = true, starting_scrip, description, compute } = given;
  const { folder, population, modules, workspace, yaml } = from;
  const config = configIn(given);
  const kind = must(kindOf(config.mind), "a persona must have a kind of mind");
  const python = kind.pythonSetting?.(config) ?? null;
  const warnings = (kind.oddities?.(config) ?? []).map(
    ({ path, ...told }): Problem => ({ ...yaml.placeOf({ path, at: "value" }), ...told }),
  );
  return {
    id,
    /** The id in `agent.yaml`. It differs from `id` if the persona has a `count`. */
    population,
    enabled,
    mind: config.mind,
    modules,
    model: modelIn(config),
    startingScrip: starting_scrip ?? null,
    terms: termsOf(given),
    /** The parts of the agent's first standing order that the persona sets, or null. */
    compute: compute ?? null,
    description: description ?? null,
    content: canonical(contentOf(given, kind, from)),
    /** The content of the workspace that the agent starts with, or null if it starts with none. */
    workspace: kind.hasWorkspace ? workspace : null,
    folder,
    /** The location of the id in `agent.yaml`. */
    place: yaml.placeOf({ path: ["id"], at: "value" }),
    /** The location of the setting by which the agent writes Python, or null. */
    python: python === null ? null : yaml.placeOf({ path: python, at: "value" }),
    warnings,
  };
};

/** What the world knows of the agent besides its artifact. `newcomersOf` adds its order. */
const termsOf = (given: PersonaGiven): Omit<AgentTerms, "standing"> => {
  const { group = null, contacts, values = {}, review = null, review_default = null } = given;
  return {
    group,
    ...(contacts === undefined ? {} : { contacts: contacts.map(asId) }),
    values,
    ...(review === null && review_default === null ? {} : { review: { review, review_default } }),
  };
};

/** The mind and its keys. All other keys of a persona stay out of the agent's artifact. */
const configIn = (given: PersonaGiven): MindConfig => {
  const named = Object.keys(personaKeys).filter((key) => given[key] !== undefined);
  return { mind: given.mind, ...Object.fromEntries(named.map((key) => [key, given[key]])) };
};

/** The configuration for the agent's artifact. */
const contentOf = (
  given: PersonaGiven,
  kind: RunMindKind,
  { systemPrompt, index, modules }: PersonaFiles & Member,
): MindConfig => {
  const { system_prompt: own, ...config } = configIn(given);
  const { working_memory: memory } = given;
  const prompt = typeof own === "string" ? own : kind.cost === "models" ? systemPrompt : null;
  const whole = {
    ...config,
    ...(memory === undefined ? {} : { working_memory_settings: memory }),
    ...(prompt === null ? {} : { system_prompt: numberedPrompt(prompt, index) }),
  };
  const names = modules.map(({ name }) => name);
  return kind.modules?.stored(whole, names) ?? whole;
};

const SHAPE: MindKeys = personaSchema.shape;

export const keyDescription = (key: string): string =>
  must(SHAPE[key]?.description ?? null, `the schema must describe ${key}`);
