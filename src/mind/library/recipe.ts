import { type Json, must } from "../../kernel/index.ts";

type JsonSchema = { readonly [keyword: string]: Json };

type Example = { readonly args: readonly Json[]; readonly result: Json };

/** The i-th property of `input_schema` describes the i-th argument; required ones come first. */
export type Method = {
  readonly name: string;
  readonly description: string;
  readonly input_schema: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
  readonly output_schema?: JsonSchema;
  readonly examples: readonly Example[];
};

/** Fixed values for some arguments of `run`, with examples of the resulting program. */
export type Variant = {
  readonly name: string;
  readonly title: string;
  readonly bind: Readonly<Record<string, Json>>;
  readonly examples: readonly Example[];
};

export type Recipe = {
  /** Unique in its library; valid in an artifact id: lower case with underscores. */
  readonly name: string;
  readonly title: string;
  readonly topic: string;
  /** The kind of the first argument of `run`, which gets the value in a pipeline. */
  readonly takes: Kind;
  readonly gives: Kind;
  /** The value of one result to a buyer, in scrip. */
  readonly worth: number;
  readonly description: string;
  /** A script that defines `run`; its only global is `kernel`. */
  readonly code: string;
  readonly interface: { readonly description: string; readonly methods: readonly Method[] };
  readonly variants: readonly Variant[];
};

/** The method `run`, which the loader requires. */
export const mainMethod = ({ interface: { methods } }: Recipe): Method =>
  must(
    methods.find(({ name }) => name === "run"),
    "every recipe has a method run",
  );

export const parametersOf = (recipe: Recipe): readonly string[] =>
  Object.keys(mainMethod(recipe).input_schema.properties);

export const KINDS = [
  /** Prose, as a string. */
  "text",
  /** A list of strings. */
  "words",
  /** A string in a notation: CSV, a date, an expression, an account number. */
  "notation",
  /** A string for a machine or a page; no program takes it. */
  "code",
  "integer",
  "number",
  "integers",
  "numbers",
  /** A list of pairs [x, y]. */
  "points",
  /** A list of rows of numbers of equal length. */
  "matrix",
  /** A record of non-negative numbers. */
  "tally",
  /** Values by name. */
  "record",
  /** A list of records with the same keys and string or number values. */
  "table",
  /** A list of edges [from, to, length]; the length is optional. */
  "graph",
  /** A list of { name, weight, value }. */
  "goods",
  /** A list of { bidder, amount }. */
  "bids",
  /** A record of the amounts and rates of one agreement. */
  "terms",
  "json",
] as const;

export type Kind = (typeof KINDS)[number];

/** Each kind on the left is a subtype of the kind on the right. */
const WIDENS: Readonly<Partial<Record<Kind, Kind>>> = {
  integer: "number",
  integers: "numbers",
  tally: "record",
};

/** Whether a program that takes the kind `taken` accepts the kind `given`. */
export const kindFits = (given: Kind, taken: Kind): boolean =>
  given === taken || WIDENS[given] === taken;
