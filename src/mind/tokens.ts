import { cutText } from "../kernel/index.ts";

/**
 * How many UTF-16 units go to a token of English prose and code together. Providers count each in
 * their own way, and bill by their own count; this one only bounds prompts and prices in advance.
 */
const UNITS_PER_TOKEN = 3.6;

/** About how many tokens a text has, rounded up. */
export const estimateTokens = (text: string): number => tokensOfUnits(text.length);

/** About how many tokens a text of so many UTF-16 units has. */
export const tokensOfUnits = (units: number): number => Math.ceil(units / UNITS_PER_TOKEN);

/** The beginning of a text that has about so many tokens. */
export const cutToTokens = (text: string, tokens: number): string =>
  cutText(text, Math.max(0, Math.floor(tokens * UNITS_PER_TOKEN)));
