import { z } from "zod";
import { canonical, ID_RULE, isReserved, parseId } from "../../kernel/index.ts";
import { agentConfigSchema } from "../../mind/index.ts";
import type { Place, Problem, YamlFile } from "../config/index.ts";
import { vainActions } from "./vain-actions.ts";

const DESCRIPTION_CHARS_MAX = 200;

const idSchema = z
  .string()
  .refine((id) => parseId(id) !== null, { error: `is not an id: ${ID_RULE}`, abort: true })
  .refine((id) => parseId(`${id}_memory`) !== null, {
    error: "must leave room for `_memory` behind it: 121 characters at most",
  })
  .refine((id) => !isReserved(id), {
    error: "must not begin with genesis or handbook; those names are the world's",
  });

/** `agent.yaml`: who the agent is to the runner, and how it decides, which becomes its artifact. */
export const personaSchema = agentConfigSchema.safeExtend({
  id: idSchema,
  enabled: z.boolean().optional(),
  starting_scrip: z.int().min(0).optional(),
  description: z
    .string()
    .max(DESCRIPTION_CHARS_MAX)
    .regex(/^\S.*$/, { error: "must be one line of text" })
    .optional(),
});

export type Persona = {
  readonly id: string;
  readonly enabled: boolean;
  readonly mind: string;
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
  from: { readonly folder: string; readonly yaml: YamlFile },
): Persona => {
  const { id, enabled = true, starting_scrip, description, ...config } = given;
  return {
    id,
    enabled,
    mind: config.mind,
    startingScrip: starting_scrip ?? null,
    description: description ?? null,
    content: canonical(config),
    folder: from.folder,
    place: from.yaml.placeOf({ path: ["id"], at: "value" }),
    warnings: vainActions(config.script ?? [], from.yaml),
  };
};
