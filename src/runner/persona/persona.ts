import { z } from "zod";
import { canonical, ID_RULE, isReserved, parseId } from "../../kernel/index.ts";
import {
  type AgentConfig,
  agentFields,
  checkAgent,
  isModelMind,
  workingMemorySettings,
} from "../../mind/index.ts";
import type { Place, Problem, YamlFile } from "../config/index.ts";
import { vainActions } from "./vain-actions.ts";

const DESCRIPTION_CHARS_MAX = 200;

const idSchema = z
  .string()
  .refine((id) => parseId(id) !== null, { error: `is not an id: ${ID_RULE}`, abort: true })
  .refine((id) => parseId(`${id}_working_memory`) !== null, {
    error: "must leave room for `_working_memory` behind it: 113 characters at most",
  })
  .refine((id) => !isReserved(id), {
    error: "must not begin with genesis or handbook; those names are the world's",
  });

/** What keeps a text from being the id of a persona, in words behind it; null for nothing. */
export const idProblem = (id: string): string | null =>
  idSchema.safeParse(id).error?.issues[0]?.message ?? null;

/** `agent.yaml`: who the agent is to the runner, and how it decides, which becomes its artifact. */
export const personaSchema = z
  .strictObject({
    ...agentFields,
    id: idSchema.describe("unique; the name under which it owns, pays and is paid"),
    /** Here its settings; what an agent keeps in mind it writes itself. */
    working_memory: workingMemorySettings.partial().optional(),
    enabled: z.boolean().optional().describe("false: stays out of runs"),
    starting_scrip: z
      .int()
      .min(0)
      .optional()
      .describe("instead of the configuration's scrip.starting_amount"),
    description: z
      .string()
      .max(DESCRIPTION_CHARS_MAX)
      .regex(/^\S.*$/, { error: "must be one line of text" })
      .optional()
      .describe("who this is, in one line for `sim agents list`"),
  })
  .superRefine(checkAgent);

export type Persona = {
  readonly id: string;
  readonly enabled: boolean;
  readonly mind: AgentConfig["mind"];
  /** The model it asks; null leaves it to `llm.default_model`. */
  readonly model: string | null;
  /** What it begins with; null leaves it to `scrip.starting_amount`. */
  readonly startingScrip: number | null;
  readonly description: string | null;
  /** Its configuration as canonical JSON text: the content of its artifact. */
  readonly content: string;
  readonly folder: string;
  /** Where its id stands. */
  readonly place: Place;
  /** What it may mean to do and will be refused. */
  readonly warnings: readonly Problem[];
};

export const personaOf = (
  given: z.infer<typeof personaSchema>,
  from: {
    readonly folder: string;
    readonly yaml: YamlFile;
    /** The text of its system_prompt.md; null where it has none. */
    readonly systemPrompt: string | null;
  },
): Persona => {
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
    place: from.yaml.placeOf({ path: ["id"], at: "value" }),
    warnings: vainActions(config.script ?? [], from.yaml),
  };
};

type Settings = Omit<
  z.infer<typeof personaSchema>,
  "id" | "enabled" | "starting_scrip" | "description"
>;

/** The content of its artifact. A prompt in its folder is for minds that read one. */
const contentOf = (
  { working_memory: settings, ...config }: Settings,
  systemPrompt: string | null,
): AgentConfig => ({
  ...config,
  ...(settings === undefined ? {} : { working_memory_settings: settings }),
  ...(systemPrompt !== null && isModelMind(config.mind) ? { system_prompt: systemPrompt } : {}),
});
