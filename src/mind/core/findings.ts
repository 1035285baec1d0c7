import { z } from "zod";
import {
  closestFirst,
  closestWord,
  counted,
  didYouMean,
  listed,
  shortened,
  similarWord,
} from "../../text/index.ts";

export type KeyPath = readonly PropertyKey[];

export type Finding = {
  /** `unknown_key` and `missing` are about the last key of the path. */
  readonly kind: "unknown_key" | "missing" | "wrong";
  readonly path: KeyPath;
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string | null;
};

type Issue = z.core.$ZodIssue;
type CustomIssue = Extract<Issue, { readonly code: "custom" }>;
type ValidatedInput = {
  readonly schema: z.ZodType;
  readonly value: unknown;
  /** Returns true if the value at a path may be missing. Without `canLack`, the schema decides. */
  readonly canLack?: (path: KeyPath) => boolean;
};

/** A finding before its path is known: an outer schema can add keys at its front. */
type Draft = Omit<Finding, "message"> & {
  readonly says: (name: string) => string;
  /** If the key is unknown: the most similar known key of the same map. */
  readonly meant?: string | null;
};

/** The maximum number of findings. Each finding must be located in the file, which takes time. */
const FINDINGS_MAX = 100;

/** Converts the errors in `subject.value` to findings. Returns at most `FINDINGS_MAX` findings. */
export const findingsOf = (error: z.ZodError, subject: ValidatedInput): readonly Finding[] =>
  error.issues
    .slice(0, FINDINGS_MAX)
    .filter((issue, _at, issues) => !issues.some((other) => isTighter(other, issue)))
    .flatMap((issue) => draftsOf(issue, subject))
    .slice(0, FINDINGS_MAX)
    .map((draft) => {
      const { kind, path, at, says, hint } = draft;
      return { kind, path, at, message: says(dotted(path)), hint: meantIn(draft) ?? hint };
    });

/** The finding of a value that must be a map. */
export const notAMap = ({ path, given }: { path: KeyPath; given: unknown }): Finding => {
  const message = sentence(dotted(path), `must be ${KINDS.object}, not ${shown(given)}`);
  return { kind: "wrong", path, at: "value", message, hint: null };
};

/** Suggests the dotted path of key `meant`, as in `--set`. In a list, suggests only `meant`. */
const meantIn = ({ path, meant = null }: Draft): string | null => {
  if (meant === null) return null;
  const isInList = path.some((segment) => typeof segment === "number");
  return `did you mean \`${isInList ? meant : dotted([...path.slice(0, -1), meant])}\`?`;
};

/** Returns true if `one` is a stricter bound than `other` on the same value. */
const isTighter = (one: Issue, other: Issue): boolean => {
  if (one.path.join("\0") !== other.path.join("\0")) return false;
  if (one.code === "too_big" && other.code === "too_big") return one.maximum < other.maximum;
  return one.code === "too_small" && other.code === "too_small" && one.minimum > other.minimum;
};

const draftsOf = (issue: Issue, subject: ValidatedInput): readonly Draft[] => {
  const { path } = issue;
  const given = valueAt(subject.value, path);
  const wrong = (message: string, hint: string | null = null): readonly Draft[] => [
    { kind: "wrong", path, at: "value", says: (name) => sentence(name, message), hint },
  ];
  const missing = (rule: string): readonly Draft[] =>
    wrong(`is missing; it ${rule}`).map((each) => ({ ...each, kind: "missing" }));
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys
        .slice(0, FINDINGS_MAX)
        .map((key) => unknownKey([...path, key], key, subject.schema));
    case "invalid_type": {
      const kind = isWholeAt(subject.schema, path) ? KINDS.int : KINDS[issue.expected];
      const rule = `must be ${kind ?? issue.expected}`;
      if (given === undefined) return missing(rule);
      return wrong(
        `${rule}, not ${shown(given)}`,
        formHint(given, { ...subject, path, expected: issue.expected }),
      );
    }
    case "invalid_value":
      return given === undefined
        ? missing(`must be ${choice(issue.values)}`)
        : wrong(...offList(given, issue.values));
    case "too_small":
    case "too_big":
      return wrong(boundOf(issue, given));
    case "invalid_union":
      if (issue.message !== UNION_MESSAGE) return wrong(issue.message);
      return draftsOfUnion(issue, subject) ?? formOff(issue, given, { missing, wrong });
    case "invalid_key":
      return wrong(issue.issues[0]?.message ?? issue.message).map((each) => ({
        ...each,
        at: "key",
      }));
    case "custom":
      return draftsOfInner(issue, subject) ?? wrong(issue.message, hintIn(issue));
    default:
      return wrong(issue.message);
  }
};

