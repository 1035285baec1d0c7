import type { z } from "zod";
import { didYouMean } from "./nearest.ts";
import { keysAt, keysBelow } from "./schema-keys.ts";

export type Path = readonly PropertyKey[];

/** What a schema has against a value, in words for whoever wrote it. */
export type Finding = {
  readonly path: Path;
  /** Whether the key is wrong or the value. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string | null;
};

type Issue = z.core.$ZodIssue;
type Subject = { readonly schema: z.ZodType; readonly value: unknown };

/** One finding for each thing that is wrong; `value` is what the schema was given. */
export const findingsOf = (error: z.ZodError, subject: Subject): readonly Finding[] =>
  error.issues.flatMap((issue) => findingsIn(issue, subject));

const findingsIn = (issue: Issue, subject: Subject): readonly Finding[] => {
  const { path } = issue;
  const given = valueAt(subject.value, path);
  const wrong = (message: string, hint: string | null = null): readonly Finding[] => [
    { path, at: "value", message: sentence(path, message), hint },
  ];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...path, key], key, subject.schema));
    case "invalid_type":
      if (given === undefined) return [missing(path, KINDS[issue.expected])];
      return wrong(`must be ${KINDS[issue.expected] ?? issue.expected}, not ${shown(given)}`);
    case "invalid_value":
      return wrong(choiceOf(issue.values, given), didYouMean(String(given), words(issue.values)));
    case "too_small":
    case "too_big":
      return wrong(boundOf(issue, given));
    case "invalid_union":
      return unionFindings(issue, subject) ?? wrong(`has no allowed form: ${shown(given)}`);
    case "invalid_key":
      return wrong(issue.issues[0]?.message ?? issue.message);
    case "custom":
      return wrong(issue.message, hintOf(issue));
    default:
      return wrong(issue.message);
  }
};

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

const unknownKey = (path: Path, key: string, schema: z.ZodType): Finding => {
  const near = didYouMean(key, keysAt(schema, path.slice(0, -1)));
  const elsewhere = keysBelow(schema).filter((dotted) => dotted.endsWith(`.${key}`));
  const hint = near ?? (elsewhere.length === 1 ? `did you mean \`${elsewhere[0]}\`?` : null);
  return { path, at: "key", message: `unknown key \`${dotted(path)}\``, hint };
};

const missing = (path: Path, kind: string | undefined): Finding => {
  const wanted = kind === undefined ? "" : `; it must be ${kind}`;
  return { path, at: "value", message: `\`${dotted(path)}\` is missing${wanted}`, hint: null };
};

const words = (values: readonly unknown[]): readonly string[] => values.map(String);

const choiceOf = (values: readonly unknown[], given: unknown): string =>
  `must be ${values.length > 1 ? "one of " : ""}${words(values).join(", ")}, not ${shown(given)}`;

type Bound = Extract<Issue, { readonly code: "too_small" | "too_big" }>;

const boundOf = (issue: Bound, given: unknown): string => {
  const low = issue.code === "too_small";
  const bound = low ? issue.minimum : issue.maximum;
  const items = Array.isArray(given) ? `, not ${given.length}` : `, not ${shown(given)}`;
  const most = low ? "at least" : "at most";
  const words = issue.inclusive === false ? (low ? "more than" : "less than") : most;
  if (issue.origin === "string") return `must have ${words} ${bound} characters${items}`;
  if (issue.origin === "array") return `must have ${words} ${bound} items${items}`;
  return `must be ${words} ${bound}${items}`;
};

/** Of several forms the one that was meant is the one that fits furthest in. */
const unionFindings = (
  issue: Extract<Issue, { readonly code: "invalid_union" }>,
  subject: Subject,
): readonly Finding[] | null => {
  const depth = (issues: readonly Issue[]): number =>
    Math.max(...issues.map(({ path }) => path.length));
  const deepest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
  if (deepest === undefined || depth(deepest) < 1) return null;
  return deepest.flatMap((inner) =>
    findingsIn({ ...inner, path: [...issue.path, ...inner.path] }, subject),
  );
};

/** A schema's own check may say which words it knows: `params: { known: [...] }`. */
const hintOf = ({ params, path }: Extract<Issue, { readonly code: "custom" }>): string | null => {
  const known: unknown = params?.known;
  if (!Array.isArray(known)) return null;
  return didYouMean(String(params?.word ?? path.at(-1)), known.map(String));
};

const sentence = (path: Path, message: string): string => {
  if (path.length === 0) return message;
  return `\`${dotted(path)}\`${/^(must|is|has) /.test(message) ? "" : ":"} ${message}`;
};

/** `script[0].wait` */
export const dotted = (path: Path): string =>
  path.reduce<string>((text, segment) => {
    if (typeof segment === "number") return `${text}[${segment}]`;
    return text === "" ? String(segment) : `${text}.${String(segment)}`;
  }, "");

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (here, segment) =>
      typeof here === "object" && here !== null && Object.hasOwn(here, segment)
        ? Reflect.get(here, segment)
        : undefined,
    value,
  );

const SHOWN_CHARS = 40;

const shown = (value: unknown): string => {
  if (typeof value === "number") return String(value);
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`;
};
