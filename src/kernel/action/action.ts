import type { Interface } from "../artifact/artifact.ts";
import { accept, answered, type Decision, type Refused, refuse } from "../core/decision.ts";
import { ID_RULE, type Id, parseId } from "../core/ids.ts";
import {
  cutText,
  isList,
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
  textProblem,
} from "../core/json.ts";
import { isAmountOrZero } from "../core/money.ts";

/** The four kinds of action. An agent does everything else by invoking an artifact. */
export const ACTION_KINDS = ["noop", "read_artifact", "write_artifact", "invoke_artifact"] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

export const ACTIONS: {
  readonly [K in ActionKind]: { readonly about: string; readonly example: JsonObject };
} = {
  noop: { about: "does nothing for one iteration", example: {} },
  read_artifact: {
    about: "reads an artifact",
    example: { artifact_id: "handbook_actions", max_price: 0 },
  },
  write_artifact: {
    about: "creates or changes an artifact; a change keeps all fields that you omit",
    example: {
      artifact_id: "my_doubler",
      artifact_type: "program",
      code: "function run(n) { return n * 2 }",
      price: 2,
      interface: {
        description: "Doubles a number.",
        methods: [
          {
            name: "run",
            description: "Returns n times 2.",
            input_schema: {
              type: "object",
              properties: { n: { type: "number" } },
              required: ["n"],
            },
            output_schema: { type: "number" },
            examples: [{ args: [21], result: 42 }],
          },
        ],
      },
    },
  },
  invoke_artifact: {
    about: "calls a method of an artifact",
    example: {
      artifact_id: "my_doubler",
      method: "run",
      args: [21],
      attach: { scrip: 3 },
      max_price: 2,
    },
  },
};

/** Scrip and artifacts that the callee receives in the same transaction. */
export type Attachment = { readonly scrip: number; readonly artifacts: readonly Id[] };

type FieldValues = {
  readonly id: Id;
  readonly ids: readonly Id[];
  readonly text: string;
  readonly method: string;
  readonly code: string | null;
  readonly price: number;
  readonly limit: number | null;
  readonly flag: true;
  readonly object: JsonObject;
  readonly interface: Interface | null;
  readonly list: readonly Json[];
  readonly attachment: Partial<Attachment> | null;
};
export type FieldType = keyof FieldValues;

export type ActionField = {
  readonly name: string;
  readonly type: FieldType;
  readonly of: readonly ActionKind[];
  /** The rule for the value. A refusal shows this text after the field's name. */
  readonly rule: string;
  /** Description for the prompts and pages that agents read. */
  readonly about: string;
  /** True for fields that only the owner of an artifact may set. */
  readonly ownerOnly?: true;
};

const READ = "read_artifact";
const WRITE = "write_artifact";
const INVOKE = "invoke_artifact";
const PRICE_RULE = "must be a whole number of scrip, 0 or more";
const FLAG_RULE = "must be true; it cannot be set to false later";

/** All fields of actions. The parser, reply schemas, script keys and handbook use this table. */
const FIELDS = {
  artifact_id: {
    type: "id",
    of: [READ, WRITE, INVOKE],
    rule: `is not an id: ${ID_RULE}`,
    about: "the id of an artifact",
  },
  artifact_type: {
    type: "text",
    of: [WRITE],
    rule: "must be a string",
    about: "what kind of artifact it is, e.g. program or data",
  },
  content: {
    type: "text",
    of: [WRITE],
    rule: "must be a string; pass JSON as text",
    about: "text that others can read",
  },
  code: {
    type: "code",
    of: [WRITE],
    rule: "must be JavaScript text, or null",
    about: "JavaScript: function run(...) { return ... }",
  },
  price: {
    type: "price",
    of: [WRITE],
    rule: PRICE_RULE,
    about: "scrip that each call costs the caller",
    ownerOnly: true,
  },
  read_price: {
    type: "price",
    of: [WRITE],
    rule: PRICE_RULE,
    about: "scrip that each read costs the reader",
    ownerOnly: true,
  },
  access: {
    type: "id",
    of: [WRITE],
    rule: "must be the id of a contract",
    about: "the id of an access contract",
    ownerOnly: true,
  },
  access_locked: {
    type: "flag",
    of: [WRITE],
    rule: FLAG_RULE,
    about: "true makes the access contract permanent",
    ownerOnly: true,
  },
  interface: {
    type: "interface",
    of: [WRITE],
    rule: "must be an object, or null",
    about: "the description, methods and examples",
  },
  depends_on: {
    type: "ids",
    of: [WRITE],
    rule: "must be a list of ids",
    about: "the ids of artifacts that it uses",
  },
  metadata: {
    type: "object",
    of: [WRITE],
    rule: "must be an object",
    about: "an object whose entries searches can filter by",
  },
  has_standing: {
    type: "flag",
    of: [WRITE],
    rule: FLAG_RULE,
    about: "true gives a program its own account",
    ownerOnly: true,
  },
  method: {
    type: "method",
    of: [INVOKE],
    rule: "must be the name of a function, with at most 64 characters",
    about: "the function to call; run by default",
  },
  args: {
    type: "list",
    of: [INVOKE],
    rule: 'must be a list, e.g. [1, "a"]',
    about: 'the list of arguments, e.g. [1, "a"]',
  },
  attach: {
    type: "attachment",
    of: [INVOKE],
    rule: 'must be {"scrip"?: amount, "artifacts"?: [ids]}',
    about: "scrip and artifacts for the callee; returned if the call fails",
  },
  max_price: {
    type: "limit",
    of: [READ, WRITE, INVOKE],
    rule: PRICE_RULE,
    about: "the maximum total of the price and the cost of the access contract",
  },
} as const satisfies { readonly [name: string]: Omit<ActionField, "name"> };