/** Zod's message for a union. A schema with a message of its own says more than its options. */
const UNION_MESSAGE = "Invalid input";

const hintIn = ({ params }: CustomIssue): string | null => {
  const hint: unknown = params?.hint;
  return typeof hint === "string" ? hint : null;
};

/**
 * A custom check that uses another schema sets `params` to `{ schema, issue }`. For such a check,
 * returns the drafts of this inner issue. The path of the custom issue ends with the inner path.
 */
const draftsOfInner = (
  { path, params }: CustomIssue,
  subject: ValidatedInput,
): readonly Draft[] | null => {
  const { schema, issue } = params ?? {};
  if (!(schema instanceof z.ZodType) || !isIssue(issue)) return null;
  const before = path.slice(0, path.length - issue.path.length);
  const value = valueAt(subject.value, before);
  return draftsOf(issue, { schema, value }).map((draft) => ({
    ...draft,
    path: [...before, ...draft.path],
  }));
};

const isIssue = (value: unknown): value is Issue =>
  typeof value === "object" && value !== null && "code" in value && "path" in value;

const KINDS: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a map of keys and values",
  record: "a map of keys and values",
  null: "empty",
};

const unknownKey = (path: KeyPath, key: string, schema: z.ZodType): Draft => {
  const around = path.slice(0, -1);
  const keys = keysAt(schema, around);
  const elsewhere = keysBelow(schema).filter(
    (known) => known.endsWith(`.${key}`) && isCloseTo(around, known),
  );
  const [only, ...others] = similarWord(key, keys) === null ? elsewhere : [];
  const isElsewhere = only !== undefined && others.length === 0;
  const meant = isElsewhere ? null : closestWord(key, keys);
  const isShort = path.length > 1 && keys.length > 0 && keys.length <= CHOICES_MAX;
  const all = isShort ? `\`${dotted(around)}\` has ${keys.join(", ")}` : null;
  const hint = isElsewhere ? `did you mean \`${only}\`?` : all;
  const says = (name: string): string => `unknown key \`${name}\``;
  return { kind: "unknown_key", path, at: "key", says, hint, meant };
};

/** Returns whether a known key is in the section `around`, or in one with a similar name. */
const isCloseTo = ([section]: KeyPath, known: string): boolean => {
  const [first = ""] = known.split(".");
  return section === undefined || closestWord(String(section), [first]) !== null;
};

/** The maximum number of choices to list in full. Longer lists show `LIKELIEST_MAX` choices. */
const CHOICES_MAX = 16;
const LIKELIEST_MAX = 6;

const choice = (values: readonly unknown[]): string => {
  const max = values.length > CHOICES_MAX ? LIKELIEST_MAX : CHOICES_MAX;
  return `${values.length > 1 ? "one of " : ""}${listed(values.map(String), max)}`;
};

const offList = (
  given: unknown,
  values: readonly unknown[],
): readonly [message: string, hint: string | null] => {
  const meant = didYouMean(String(given), values.map(String));
  if (values.length <= CHOICES_MAX) {
    return [`must be ${choice(values)}, not ${shown(given)}`, meant];
  }
  const likely = choice(closestFirst(String(given), values.map(String)));
  return [
    `must not be ${shown(given)}`,
    `${meant === null ? "" : `${meant} `}it must be ${likely}`,
  ];
};

type Bound = Extract<Issue, { readonly code: "too_small" | "too_big" }>;

const isBound = (issue: Issue): issue is Bound =>
  issue.code === "too_small" || issue.code === "too_big";

const boundOf = (issue: Bound, given: unknown): string => {
  const low = issue.code === "too_small";
  const bound = low ? issue.minimum : issue.maximum;
  const items = Array.isArray(given) ? `, not ${given.length}` : `, not ${shown(given)}`;
  const most = low ? "at least" : "at most";
  const words = issue.inclusive === false ? (low ? "more than" : "less than") : most;
  if (issue.origin === "string")
    return `must have ${words} ${counted(Number(bound), "character")}${items}`;
  if (issue.origin === "array")
    return `must have ${words} ${counted(Number(bound), "item")}${items}`;
  return `must be ${words} ${bound}${items}`;
};

/** Drafts for the union option with the deepest error. On a tie: with the fewest errors. */
const draftsOfUnion = (
  issue: Extract<Issue, { readonly code: "invalid_union" }>,
  subject: ValidatedInput,
): readonly Draft[] | null => {
  const depth = (issues: readonly Issue[]): number =>
    Math.max(...issues.map(({ path }) => path.length));
  const [meantOne] = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  if (meantOne === undefined || depth(meantOne) < 1) return null;
  return meantOne.flatMap((inner) =>
    draftsOf({ ...inner, path: [...issue.path, ...inner.path] }, subject),
  );
};

