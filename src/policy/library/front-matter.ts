import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { Json, JsonObject } from "../../kernel/index.ts";
import { findingsOf, type KeyPath } from "../../mind/index.ts";

export const KINDS = [
  /** Prose, as a string. */
  "text",
  /** A list of strings. */
  "words",
  /** A string in a notation, such as CSV, a date, an expression or an account number. */
  "notation",
  /** An encoded or formatted string, such as Base64 or HTML. Never the input of a program. */
  "code",
  "integer",
  "number",
  "integers",
  "numbers",
  /** A list of pairs [x, y]. */
  "points",
  /** A list of rows of equal length. Each row is a list of numbers. */
  "matrix",
  /** A record of non-negative numbers. */
  "tally",
  /** Values by name. */
  "record",
  /** A list of records with the same keys. Each value is a string or a number. */
  "table",
  /** A list of edges [from, to, length]; the length is optional. */
  "graph",
  /** A list of { name, weight, value }. */
  "goods",
  "bids",
  /** A record of the amounts and rates of one agreement. */
  "terms",
  "json",
] as const;

export type Kind = (typeof KINDS)[number];

const WORTH_SCRIP_MIN = 2;
const WORTH_SCRIP_MAX = 15;
const EXAMPLES_OF_RUN_MIN = 3;

const Identifier = z.string().regex(/^[a-z][a-z0-9_]*$/, "must be a lower_case_name");
const Sentence = z.string().min(1);

/** The supported part of JSON Schema. Other keywords are refused. */
const Schema = z.strictObject({
  type: z.union([z.string(), z.array(z.string())]).exactOptional(),
  description: Sentence.exactOptional(),
  enum: z.array(z.json()).exactOptional(),
  minimum: z.number().exactOptional(),
  maximum: z.number().exactOptional(),
  required: z.array(z.string()).exactOptional(),
  get items() {
    return Schema.exactOptional();
  },
  get properties() {
    return z.record(z.string(), Schema).exactOptional();
  },
  get additionalProperties() {
    return Schema.exactOptional();
  },
});

const schema: z.ZodType<JsonObject> = Schema;
const json: z.ZodType<Json> = z.json();
const ExampleEntry = z.strictObject({ args: z.array(json), result: json });

/** The i-th property of `input_schema` describes argument i. Required arguments come first. */
const MethodEntry = z.strictObject({
  name: Identifier,
  description: Sentence,
  input_schema: z.strictObject({
    type: z.literal("object"),
    properties: z.record(Identifier, schema),
    required: z.array(z.string()).default([]),
  }),
  output_schema: schema.exactOptional(),
  examples: z.array(ExampleEntry).min(1),
});

/** A variant fixes some arguments of `run`. Calls in its examples omit the fixed arguments. */
const VariantEntry = z.strictObject({
  name: Identifier,
  title: Sentence,
  bind: z.record(z.string(), json),
  examples: z.array(ExampleEntry).min(1),
});

const FrontMatterEntry = z
  .strictObject({
    title: Sentence,
    topic: Identifier,
    /** The kind of `run`'s first argument. In a pipeline, this argument is the previous result. */
    takes: z.enum(KINDS),
    gives: z.enum(KINDS),
    /** The value of one result to a buyer, in scrip. */
    worth: z.int().min(WORTH_SCRIP_MIN).max(WORTH_SCRIP_MAX),
    description: Sentence,
    methods: z.array(MethodEntry).min(1),
    variants: z.array(VariantEntry).default([]),
  })
  .superRefine((entry, found) => {
    for (const message of problemsOf(entry)) found.addIssue({ code: "custom", message });
  });

export type FrontMatter = Readonly<z.infer<typeof FrontMatterEntry>>;
export type Method = FrontMatter["methods"][number];
export type Variant = FrontMatter["variants"][number];
type Entry = Pick<FrontMatter, "methods" | "variants">;

type Place = { readonly line: number; readonly column: number };

export type ParsedFile = {
  readonly matter: FrontMatter;
  readonly code: string;
  /** The place of a value of the front matter in the file. */
  readonly placeOf: (path: KeyPath) => Place;
};

