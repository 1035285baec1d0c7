import type { Json } from "../../kernel/index.ts";

/** Parses JSON that our own sandbox or journal wrote. Checks nothing, because both are trusted. */
export const decodeJson = (text: string): Json => JSON.parse(text) as Json;

/** Parses the arguments of a syscall. The engine always sends a list. */
export const decodeArgs = (text: string): readonly Json[] => JSON.parse(text) as readonly Json[];
