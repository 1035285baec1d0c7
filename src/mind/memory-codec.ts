import { isObject, type Json } from "../kernel/index.ts";

/**
 * What a policy remembered, as it gave it to the journal; `fresh` where there is nothing yet.
 * Nobody but the policy writes its memory, so its shape is known.
 */
export const recall = <Memory>(memory: Json | undefined, fresh: Memory): Memory =>
  isObject(memory) ? ({ ...fresh, ...memory } as Memory) : fresh;

/** A value of our own making that is plain data, though its type does not say so. */
export const plain = (value: unknown): Json => value as Json;
