import type { Result } from "../core/errors.ts";
import { isList, isObject, type Json, type JsonObject } from "../core/json.ts";

/** The supported part of JSON Schema. Patterns are omitted because they can make checks slow. */
const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"] as const;
const KEYWORDS = new Set([
  "type",
  "description",
  "title",
  "default",
  "examples",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
]);
const DEPTH_MAX = 16;

export const schemaProblem = (schema: unknown, path = "schema", depth = 0): string | null => {
  if (!isObject(schema)) return `${path}: must be an object`;
  if (depth > DEPTH_MAX) return `${path}: is nested more than ${DEPTH_MAX} deep`;
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.has(key));
  if (unknown !== undefined) {
    return `${path}.${unknown}: is not supported; use ${[...KEYWORDS].join(", ")}`;
  }
  return (
    typeProblem(schema.type, path) ??
    listProblem(schema, path) ??
    boundProblem(schema, path) ??
    nestedProblem(schema, path, depth)
  );
};

const typeProblem = (type: unknown, path: string): string | null => {
  const names = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const wrong = names.find((name) => !TYPES.some((known) => known === name));
  return wrong === undefined
    ? null
    : `${path}.type: ${JSON.stringify(wrong)} is not one of ${TYPES.join(", ")}`;
};

const listProblem = (schema: Record<string, unknown>, path: string): string | null => {
  const { required } = schema;
  if (required !== undefined) {
    const names = Array.isArray(required) && required.every((name) => typeof name === "string");
    if (!names) return `${path}.required: must be a list of names`;
  }
  const values = schema.enum;
  if (values === undefined) return null;
  const listed = Array.isArray(values) && values.length <= ENUM_MAX && values.every(isScalar);
  if (!listed) return `${path}.enum: must be a list of at most ${ENUM_MAX} plain values`;
  return null;
};

/** The maximum number of `enum` entries. Every value is compared with each entry. */
const ENUM_MAX = 64;

const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;

const BOUNDS = ["minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"] as const;

const boundProblem = (schema: Record<string, unknown>, path: string): string | null => {
  const wrong = BOUNDS.find(
    (bound) => schema[bound] !== undefined && !Number.isFinite(schema[bound]),
  );
  return wrong === undefined ? null : `${path}.${wrong}: must be a number`;
};

const nestedProblem = (
  schema: Record<string, unknown>,
  path: string,
  depth: number,
): string | null => {
  const { properties, items, additionalProperties: extra } = schema;
  if (properties !== undefined) {
    if (!isObject(properties)) return `${path}.properties: must be an object`;
    for (const [name, inner] of Object.entries(properties)) {
      const problem = schemaProblem(inner, `${path}.properties.${name}`, depth + 1);
      if (problem !== null) return problem;
    }
  }
  if (items !== undefined) {
    const problem = schemaProblem(items, `${path}.items`, depth + 1);
    if (problem !== null) return problem;
  }
  if (extra === undefined || typeof extra === "boolean") return null;
  return schemaProblem(extra, `${path}.additionalProperties`, depth + 1);
};

/** The coerced value (`"5"` → 5, `"true"` → true), or the problem. */
type Fit = Result<{ value: Json }>;

const fits = (value: Json): Fit => ({ ok: true, value });
const misfit = (problem: string): Fit => ({ ok: false, problem });

/** Coerces a value to a schema that passed `schemaProblem`. `path` names the value in a problem. */
export const fit = (value: Json, schema: JsonObject, path: string): Fit => {
  const shaped = coerce(value, schema.type);
  if (shaped === undefined) {
    return misfit(`${path} must be ${typeName(schema.type)}, not ${kindOf(value)}`);
  }
  const allowed = schema.enum;
  if (Array.isArray(allowed) && !allowed.some((item) => same(item, shaped))) {
    return misfit(`${path} must be one of ${JSON.stringify(allowed)}`);
  }
  if (schema.const !== undefined && !same(schema.const, shaped)) {
    return misfit(`${path} must be ${JSON.stringify(schema.const)}`);
  }
  if (typeof shaped === "string") return fitSize(shaped, shaped.length, { schema, path, ...TEXT });
  if (typeof shaped === "number") return fitSize(shaped, shaped, { schema, path, ...NUMBER });
  if (isList(shaped)) return fitList(shaped, schema, path);
  return isObject(shaped) ? fitRecord(shaped, schema, path) : fits(shaped);
};

const same = (a: Json, b: Json): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

const typeName = (type: Json | undefined): string =>
  Array.isArray(type) ? type.join(" or ") : String(type);

const kindOf = (value: Json): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `the ${typeof value} ${JSON.stringify(value)}`;
};

const isOf = (value: Json, type: string): boolean => {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    default:
      return typeof value === type;
  }
};

/** Returns the value, converted from text if the type requires it. Undefined if impossible. */
const coerce = (value: Json, type: Json | undefined): Json | undefined => {
  if (type === undefined) return value;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  if (types.some((name) => isOf(value, name))) return value;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  for (const name of types) {
    // Accepts only an integer that parsing does not round.
    if (name === "integer" && /^-?\d+$/.test(text)) {
      const number = Number(text);
      if (Number.isSafeInteger(number) && !Object.is(number, -0)) return number;
    }
    if (name === "number" && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) {
      const number = Number(text);
      if (Number.isFinite(number)) return number;
    }
    if (name === "boolean" && (text === "true" || text === "false")) return text === "true";
  }
  return undefined;
};

type Range = {
  readonly schema: JsonObject;
  readonly path: string;
  readonly least: string;
  readonly most: string;
  readonly unit: string;
};
const TEXT = { least: "minLength", most: "maxLength", unit: " characters" };
const NUMBER = { least: "minimum", most: "maximum", unit: "" };
const LIST = { least: "minItems", most: "maxItems", unit: " items" };

const fitSize = (value: Json, size: number, range: Range): Fit => {
  const { schema, path, unit } = range;
  const least = schema[range.least];
  const most = schema[range.most];
  if (typeof least === "number" && size < least) {
    return misfit(`${path} must be at least ${least}${unit}`);
  }
  if (typeof most === "number" && size > most) {
    return misfit(`${path} must be at most ${most}${unit}`);
  }
  return fits(value);
};

const fitList = (list: readonly Json[], schema: JsonObject, path: string): Fit => {
  const { items } = schema;
  const fitted: Json[] = [];
  for (const [index, item] of list.entries()) {
    const inner = isObject(items) ? fit(item, items, `${path}[${index}]`) : fits(item);
    if (!inner.ok) return inner;
    fitted.push(inner.value);
  }
  return fitSize(fitted, fitted.length, { schema, path, ...LIST });
};

const fitRecord = (record: JsonObject, schema: JsonObject, path: string): Fit => {
  const { properties: declared, required, additionalProperties: extra } = schema;
  const properties: JsonObject = isObject(declared) ? declared : {};
  const needed = isList(required) ? required.map(String) : [];
  const missing = needed.find((name) => !Object.hasOwn(record, name));
  if (missing !== undefined) return misfit(`${path}.${missing} is missing`);
  const fitted: Record<string, Json> = {};
  for (const [name, value] of Object.entries(record)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : extra;
    if (inner === false) return misfit(`${path}.${name} is unknown`);
    const result = isObject(inner) ? fit(value, inner, `${path}.${name}`) : fits(value);
    if (!result.ok) return result;
    fitted[name] = result.value;
  }
  return fits(fitted);
};
