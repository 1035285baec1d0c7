import { z } from "zod";
import {
  canonical,
  ID_RULE,
  isObject,
  isReserved,
  memoryIds,
  must,
  parseAction,
  parseId,
} from "../../kernel/index.ts";
import {
  type AgentConfig,
  agentFields,
  checkAgent,
  checkAnswers,
  isModelMind,
  workingMemorySettings,
} from "../../mind/index.ts";
import type { Problem, YamlFile } from "../config/index.ts";

const DESCRIPTION_CHARS_MAX = 200;

const idSchema = z
  .string()
  .refine((id) => parseId(id) !== null, { error: `is not an id: ${ID_RULE}`, abort: true })
  .refine((id) => parseId(memoryIds(id).working) !== null, {
    error: "must have at most 113 characters, because `_working_memory` is appended to it",
  })
  .refine((id) => !isReserved(id), {
    error: "must not start with genesis or handbook; these names are reserved",
  });

/** Returns why a text is not a valid id, or null. The reason is a phrase to put after the id. */
export const idProblem = (id: string): string | null =>
  idSchema.safeParse(id).error?.issues[0]?.message ?? null;

/** The schema of `agent.yaml`: the runner's settings and the content of the agent's artifact. */
export const personaSchema = z
  .strictObject({
    ...agentFields,
    id: idSchema.describe("the unique name of the agent and of its account"),
    /** Only the settings of the working memory. The agent itself writes the content. */
    working_memory: workingMemorySettings.partial().optional(),
    enabled: z.boolean().optional().describe("false: takes no part in runs"),
    starting_scrip: z
      .int()
      .min(0)
      .optional()
      .describe("replaces scrip.starting_amount of the configuration"),
    description: z
      .string()
      .max(DESCRIPTION_CHARS_MAX)
      .regex(/^\S.*$/, { error: "must be one line of text" })
      .optional()
      .describe("who this is, in one line for `sim agents list`"),
  })
  .superRefine(checkAgent);

export type Persona = Readonly<ReturnType<typeof personaOf>>;

export const personaOf = (
  given: z.infer<typeof personaSchema>,
  from: {
    readonly folder: string;
    readonly yaml: YamlFile;
    /** The text of system_prompt.md, or null if the file does not exist. */
    readonly systemPrompt: string | null;
  },
) => {
  const { id, enabled = true, starting_scrip, description, ...config } = given;
  return {
    id,
    enabled,
    mind: config.mind,
    model: config.llm_model ?? null,
    startingScrip: starting_scrip ?? null,
    description: description ?? null,
    content: canonical(contentOf(config, from.systemPrompt)),
    folder: from.folder,
    /** The location of the id in `agent.yaml`. */
    place: from.yaml.placeOf({ path: ["id"], at: "value" }),
    warnings: [
      ...refusedIn(config.script ?? [], { yaml: from.yaml, above: ["script"] }),
      ...uselessAnswersIn(config.workflow, from.yaml),
    ],
  };
};

type Settings = Omit<
  z.infer<typeof personaSchema>,
  "id" | "enabled" | "starting_scrip" | "description"
>;

const contentOf = (
  { working_memory: settings, ...config }: Settings,
  systemPrompt: string | null,
): AgentConfig => ({
  ...config,
  ...(settings === undefined ? {} : { working_memory_settings: settings }),
  ...(systemPrompt !== null && isModelMind(config.mind) ? { system_prompt: systemPrompt } : {}),
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
    const parsed = parseAction(entry, DEPTH_MAX);
    if (parsed.kind !== "refused") return [];
    const [kind = "", fields] = Object.entries(entry)[0] ?? [];
    const { message } = parsed.refusal;
    const [field = ""] = /^[a-z_]+/.exec(message) ?? [];
    const named = isObject(fields) && field in fields ? [field] : [];
    const place = yaml.placeOf({ path: [...path, kind, ...named], at: "value" });
    return [{ ...place, message: `the world will refuse this ${kind}: ${message}`, hint: null }];
  });

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
