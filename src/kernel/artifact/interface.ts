import { accept, type Decision, type Refused, refuse } from "../core/decision.ts";
import { byteLength, isObject, type Json, type JsonObject } from "../core/json.ts";
import { physicsOf } from "../core/world.ts";
import type { Interface, InterfaceMethod } from "./artifact.ts";
import { fit, schemaProblem } from "./json-schema.ts";
import type { ArtifactTables } from "./tables.ts";

/** The keys of an interface and of its methods, with a description for agents. */
export const INTERFACE_KEYS: { readonly [K in keyof Interface]: string } = {
  description: "one line, which searches find",
  methods: "a list, with an entry for each method",
};
export const METHOD_KEYS: { readonly [K in keyof InterfaceMethod]-?: string } = {
  name: "the name of the function",
  description: "one line",
  input_schema: "a JSON Schema with one property per argument, in order",
  output_schema: "optional, a JSON Schema of the result",
  examples: "optional, a list of {args: [...], result}; the mint runs them",
};

const SHAPE =
  "an interface must be {description, methods: [{name, description, input_schema, " +
  "output_schema?, examples?: [{args, result}]}]}";

export const interfaceProblem = (given: unknown): string | null => {
  if (!isObject(given) || typeof given.description !== "string") return SHAPE;
  const { methods } = given;
  if (!Array.isArray(methods) || methods.length > 64) return SHAPE;
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(INTERFACE_KEYS, key));
  if (unknown !== undefined) return `${SHAPE}; "${unknown}" is unknown`;
  for (const [index, method] of methods.entries()) {
    const problem = methodProblem(method, `methods[${index}]`);
    if (problem !== null) return problem;
  }
  const names = methods.map((method: unknown) => (isObject(method) ? method.name : null));
  return new Set(names).size === names.length ? null : "two methods have the same name; rename one";
};

const methodProblem = (method: unknown, path: string): string | null => {
  if (!isObject(method)) return `${path}: must be an object; ${SHAPE}`;
  const unknown = Object.keys(method).find((key) => !Object.hasOwn(METHOD_KEYS, key));
  if (unknown !== undefined) return `${path}.${unknown}: is unknown; ${SHAPE}`;
  const { name, description, input_schema, output_schema, examples } = method;
  if (typeof name !== "string" || typeof description !== "string") {
    return `${path}: name and description must be strings`;
  }
  const problem =
    schemaProblem(input_schema, `${path}.input_schema`) ??
    (output_schema === undefined ? null : schemaProblem(output_schema, `${path}.output_schema`));
  if (problem !== null) return problem;
  if (examples === undefined) return null;
  const shown = Array.isArray(examples) && examples.every(isExample);
  return shown ? null : `${path}.examples: must be a list of {args: [...], result}`;
};

const isExample = (example: unknown): boolean =>
  isObject(example) && Array.isArray(example.args) && "result" in example;

export const methodOf = (declared: Interface | null, name: string): InterfaceMethod | undefined =>
  declared?.methods.find((method) => method.name === name);

export const argsRefusal = (state: ArtifactTables, args: readonly Json[]): Refused | null => {
  const { args_bytes_max } = physicsOf(state).artifacts;
  const bytes = byteLength(JSON.stringify(args));
  if (bytes <= args_bytes_max) return null;
  const message = `args are ${bytes} bytes of JSON; the maximum is ${args_bytes_max}`;
  return refuse("invalid_argument", message);
};

/** Coerces each argument to the schema property at its position. Without a schema, accepts all. */
export const fitArgs = (
  method: Pick<InterfaceMethod, "name" | "input_schema" | "examples"> | undefined,
  args: readonly Json[],
): Decision<readonly Json[]> => {
  const properties = method?.input_schema.properties;
  if (method === undefined || !isObject(properties)) return accept([], args);
  const names = Object.keys(properties);
  const required = method.input_schema.required;
  const needed = Array.isArray(required) ? required : [];
  if (args.length > names.length) {
    return mismatch(method, `takes at most ${names.length} arguments, got ${args.length}`);
  }
  const fitted: Json[] = [];
  for (const [index, name] of names.entries()) {
    const arg = args[index];
    if (arg === undefined) {
      if (needed.includes(name))
        return mismatch(method, `argument ${index + 1}, ${name}, is missing`);
      continue;
    }
    if (arg === null && !needed.includes(name)) {
      fitted[index] = null;
      continue;
    }
    const result = fit(arg, schemaAt(properties, name), name);
    if (!result.ok) return mismatch(method, result.problem);
    fitted[index] = result.value;
  }
  return accept([], fitted);
};

const schemaAt = (properties: JsonObject, name: string): JsonObject => {
  const schema = properties[name];
  return isObject(schema) ? schema : {};
};

const mismatch = (
  method: Pick<InterfaceMethod, "name" | "input_schema" | "examples">,
  problem: string,
): Decision<readonly Json[]> => {
  const [example] = method.examples ?? [];
  const shown = example === undefined ? "" : `; for example args: ${JSON.stringify(example.args)}`;
  const { input_schema } = method;
  return refuse("interface_mismatch", `${method.name}: ${problem}${shown}`, { input_schema });
};
