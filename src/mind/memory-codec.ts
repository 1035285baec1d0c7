import { isObject, type Json } from "../kernel/index.ts";

/**
 * What a policy remembered, as it gave it to the journal; `fresh` where there is nothing yet.
 * Nobody but the policy writes its memory, so its shape is known.
 */
export const recall = <Memory>(memory: Json | undefined, fresh: Memory): Memory =>
  isObject(memory) ? ({ ...fresh, ...memory } as Memory) : fresh;

/** The settings that say something: an optional key that is undefined says nothing. */
export const definedIn = <T extends object>(
  settings: T,
): { readonly [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], undefined>;
  };

/** JSON text as a value; undefined for other text. */
export const fromJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** A value of our own making that is plain data, though its type does not say so. */
export const plain = (value: unknown): Json => value as Json;
