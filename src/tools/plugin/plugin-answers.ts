import { z } from "zod";
import type { JsonObject } from "../../kernel/index.ts";
import { asJson } from "../../mind/index.ts";
import { BUILT_IN_TOOLS } from "../built-in-plugins.ts";
import { retention } from "./retention.ts";

const TOOLS_MAX = 50;
const TEXTS_MAX = 50;

/** Words that a script or a reply uses itself. */
const WORDS =
  "and as assert async await break case catch class const continue debugger def default del " +
  "delete do elif else enum eval except export extends false finally for from function global " +
  "if implements import in instanceof interface is lambda let new nonlocal not null or package " +
  "pass private protected public raise return static super switch this throw true try typeof " +
  "undefined var void while with yield print kernel run arguments run_code calls set_attributes " +
  "Array Boolean Date Error Infinity JSON Map Math NaN Number Object Promise Proxy Reflect " +
  "RegExp Set String Symbol None True False globalThis";
const BUILT_IN = [...BUILT_IN_TOOLS.tools, ...BUILT_IN_TOOLS.slowTools];
const TAKEN_TOOLS: readonly string[] = [
  ...WORDS.split(" "),
  ...BUILT_IN.map(({ offer }) => offer.name),
];
const TAKEN_ATTRIBUTES = ["calls", "attributes", "response-metadata"];
const TAKEN_COMMANDS = ["help", "files", "reset", "exit"];

type Names = {
  readonly pattern: RegExp;
  readonly letters: string;
  readonly taken: readonly string[];
  /** What a name is that is taken. */
  readonly by: string;
};

/** A schema of names. A name cannot be one that is taken, in capitals or not. */
const nameOf = ({ pattern, letters, taken, by }: Names): z.ZodString => {
  const isFree = (name: string): boolean =>
    !taken.some((each) => each.toLowerCase() === name.toLowerCase());
  return z
    .string()
    .regex(pattern, `must be a name of ${letters}, at most 64 characters`)
    .refine(isFree, { error: `is the name of ${by}; choose another name` });
};

const toolName = nameOf({
  pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}$/,
  letters: "letters, digits and _",
  taken: TAKEN_TOOLS,
  by: "a built-in tool, or a word of a language",
});
const attributeName = nameOf({
  pattern: /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  letters: "letters, digits and -",
  taken: TAKEN_ATTRIBUTES,
  by: "a part of the reply",
});
const commandName = nameOf({
  pattern: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
  letters: "letters, digits, _ and -",
  taken: TAKEN_COMMANDS,
  by: "a built-in command",
});

const json = z.json().transform(asJson);

/** The JSON Schema of an object. */
const objectSchema = z.record(z.string(), json).superRefine((input, context) => {
  const problem = schemaProblem(input);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

/** Returns why this is not the JSON Schema of an object, or null. */
const schemaProblem = (input: JsonObject): string | null => {
  if (input.type !== "object") return 'must be a JSON Schema with type: "object"';
  try {
    z.fromJSONSchema(input);
    return null;
  } catch (error) {
    return `must be a JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** What a plugin adds to a step, and the commands that it gives to people. */
export const contributionSchema = z.strictObject({
  system: z.string().optional(),
  message: z
    .array(
      z.strictObject({
        text: z.string(),
        keep: retention.default(false),
        show: z.boolean().default(true),
      }),
    )
    .max(TEXTS_MAX)
    .default([]),
  tools: z
    .record(
      toolName,
      z.strictObject({
        description: z.string().min(1),
        input: objectSchema.default({ type: "object", properties: {} }),
      }),
    )
    .refine((tools) => Object.keys(tools).length <= TOOLS_MAX, {
      error: `must have at most ${TOOLS_MAX} tools`,
    })
    .default({}),
  attributes: z
    .array(
      z.strictObject({
        name: attributeName,
        description: z.string(),
        required: z.boolean().default(false),
        example: z.string().default("..."),
      }),
    )
    .default([]),
  commands: z.record(commandName, z.strictObject({ description: z.string() })).default({}),
  /** Whether the plugin has a function `read`. */
  reads: z.boolean().default(false),
});

export const memorySchema = json.optional();

const toolResult = z.preprocess(
  (given) => (typeof given === "string" ? { text: given } : given),
  z.strictObject({
    text: z.string(),
    failed: z.boolean().optional(),
    memory: json.optional(),
    files: z.record(z.string(), z.string().nullable()).optional(),
  }),
);

/** What a call of a tool led to. `wrong` says which argument does not fit the schema. */
export const ranSchema = z.union([
  z.strictObject({ ran: toolResult }),
  z.strictObject({ wrong: z.string() }),
]);

export const commandResult = z.union([
  z.string().transform((say) => ({ say })),
  z.strictObject({ show: z.string() }),
]);