/** Splits a program file into front matter and code. Throws LibraryError for an invalid file. */
export function parseFrontMatter(file: string, source: string): ParsedFile {
  const match = /^\/\* ---\n([\s\S]*?)\n--- \*\/\n([\s\S]*)$/.exec(source);
  const [, yaml, code] = match ?? [];
  if (yaml === undefined || code === undefined) {
    throw new LibraryError(file, "must begin with a comment that contains YAML: /* --- … --- */");
  }
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    // The YAML begins in the second line of the file.
    return { line: line + 1, column: col };
  };
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    throw new LibraryError(file, `not valid YAML: ${problem.message}`, placeAt(problem.pos[0]));
  }
  const value: unknown = document.toJS();
  const parsed = FrontMatterEntry.safeParse(value);
  const placeOf = (path: KeyPath): Place => placeAt(startOf(document, path));
  if (parsed.success) return { matter: parsed.data, code, placeOf };
  const found = findingsOf(parsed.error, { schema: FrontMatterEntry, value });
  // An unknown key is often the misspelled name of a missing key.
  const finding = found.find(({ at }) => at === "key") ?? found[0];
  const { path = [], message = "", hint = null } = finding ?? {};
  throw new LibraryError(file, hint === null ? message : `${message}; ${hint}`, placeOf(path));
}

/** The offset of the value at a path: of its key in a map, else of the nearest part that exists. */
const startOf = (document: Document, path: KeyPath): number => {
  const key = path.at(-1);
  const holder: unknown = document.getIn(path.slice(0, -1), true) ?? null;
  const own: unknown = isMap(holder)
    ? holder.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.key
    : document.getIn(path, true);
  const found = isNode(own) ? own : holder;
  if (isNode(found) && found.range) return found.range[0];
  return path.length === 0 ? 0 : startOf(document, path.slice(0, -1));
};

function problemsOf({ methods, variants }: Entry): readonly string[] {
  const names = methods.map((method) => method.name);
  const main = methods.find((method) => method.name === "run");
  if (main === undefined) {
    return ["there must be a method named run"];
  }
  return [
    ...(new Set(names).size === names.length ? [] : ["two methods have the same name; rename one"]),
    ...(main.examples.length < EXAMPLES_OF_RUN_MIN
      ? [`run needs at least ${EXAMPLES_OF_RUN_MIN} examples, one of them an edge case`]
      : []),
    ...methods.flatMap(argumentProblems),
    ...variants.flatMap((variant) => variantProblems(variant, main)),
  ];
}

function argumentProblems({ name, input_schema, examples }: Method): string[] {
  const parameters = Object.keys(input_schema.properties);
  const required = input_schema.required;
  const problems: string[] = [];
  if (required.length === 0 || required.some((each, place) => parameters[place] !== each)) {
    problems.push(`${name}: required must list the first properties in order, at least one`);
  }
  const invalid = examples.find(
    ({ args }) => args.length < required.length || args.length > parameters.length,
  );
  if (invalid !== undefined) {
    problems.push(`${name}: the schema does not allow an example with ${invalid.args.length} args`);
  }
  return problems;
}

function variantProblems(variant: Variant, main: Method): string[] {
  const [flow, ...others] = Object.keys(main.input_schema.properties);
  const bound = Object.keys(variant.bind);
  const unknown = bound.find((parameter) => !others.includes(parameter));
  if (bound.length === 0 || unknown !== undefined) {
    return [`variant ${variant.name}: bind must name arguments of run other than ${flow}`];
  }
  const free = 1 + others.length - bound.length;
  return variant.examples.every(({ args }) => args.length <= free)
    ? []
    : [`variant ${variant.name}: an example has more args than the ${free} that are not bound`];
}

/** Thrown for an invalid file of the library. The message names the place and the problem. */
export class LibraryError extends Error {
  constructor(file: string, problem: string, place: Place | null = null) {
    super(`${file}${place === null ? "" : `:${place.line}:${place.column}`}: ${problem}`);
    this.name = "LibraryError";
  }
}
