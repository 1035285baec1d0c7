import { z } from "zod";

/** The keys of the map at `path`. Empty if the schema has no map with fixed keys at `path`. */
export const keysAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] => {
  const here = schemaAt(schema, path);
  return [...new Set(formsOf(here).flatMap(keysOf))];
};

export const isWholeAt = (schema: z.ZodType, path: readonly PropertyKey[]): boolean => {
  const here = schemaAt(schema, path);
  return here instanceof z.ZodNumber && here.isInt;
};

export const isOptionalAt = (schema: z.ZodType, path: readonly PropertyKey[]): boolean => {
  const [last] = path.slice(-1);
  const here = last === undefined ? schema : childOf(schemaAt(schema, path.slice(0, -1)), last);
  const kinds = [z.ZodOptional, z.ZodExactOptional, z.ZodDefault];
  return kinds.some((kind) => here instanceof kind);
};

export const isTextListAt = (schema: z.ZodType, path: readonly PropertyKey[]): boolean => {
  const here = schemaAt(schema, path);
  if (!(here instanceof z.ZodArray)) return false;
  const each = bare(here.element);
  return each instanceof z.ZodString || each instanceof z.ZodEnum;
};

const schemaAt = (schema: z.ZodType, path: readonly PropertyKey[]): unknown =>
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
