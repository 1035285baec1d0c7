import { z } from "zod";
import { isObject, type Json, memoizedFold } from "../../kernel/index.ts";

/** Returns the stored memory of a mind, or `fresh` if the memory is missing or invalid. */
export const readMemory = <Memory>(
  memory: Json | undefined,
  fresh: Memory,
  schema: z.ZodType<Memory>,
): Memory => {
  if (!isObject(memory)) return fresh;
  const whole = { ...fresh, ...memory };
  return schema.safeParse(whole).success ? (whole as Memory) : fresh;
};

/** Returns a schema that checks an object only once. Most objects in a memory stay the same. */
export const checkedOnce = <Part extends object>(schema: z.ZodType<Part>): z.ZodType<Part> => {
  const right = new WeakSet<object>();
  return z.custom<Part>((part) => {
    if (typeof part !== "object" || part === null) return false;
    if (right.has(part)) return true;
    const isRight = schema.safeParse(part).success;
    if (isRight) right.add(part);
    return isRight;
  });
};

/** A map that grows at its end: only its new parts are checked. A record of zod checks all. */
export const recordOf = <Part extends object>(
  schema: z.ZodType<Part>,
): z.ZodType<{ readonly [key: string]: Part }> => {
  const areRight = memoizedFold(
    true,
    (before, part: object) => before && schema.safeParse(part).success,
  );
  return z.custom<{ readonly [key: string]: Part }>((given) => {
    if (typeof given !== "object" || given === null) return false;
    const parts = Object.values(given);
    return parts.every((part) => typeof part === "object" && part !== null) && areRight(parts);
  });
};

export const withoutUndefined = <T extends object>(
  settings: T,
): { readonly [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };

export const namesIn = <T extends object>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as (keyof T & string)[];

/** Casts a value to `Json`. The caller must know that the value is plain data. */
export const asJson = (value: unknown): Json => value as Json;
