import { z } from "zod";
import {
  ACTION_FIELDS,
  ACTION_KINDS,
  ACTIONS,
  type ActionField,
  type ActionKind,
  type FieldType,
  fieldsOf,
  INTERFACE_KEYS,
  type Interface,
  type InterfaceMethod,
  METHOD_KEYS,
} from "../../kernel/index.ts";
import type { ReplyForm } from "../../model/index.ts";
import type { CognitiveSchema } from "../core/settings.ts";
import { WAKES } from "../core/sleep.ts";

const THOUGHTS = {
  simple: { thought_process: z.string().describe("what you think, step by step") },
  ooda: {
    situation_assessment: z.string().describe("the situation and what it means for you"),
    action_rationale: z.string().describe("why this action, in one or two sentences"),
  },
} as const;

const EXAMPLES: { readonly [C in CognitiveSchema]: string } = {
  simple: `{"thought_process": "I have 40 scrip and nothing to sell yet. A small program ...",
 "action": {"write_artifact": {"artifact_id": "my_adder", "artifact_type": "program",
   "code": "function run(a, b) { return a + b }", "price": 2}}}`,
  ooda: `{"situation_assessment": "I have 40 scrip and nothing to sell yet; no agent sells ...",
 "action_rationale": "A small program that others need brings income.",
 "action": {"write_artifact": {"artifact_id": "my_adder", "artifact_type": "program",
   "code": "function run(a, b) { return a + b }", "price": 2}}}`,
};

const described = (
  schema: CognitiveSchema,
): string => `Answer with one JSON object and nothing else:
${EXAMPLES[schema]}
"action" holds exactly one of ${ACTION_KINDS.join(", ")}. Next to it,
"sleep" is optional, as in {"for_s": 30, "until": [{"scrip_at_least": 50}]}.`;

export const replyGuide = (schema: CognitiveSchema, { sleepMaxS }: { sleepMaxS: number }): string =>
  `# How to answer
One JSON object with ${Object.keys(THOUGHTS[schema]).join(", ")}, one action and, optionally, a
sleep. Sleep starts after the action and is free. for_s is its length in seconds, at most
${sleepMaxS}. until is a list of conditions that end it early, such as
{"event": "artifact_invoked"}, {"scrip_at_least": 150},
{"llm_budget_at_least": 50000} or {"resource": "actions", "available": 10}.`;

/** Any value, such as a record: not every provider can describe records. The world checks it. */
const free = z.unknown();
const ids = z.array(z.string());

/** An interface, as the kernel reads it. Its schemas, arguments and results are free. */
const declaredInterface = z.object({
  description: z.string().describe(INTERFACE_KEYS.description),
  methods: z.array(
    z.object({
      name: z.string().describe(METHOD_KEYS.name),
      description: z.string(),
      input_schema: z
        .object({
          type: z.enum(["object"]),
          properties: free.describe(
            'a JSON Schema for each argument, e.g. {"n": {"type": "number"}}',
          ),
          required: z.array(z.string()).optional(),
        })
        .describe(METHOD_KEYS.input_schema),
      output_schema: free.optional().describe(METHOD_KEYS.output_schema),
      examples: z
        .array(z.object({ args: z.array(free), result: free } satisfies KeysOf<Example>))
        .optional()
        .describe(METHOD_KEYS.examples),
    } satisfies KeysOf<InterfaceMethod>),
  ),
} satisfies KeysOf<Interface>);

type KeysOf<T> = { readonly [K in keyof T]-?: z.ZodType };
type Example = NonNullable<InterfaceMethod["examples"]>[number];

const attachment = z.object({ scrip: z.int().optional(), artifacts: ids.optional() });

const JSON_TYPES: { readonly [T in FieldType]: z.ZodType } = {
  id: z.string(),
  ids,
  text: z.string(),
  method: z.string(),
  code: z.string().nullable(),
  price: z.int(),
  limit: z.int().nullable(),
  flag: z.boolean(),
  object: free,
  interface: declaredInterface.nullable(),
  list: z.array(free),
  attachment: attachment.nullable(),
};

const richField = ({ name, type, about }: ActionField): readonly [string, z.ZodType] => {
  const given = JSON_TYPES[type];
  return [name, (name === "artifact_id" ? given : given.optional()).describe(about)];
};

/** The schema of the fields of an action. The world checks their values. */
export const actionSchema = (kind: ActionKind): z.ZodObject =>
  z.object(Object.fromEntries(fieldsOf(kind).map(richField)));

const richAction = z.union(
  ACTION_KINDS.map((kind) =>
    z.object({ [kind]: actionSchema(kind) }).describe(ACTIONS[kind].about),
  ),
);

const richSleep = z
  .object({
    for_s: z.number().describe("seconds to sleep after the action"),
    until: z
      .array(z.union(Object.values(WAKES)))
      .optional()
      .describe("conditions that end the sleep early"),
  })
  .nullable()
  .optional();

const asText = (what: string) => z.string().describe(`${what}, as JSON text`);

/** An interface in a flat reply. A key `<name>_json` has the value of `<name>` as JSON text. */
const flatInterface = z.object({
  description: z.string().describe(INTERFACE_KEYS.description),
  methods: z.array(
    z.object({
      name: z.string().describe(METHOD_KEYS.name),
      description: z.string(),
      input_schema_json: asText(METHOD_KEYS.input_schema),
      output_schema_json: asText(METHOD_KEYS.output_schema).nullable(),
      examples: z.array(z.object({ args_json: z.string(), result_json: z.string() })).nullable(),
    } satisfies FlatKeysOf<InterfaceMethod, "input_schema" | "output_schema">),
  ),
} satisfies KeysOf<Interface>);

type FlatKeysOf<T, AsText extends string> = {
  readonly [K in keyof T & string as K extends AsText ? `${K}_json` : K]-?: z.ZodType;
};

/** Fields of these types are JSON text in a flat reply. Their keys are `<name>_json`. */
const TEXT_TYPES: ReadonlySet<FieldType> = new Set(["object", "list"]);

const flatField = (field: ActionField): readonly (readonly [string, z.ZodType])[] => {
  const { name, type, about } = field;
  if (TEXT_TYPES.has(type)) return [[`${name}_json`, asText(about).nullable()]];
  if (type === "interface") return [[name, flatInterface.nullable().describe(about)]];
  if (type !== "attachment") return [[name, JSON_TYPES[type].nullable().describe(about)]];
  return [
    [`${name}_scrip`, z.int().nullable()],
    [`${name}_artifacts`, ids.nullable()],
  ];
};

/** The keys of all conditions in one object. A condition sets one of them, or `available` too. */
const flatWake = z.object(
  Object.fromEntries(
    Object.values(WAKES).flatMap(({ shape }) =>
      Object.entries(shape).map(([key, type]) => [key, type.nullable()] as const),
    ),
  ),
);

/** The fields of all actions in one object. Fields that the chosen action lacks are null. */
const flatFields = {
  action_type: z.enum(ACTION_KINDS),
  ...Object.fromEntries(ACTION_FIELDS.flatMap(flatField)),
  sleep_for_s: z.number().nullable(),
  sleep_until: z.array(flatWake).nullable().describe("conditions that end the sleep early"),
};

const formOf = (name: CognitiveSchema): ReplyForm => ({
  name,
  rich: z.object({ ...THOUGHTS[name], action: richAction, sleep: richSleep }),
  flat: z.object({ ...THOUGHTS[name], ...flatFields }),
  described: described(name),
});

export const REPLY_FORMS: { readonly [C in CognitiveSchema]: ReplyForm } = {
  simple: formOf("simple"),
  ooda: formOf("ooda"),
};