type Fields = typeof FIELDS;

/** The validated fields of an action. All except `artifact_id` are optional. */
export type FieldsOf<K extends ActionKind> = {
  readonly [N in keyof Fields as K extends Fields[N]["of"][number]
    ? N
    : never]?: FieldValues[Fields[N]["type"]];
} & { readonly artifact_id: Id };

export type Action = Noop | ReadAction | WriteAction | InvokeAction;
export type Noop = { readonly kind: "noop" };
export type ReadAction = {
  readonly kind: "read_artifact";
  readonly artifact_id: Id;
  readonly max_price: number | null;
};
export type WriteAction = { readonly kind: "write_artifact"; readonly request: WriteRequest };
export type InvokeAction = { readonly kind: "invoke_artifact" } & InvokeRequest;

export const NOTHING_ATTACHED: Attachment = { scrip: 0, artifacts: [] };

export type InvokeRequest = {
  readonly artifact_id: Id;
  readonly method: string;
  readonly args: readonly Json[];
  readonly attach: Attachment;
  readonly max_price: number | null;
};

export type WriteRequest = FieldsOf<"write_artifact">;

export const ACTION_FIELDS: readonly ActionField[] = Object.entries(FIELDS).map(
  ([name, field]) => ({ name, ...field }),
);

/** The fields of an action, in the order in which they are checked. */
export const fieldsOf = (kind: ActionKind): readonly ActionField[] =>
  ACTION_FIELDS.filter(({ of }) => of.includes(kind));

const METHOD_CHARS_MAX = 64;

/** A check of the value for each type of field. Attachments are checked separately. */
const ACCEPTS: { readonly [T in Exclude<FieldType, "attachment">]: (value: unknown) => boolean } = {
  id: (value) => parseId(value) !== null,
  ids: (value) => isList(value) && value.every((id) => parseId(id) !== null),
  text: (value) => typeof value === "string",
  method: (value) => typeof value === "string" && value.length <= METHOD_CHARS_MAX,
  code: (value) => value === null || typeof value === "string",
  price: isAmountOrZero,
  limit: (value) => value === null || isAmountOrZero(value),
  flag: (value) => value === true,
  object: (value) => isObject(value),
  interface: (value) => value === null || isObject(value),
  list: (value) => isList(value),
};

const fieldProblem = ({ name, type, rule }: ActionField, value: unknown): string | null => {
  if (type === "attachment") return attachmentProblem(`${name} ${rule}`, value);
  if (ACCEPTS[type](value)) return null;
  const shown = name === "artifact_id" ? `${name} ${JSON.stringify(value)}` : name;
  return `${shown} ${rule}`;
};

const attachmentProblem = (rule: string, value: unknown): string | null => {
  if (value === null) return null;
  if (!isObject(value)) return rule;
  const unknown = Object.keys(value).find((key) => key !== "scrip" && key !== "artifacts");
  if (unknown !== undefined) return `${rule}; "${unknown}" is unknown`;
  const { scrip = 0, artifacts = [] } = value;
  if (!isAmountOrZero(scrip)) return `attach.scrip ${PRICE_RULE}`;
  if (!isList(artifacts)) return rule;
  return ACCEPTS.ids(artifacts) && new Set(artifacts).size === artifacts.length
    ? null
    : "attach.artifacts must be a list of ids, each only once";
};

