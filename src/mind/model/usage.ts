import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { z } from "zod";
import { estimateTokens } from "../tokens.ts";
import { type ModelRequest, NO_TOKENS, type ReplyForm, type TokenUsage } from "./model.ts";

/** No call has more; a provider that says so is not believed. */
const TOKENS_MAX = 10_000_000;

const isPossible = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= TOKENS_MAX;

const upTo = (tokens: number | undefined, max: number): number =>
  isPossible(tokens) ? Math.min(tokens, max) : 0;

/**
 * What a call has used, by what the provider said. A count that is missing or cannot be true
 * (negative, broken, not a number, above `TOKENS_MAX`) is replaced by `estimateTokens` of the text,
 * and the whole is marked as estimated. A call without answer and without counts has used nothing.
 */
export const usageOf = (
  said: LanguageModelV4Usage,
  { input, output }: { readonly input: string; readonly output: string },
): TokenUsage => {
  const { total: saidInput, cacheRead } = said.inputTokens;
  const { total: saidOutput, reasoning } = said.outputTokens;
  if (saidInput === undefined && saidOutput === undefined && output === "") return NO_TOKENS;
  const estimated = !isPossible(saidInput) || !isPossible(saidOutput);
  const inputUsed = isPossible(saidInput) ? saidInput : estimateTokens(input);
  const outputUsed = isPossible(saidOutput) ? saidOutput : estimateTokens(output);
  return {
    input: inputUsed,
    cachedInput: upTo(cacheRead, inputUsed),
    output: outputUsed,
    reasoning: upTo(reasoning, outputUsed),
    estimated,
  };
};

export const addedUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  cachedInput: a.cachedInput + b.cachedInput,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  estimated: a.estimated || b.estimated,
});

/** What a provider adds to a request: roles, separators, the frame of a schema. */
const FRAME_TOKENS = 256;

/**
 * The most tokens that one attempt can use. Tokenizers of all providers work on bytes, and none
 * makes more tokens than there are bytes.
 */
export const worstCase = (
  request: ModelRequest,
): { readonly input: number; readonly output: number } => {
  const { system, prompt, form, maxTokens } = request;
  const texts = Buffer.byteLength(system) + Buffer.byteLength(prompt);
  return {
    input: texts + FRAME_TOKENS + (form === null ? 0 : formBytes(form)),
    output: maxTokens,
  };
};

const knownForms = new WeakMap<ReplyForm, number>();

/** Bytes of the longest way in which a form is told. */
const formBytes = (form: ReplyForm): number => {
  const known = knownForms.get(form);
  if (known !== undefined) return known;
  const schemas = [form.rich, form.flat].map((schema) =>
    JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })),
  );
  const bytes = Math.max(...[form.described, ...schemas].map((text) => Buffer.byteLength(text)));
  knownForms.set(form, bytes);
  return bytes;
};