/** How the issue at one path is said. */
type Saying = {
  readonly missing: (rule: string) => readonly Draft[];
  readonly wrong: (message: string, hint?: string | null) => readonly Draft[];
};

const formOff = (
  { errors }: Extract<Issue, { readonly code: "invalid_union" }>,
  given: unknown,
  { missing, wrong }: Saying,
): readonly Draft[] => {
  const first = errors.flatMap(([issue]) => (issue === undefined ? [] : [issue]));
  const bound = first.find(isBound);
  if (bound !== undefined) return wrong(boundOf(bound, given));
  const forms = first.flatMap((issue) => {
    if (issue.code === "invalid_value") return [choice(issue.values)];
    return issue.code === "invalid_type" ? [KINDS[issue.expected] ?? issue.expected] : [];
  });
  if (forms.length < first.length) return wrong(`is not in an allowed format: ${shown(given)}`);
  const values = first.flatMap((issue) => (issue.code === "invalid_value" ? issue.values : []));
  const meant = typeof given === "string" ? didYouMean(given, values.map(String)) : null;
  const rule = `must be ${[...new Set(forms)].join(", or ")}`;
  return given === undefined ? missing(rule) : wrong(`${rule}, not ${shown(given)}`, meant);
};

const sentence = (name: string, message: string): string => {
  if (name === "") return message;
  return `\`${name}\`${/^(must|is|has) /.test(message) ? "" : ":"} ${message}`;
};

/** Formats a path as text, such as `script[0].wait`. */
export const dotted = (path: KeyPath): string =>
  path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    return text === "" ? String(segment) : `${text}.${String(segment)}`;
  }, "");

export const valueAt = (value: unknown, path: KeyPath): unknown =>
  path.reduce<unknown>(
    (here, segment) =>
      typeof here === "object" && here !== null && Object.hasOwn(here, segment)
        ? (here as { readonly [key: PropertyKey]: unknown })[segment]
        : undefined,
    value,
  );

const SHOWN_CHARS = 41;

const shown = (value: unknown): string => {
  if (typeof value === "number") return String(value);
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  const text = JSON.stringify(value) ?? String(value);
  return shortened(text, SHOWN_CHARS);
};

/** What to write instead of a list, or of a text, where a map is expected. */
type FormHints = { readonly list?: string; readonly text?: string };

/** The hints that schemas of maps carry themselves. */
export const FORM_HINTS = z.registry<FormHints>();

/** A value whose type is wrong. */
type Place = ValidatedInput & {
  readonly path: KeyPath;
  /** The type that the schema expects, as in the issues of zod. */
  readonly expected: string;
};

/** Says how to write a value whose type is wrong, or null. */
const formHint = (given: unknown, place: Place): string | null => {
  const { path, schema, expected } = place;
  switch (typeof given) {
    case "object":
      if (given === null) return canLack(place) ? "give a value or delete the key" : null;
      if (expected === "array") return LIST_FORM;
      return expected === "object" && Array.isArray(given) ? mapHint(place) : null;
    case "string":
      if (PLAIN.test(given) && isTextListAt(schema, path)) return `write \`[${given}]\``;
      if (expected === "array") return LIST_FORM;
      if (expected === "object") return textHint(given, place);
      if (expected === "boolean" && SWITCH.test(given)) return `write ${switched(given)}`;
      if (/^-?\d+,\d+$/.test(given) && /number|int/.test(expected)) {
        return `write ${given.replace(",", ".")}`;
      }
      return QUOTED[expected]?.test(given) === true ? "remove the quotes" : null;
    case "number":
    case "boolean": {
      // YAML reads 7 and true as other values than text.
      if (expected === "string") return "put it in quotes";
      const isSwitch = expected === "object" && hasSwitchAt(schema, path);
      return isSwitch && typeof given === "boolean" ? `write \`{ enabled: ${given} }\`` : null;
    }
    default:
      return null;
  }
};

const LIST_FORM = "a list is `[A, B]`, or has `- ` before each item";

/** YAML 1.2 reads these words as text. */
const SWITCH = /^(yes|on|no|off)$/i;
const switched = (word: string): boolean => /^(yes|on)$/i.test(word);

/** The hint for a list in place of a map. */
const mapHint = ({ path, schema }: Place): string | null => {
  if (path.length === 0) return "remove the `- ` before the keys";
  return formHintsAt(schema, path).list ?? null;
};