/** Parses an agent's action. A refusal names the invalid field and its rule. */
export const parseAction = (raw: unknown, jsonDepthMax: number): Decision<Action> => {
  if (!isObject(raw)) {
    return refuse("invalid_argument", `an action must be an object with one key of: ${KINDS}`);
  }
  const problem = jsonProblem(raw, jsonDepthMax);
  if (problem !== null) {
    return refuse("invalid_argument", `the action is not plain JSON: ${problem}`);
  }
  const [named, given] = kindAndFields(raw);
  const kind = ACTION_KINDS.find((known) => known === named);
  switch (kind) {
    case "noop":
      return accept([], { kind });
    case "read_artifact":
      return parseReadRequest(given);
    case "write_artifact":
      return answered(parseWriteRequest(given), (request) => ({ kind, request }));
    case "invoke_artifact":
      return answered(parseInvokeRequest(given), (request) => ({ kind, ...request }));
    case undefined: {
      const shown = JSON.stringify(named) ?? "that";
      return refuse("invalid_type", `${shown} is not an action; choose one of: ${KINDS}`);
    }
  }
};

const KINDS = ACTION_KINDS.join(", ");
type Given = Readonly<Record<string, unknown>>;

const kindAndFields = (raw: Given): readonly [unknown, Given] => {
  const named = raw.kind ?? raw.action_type;
  if (named !== undefined) return [named, raw];
  const [only, ...others] = Object.keys(raw);
  if (only === undefined || others.length > 0) return [undefined, raw];
  const inner = raw[only];
  return [only, isObject(inner) ? inner : {}];
};

type Checked =
  | { readonly fields: Given; readonly wrong: null }
  | { readonly wrong: string; readonly refused: Refused };

/** The fields of an action, or the first wrong field. */
const checkFields = (kind: ActionKind, given: Given): Checked => {
  if (given.artifact_id === undefined) {
    const refused = refuse("missing_argument", "artifact_id is missing");
    return { wrong: "artifact_id", refused };
  }
  const fields: Record<string, unknown> = {};
  for (const field of fieldsOf(kind)) {
    const value = given[field.name];
    if (value === undefined) continue;
    const problem = fieldProblem(field, value);
    if (problem !== null)
      return { wrong: field.name, refused: refuse("invalid_argument", problem) };
    fields[field.name] = value;
  }
  return { fields, wrong: null };
};

const parseFields = <K extends ActionKind>(kind: K, given: Given): Decision<FieldsOf<K>> => {
  const checked = checkFields(kind, given);
  return checked.wrong === null ? accept([], checked.fields as FieldsOf<K>) : checked.refused;
};

/** The field of an action that `parseAction` refuses, or null if no field is to blame. */
export const wrongFieldOf = (raw: unknown): string | null => {
  if (!isObject(raw)) return null;
  const [named, given] = kindAndFields(raw);
  const kind = ACTION_KINDS.find((known) => known === named);
  return kind === undefined || kind === "noop" ? null : checkFields(kind, given).wrong;
};

export const parseReadRequest = (given: Given): Decision<ReadAction> =>
  answered(parseFields("read_artifact", given), ({ artifact_id, max_price = null }) => ({
    kind: "read_artifact",
    artifact_id,
    max_price,
  }));

export const parseWriteRequest = (given: Given): Decision<WriteRequest> =>
  parseFields("write_artifact", given);

export const parseInvokeRequest = (given: Given): Decision<InvokeRequest> =>
  answered(parseFields("invoke_artifact", given), (fields) => ({
    artifact_id: fields.artifact_id,
    method: fields.method ?? "run",
    args: fields.args ?? [],
    attach: { ...NOTHING_ATTACHED, ...fields.attach },
    max_price: fields.max_price ?? null,
  }));

/** Returns the kind, target and method of an action, truncated for storage. Accepts any value. */
export const describeAction = (
  raw: unknown,
): { readonly action: string; readonly target: string | null; readonly method: string | null } => {
  if (!isObject(raw)) return { action: "unknown", target: null, method: null };
  const [kind, fields] = kindAndFields(raw);
  const known = ACTION_KINDS.find((name) => name === kind);
  return {
    action: known ?? "unknown",
    target: shortText(fields.artifact_id, 128),
    method: known !== "invoke_artifact" ? null : (shortText(fields.method, 64) ?? "run"),
  };
};

const shortText = (value: unknown, max: number): string | null =>
  typeof value === "string" && textProblem(value) === null ? cutText(value, max) : null;
