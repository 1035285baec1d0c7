import type { z } from "zod";
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

/** The settings that say something: an optional key that is undefined says nothing. */
export const definedIn = <T extends object>(
  settings: T,
): { readonly [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };

/** A value of our own making that is plain data, though its type does not say so. */
export const plain = (value: unknown): Json => value as Json;