/** The hint for text in place of a map. */
const textHint = (given: string, { path, schema }: Place): string | null => {
  if (path.length === 0) return "write `key: value`, with a space after the colon";
  if (SWITCH.test(given) && hasSwitchAt(schema, path)) {
    return `write \`{ enabled: ${switched(given)} }\``;
  }
  return formHintsAt(schema, path).text ?? null;
};

const formHintsAt = (schema: z.ZodType, path: KeyPath): FormHints => {
  const here = schemaAt(schema, path);
  return here instanceof z.ZodType ? (FORM_HINTS.get(here) ?? {}) : {};
};

/** Whether the map at `path` has a key that turns it on and off. */
const hasSwitchAt = (schema: z.ZodType, path: KeyPath): boolean =>
  schemaAt(schema, [...path, "enabled"]) instanceof z.ZodBoolean;

const canLack = ({ path, schema, canLack: can }: Place): boolean =>
  can?.(path) ?? isOptionalAt(schema, path);

/** Matches comma-separated names such as `alice, bob`. A YAML list needs no quotes for them. */
const PLAIN = /^[a-z][\w./-]*( *, *[a-z][\w./-]*)*$/i;

const DIGITS = /^-?\d+(\.\d+)?$/;

/** Texts that would be right without quotes, by the expected type. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false)$/,
  int: DIGITS,
  number: DIGITS,
};

/** The keys of the map at `path`. Empty if the schema has no map with fixed keys at `path`. */
const keysAt = (schema: z.ZodType, path: KeyPath): readonly string[] => {
  const here = schemaAt(schema, path);
  return [...new Set(formsOf(here).flatMap(keysOf))];
};

export const isWholeAt = (schema: z.ZodType, path: KeyPath): boolean => {
  const here = schemaAt(schema, path);
  return here instanceof z.ZodNumber && here.isInt;
};

const isOptionalAt = (schema: z.ZodType, path: KeyPath): boolean => {
  const [last] = path.slice(-1);
  const here = last === undefined ? schema : childOf(schemaAt(schema, path.slice(0, -1)), last);
  const kinds = [z.ZodOptional, z.ZodExactOptional, z.ZodDefault];
  return kinds.some((kind) => here instanceof kind);
};

const isTextListAt = (schema: z.ZodType, path: KeyPath): boolean => {
  const here = schemaAt(schema, path);
  if (!(here instanceof z.ZodArray)) return false;
  const each = bare(here.element);
  return each instanceof z.ZodString || each instanceof z.ZodEnum;
};

const schemaAt = (schema: z.ZodType, path: KeyPath): unknown =>
  path.reduce<unknown>((here, segment) => bare(childOf(here, segment)), bare(schema));

/** The dotted paths of all keys of nested objects. Skips records: their keys are not fixed. */
export const keysBelow = (schema: z.ZodType): readonly string[] => below(schema, "");

const below = (schema: unknown, before: string): readonly string[] => {
  const here = bare(schema);
  if (!(here instanceof z.ZodObject)) return [];
  return Object.entries(here.shape).flatMap(([key, inner]) => [
    `${before}${key}`,
    ...below(inner, `${before}${key}.`),
  ]);
};

const formsOf = (schema: unknown): readonly unknown[] =>
  schema instanceof z.ZodUnion ? schema.options.map(bare) : [schema];

const keysOf = (schema: unknown): readonly string[] => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  const names = schema instanceof z.ZodRecord ? schema.keyType : null;
  return names instanceof z.ZodEnum ? names.options.map(String) : [];
};

const childOf = (schema: unknown, segment: PropertyKey): unknown => {
  if (schema instanceof z.ZodObject) return schema.shape[String(segment)];
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(segment)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodUnion) {
    return formsOf(schema)
      .map((form) => childOf(form, segment))
      .find((child) => child !== undefined);
  }
  return undefined;
};

const bare = (schema: unknown): unknown => {
  const wrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy;
  return wrapped ? bare(schema.unwrap()) : schema;
};

/** The first issue on one line, for a model or the author of a plugin. `name` is what was read. */
export const firstIssue = (name: string, { issues: [issue] }: z.ZodError): string =>
  `${[name, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "wrong"}`;

/** Validates `given` and adds each issue to `context`, under the path `before`. */
export const addIssues = (
  schema: z.ZodType,
  given: unknown,
  {
    context,
    before = [],
  }: { readonly context: z.core.$RefinementCtx; readonly before?: readonly string[] },
): void => {
  for (const issue of schema.safeParse(given).error?.issues ?? []) {
    // Copies the path, because zod prepends the outer path to this array.
    const path = [...before, ...issue.path];
    context.addIssue({ code: "custom", path, message: issue.message, params: { schema, issue } });
  }
};
