import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { z } from "zod";
import { memoized } from "../../kernel/index.ts";
import {
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  NO_TOKENS,
  type ReplyForm,
  type TokenUsage,
} from "./model.ts";
import { outputTokensMax } from "./reasoning.ts";
import { estimateTokens } from "./units.ts";

export type TokenBound = { readonly input: number; readonly output: number };

const isCount = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0;

type Counted = { readonly tokens: number; readonly estimated: boolean };

const counted = (reported: number | undefined, text: string, max: number): Counted => {
  const isPlausible = isCount(reported) && (reported > 0 || text === "");
  if (!isPlausible) return { tokens: Math.min(estimateTokens(text), max), estimated: true };
  return { tokens: Math.min(reported, max), estimated: reported > max };
};

const upTo = (tokens: number | undefined, max: number): number =>
  isCount(tokens) ? Math.min(tokens, max) : 0;

/**
 * Returns the usage that the provider reported. An estimate replaces a missing or impossible count
 * (negative, not an integer, or 0 for a text that is not empty). A count above the maximum is
 * reduced to the maximum. In each of these cases `estimated` is true.
 */
export const usageOf = (
  reported: LanguageModelV4Usage,
  request: ModelRequest,
  { input, output }: { readonly input: string; readonly output: string },
): TokenUsage => {
  const { total: reportedInput, cacheRead, cacheWrite } = reported.inputTokens;
  const { total: reportedOutput, reasoning } = reported.outputTokens;
  const most = worstCase(request);
  const sent = counted(reportedInput, input, most.input);
  const answered = counted(reportedOutput, output, most.output);
  const cachedInput = sent.estimated ? 0 : upTo(cacheRead, sent.tokens);
  return {
    input: sent.tokens,
    cachedInput,
    cacheWrite: sent.estimated ? 0 : upTo(cacheWrite, sent.tokens - cachedInput),
    output: answered.tokens,
    reasoning: upTo(reasoning, answered.tokens),
    estimated: sent.estimated || answered.estimated,
  };
};

export const estimatedUsage = (request: ModelRequest, output: number): TokenUsage => ({
  ...NO_TOKENS,
  input: estimateTokens(request.system) + estimateTokens(request.prompt),
  output: Math.min(output, outputTokensMax(request)),
  estimated: true,
});

export const addedUsage = (a: TokenUsage, b: TokenUsage): TokenUsage => ({
  input: a.input + b.input,
  cachedInput: a.cachedInput + b.cachedInput,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  output: a.output + b.output,
  reasoning: a.reasoning + b.reasoning,
  estimated: a.estimated || b.estimated,
});

/** Tokens that providers add for roles, separators and the text around a schema. */
const FRAME_TOKENS = 256;

/** Returns the maximum tokens of one attempt. A text never has more tokens than bytes. */
export const worstCase = (request: ModelRequest): TokenBound => {
  const { system, prompt, form } = request;
  const texts = Buffer.byteLength(system) + Buffer.byteLength(prompt);
  const input = texts + FRAME_TOKENS + (form === null ? 0 : formBytes(form));
  return { input, output: outputTokensMax(request) };
};

export const mostTokens = (request: ModelRequest): number => {
  const { input, output } = worstCase(request);
  return input + output;
};

/** Faults after which the number of tokens that the provider counted is unknown. */
const UNKNOWN: ReadonlySet<ModelFault> = new Set([
  "timeout",
  "connection",
  "cancelled",
  "bad_reply",
]);

/** Returns the tokens that the provider counted, or an upper bound if they are unknown. */
export const countedTokens = (reply: ModelReply, request: ModelRequest): number => {
  const isKnown = reply.ok || !UNKNOWN.has(reply.fault);
  return isKnown ? reply.usage.input + reply.usage.output : mostTokens(request);
};

/** The size of the schemas of a form in bytes, as a provider gets them. */
const formBytes = memoized((form: ReplyForm): number => {
  const schemas = [form.rich, form.flat].map((schema) =>
    JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" })),
  );
  return Math.max(...[form.described, ...schemas].map((text) => Buffer.byteLength(text)));
}, new WeakMap());
