import { cutText } from "../../kernel/index.ts";

export const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

export const usd = (micros: number): string => `$${(micros / 1_000_000).toFixed(4)}`;

/** The average UTF-16 units per token of English prose and code. Used only for estimates. */
const UNITS_PER_TOKEN = 3.6;

export const estimateTokens = (text: string): number => tokensOfUnits(text.length);

export const tokensOfUnits = (units: number): number => Math.ceil(units / UNITS_PER_TOKEN);

/** The length in UTF-16 units of a text that has at most `tokens` estimated tokens. */
export const unitsOfTokens = (tokens: number): number =>
  Math.max(0, Math.floor(tokens * UNITS_PER_TOKEN));

/** Cuts a text to the estimated length of `tokens` tokens and returns its beginning. */
export const cutToTokens = (text: string, tokens: number): string =>
  cutText(text, unitsOfTokens(tokens));
