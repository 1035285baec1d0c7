import type { Kind } from "./kinds.ts";

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

/** In the shape in which an artifact declares it. */
export type Interface = { readonly description: string; readonly methods: readonly Method[] };

/** A named way to fix some arguments of `run`, with examples of the program that results. */
export type Variant = {
  readonly name: string;
  readonly title: string;
  readonly bind: Readonly<Record<string, Json>>;
  readonly examples: readonly Example[];
};

/** One program that an agent can write, with all that it needs to know in order to sell it. */
export type Recipe = {
  /** Unique in its library and fit to be part of an artifact id: lower case with underscores. */
  readonly name: string;
  readonly title: string;
  readonly topic: string;
  /** Kind of the first argument of `run`, which carries the flow through a pipeline. */
  readonly takes: Kind;
  /** Kind of what `run` returns. */
  readonly gives: Kind;
  /** Scrip that one answer is worth to somebody who needs it. */
  readonly worth: number;
  readonly description: string;
  /** A script that defines `run` and perhaps more; it needs nothing but the global `kernel`. */
  readonly code: string;
  readonly interface: Interface;
  readonly variants: readonly Variant[];
};

/**
 * Runs a method of a program and returns its result or the reason why there is none; must not
 * throw. The library is pure: it asks for such a function wherever it needs to see what a program
 * does.
 */
export type RunProgram = (
  code: string,
  method: string,
  args: readonly Json[],
) => { readonly ok: true; readonly result: Json } | { readonly ok: false; readonly reason: string };

/** The method `run`, which every recipe has. */
export function mainMethod(recipe: Recipe): Method {
  const method = recipe.interface.methods.find((each) => each.name === "run");
  if (method === undefined) {
    throw new Error(`recipe ${recipe.name} has no method run; every recipe needs one`);
  }
  return method;
}

/** Names of the arguments of `run`, in order. */
export function parametersOf(recipe: Recipe): readonly string[] {
  return Object.keys(mainMethod(recipe).input_schema.properties);
}
