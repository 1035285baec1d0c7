import { z } from "zod";
import { isObject, type Json } from "../kernel/index.ts";

/**
 * What a mind remembered, as it gave it to the journal; `fresh` where there is nothing yet, and
 * where it is not what this mind would have given: a state may come from anywhere. What is right is
 * given back as it is, with its names in their order.
 */
export const recall = <Memory>(
  memory: Json | undefined,
  fresh: Memory,
  schema: z.ZodType<Memory>,
): Memory => {
  if (!isObject(memory)) return fresh;
  const whole = { ...fresh, ...memory };
  return schema.safeParse(whole).success ? (whole as Memory) : fresh;
};

/**
 * A part of what a mind remembers, by the same schema. What was found right once is not looked at
 * again: a state never changes, and most of what it holds of a mind is the very object that it held
 * at the thought before. What the state lets go of is forgotten.
 */
export const lasting = <Part extends object>(schema: z.ZodType<Part>): z.ZodType<Part> => {
  const right = new WeakSet<object>();
  return z.custom<Part>((part) => {
    if (typeof part !== "object" || part === null) return false;
    if (right.has(part)) return true;
    const isRight = schema.safeParse(part).success;
    if (isRight) right.add(part);
    return isRight;
  });
};

/** The settings that say something: an optional key that is undefined says nothing. */
export const definedIn = <T extends object>(
  settings: T,
): { readonly [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };

/** A value of our own making that is plain data, though its type does not say so. */
export const plain = (value: unknown): Json => value as Json;
