export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

export type JsonSchema = { readonly [keyword: string]: Json };

export type Example = { readonly args: readonly Json[]; readonly result: Json };

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

/** As an artifact declares it. */
export type Interface = { readonly description: string; readonly methods: readonly Method[] };

/** Fixed values for some arguments of `run`, with examples of the resulting program. */
export type Variant = {
  readonly name: string;
  readonly title: string;
  readonly bind: Readonly<Record<string, Json>>;
  readonly examples: readonly Example[];
};

/** A program that an agent can write and sell. */
export type Recipe = {
  /** Unique in its library; valid in an artifact id: lower case with underscores. */
  readonly name: string;
  readonly title: string;
  readonly topic: string;
  /** The kind of the first argument of `run`, which a pipeline passes on. */
  readonly takes: Kind;
  /** The kind of the result of `run`. */
  readonly gives: Kind;
  /** The value of one result to a buyer, in scrip. */
  readonly worth: number;
  readonly description: string;
  /** A script that defines `run`; its only global is `kernel`. */
  readonly code: string;
  readonly interface: Interface;
  readonly variants: readonly Variant[];
};

/** Runs a method of a program; must not throw. The library itself runs no code. */
export type RunProgram = (
  code: string,
  method: string,
  args: readonly Json[],
) => { readonly ok: true; readonly result: Json } | { readonly ok: false; readonly reason: string };

/** The method `run` of a recipe. */
export function mainMethod(recipe: Recipe): Method {
  const method = recipe.interface.methods.find((each) => each.name === "run");
  if (method === undefined) {
    throw new Error(`recipe ${recipe.name} has no method run; every recipe needs one`);
  }
  return method;
}

/** The argument names of `run`, in order. */
export function parametersOf(recipe: Recipe): readonly string[] {
  return Object.keys(mainMethod(recipe).input_schema.properties);
}

/**
 * The kinds of data that programs take and give. A program can follow any other of a fitting kind.
 */
export const KINDS = [
  /** Prose, as a string. */
  "text",
  /** A list of strings. */
  "words",
  /** A string in a notation: CSV, a date, an expression, an account number. */
  "notation",
  /** A string for a machine or a page; no program takes it. */
  "code",
  /** A whole number. */
  "integer",
  /** A number. */
  "number",
  /** A list of whole numbers. */
  "integers",
  /** A list of numbers. */
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
  /** Any JSON value. */
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
export function kindFits(given: Kind, taken: Kind): boolean {
  return given === taken || WIDENS[given] === taken;
}
