import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import { z } from "zod";
import { estimateTokens } from "../tokens.ts";
import {
  type ModelFault,
  type ModelReply,
  type ModelRequest,
  NO_TOKENS,
  type ReplyForm,
  type TokenUsage,
} from "./model.ts";
import type { TokenBound } from "./pricing.ts";

const isCount = (tokens: number | undefined): tokens is number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= 0;

type Counted = { readonly tokens: number; readonly estimated: boolean };

/** A count as it was said, where it can be true of this text and this bound. */
const counted = (said: number | undefined, text: string, max: number): Counted => {
  const isSaid = isCount(said) && (said > 0 || text === "");
  if (!isSaid) return { tokens: Math.min(estimateTokens(text), max), estimated: true };
  return { tokens: Math.min(said, max), estimated: said > max };
};

const upTo = (tokens: number | undefined, max: number): number =>
  isCount(tokens) ? Math.min(tokens, max) : 0;

/**
 * What a call has used, by what the provider said. A count that is missing or cannot be true
 * (negative, broken, none at all for a text that is there) is replaced by `estimateTokens` of the
 * text; one that is more than the request can have used counts as that. Either way the whole is
 * marked as estimated.
 */
export const usageOf = (
  said: LanguageModelV4Usage,
  request: ModelRequest,
  { input, output }: { readonly input: string; readonly output: string },
): TokenUsage => {
  const { total: saidInput, cacheRead } = said.inputTokens;
  const { total: saidOutput, reasoning } = said.outputTokens;
  const most = worstCase(request);
  const sent = counted(saidInput, input, most.input);
  const answered = counted(saidOutput, output, most.output);
  return {
    input: sent.tokens,
    cachedInput: sent.estimated ? 0 : upTo(cacheRead, sent.tokens),
    output: answered.tokens,
    reasoning: upTo(reasoning, answered.tokens),
    estimated: sent.estimated || answered.estimated,
  };
};

/**
 * What a call may have used of which nobody will say: the provider has had the question, and may
 * have written so many tokens of an answer.
 */
export const guessedUsage = (request: ModelRequest, output: number): TokenUsage => ({
  ...NO_TOKENS,
  input: estimateTokens(request.system) + estimateTokens(request.prompt),
  output: Math.min(output, request.maxTokens),
  estimated: true,
});

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
export const worstCase = (request: ModelRequest): TokenBound => {
  const { system, prompt, form, maxTokens } = request;
  const texts = Buffer.byteLength(system) + Buffer.byteLength(prompt);
  return {
    input: texts + FRAME_TOKENS + (form === null ? 0 : formBytes(form)),
    output: maxTokens,
  };
};

/** The same in one number. */
export const mostTokens = (request: ModelRequest): number => {
  const { input, output } = worstCase(request);
  return input + output;
};

/** Faults after which nobody knows what the provider has counted. */
const UNKNOWN: ReadonlySet<ModelFault> = new Set([
  "timeout",
  "connection",
  "cancelled",
  "bad_reply",
]);

/** What a provider can have counted of a call: at the worst the most that it can use. */
export const countedTokens = (reply: ModelReply, request: ModelRequest): number => {
  const isKnown = reply.ok || !UNKNOWN.has(reply.fault);
  return isKnown ? reply.usage.input + reply.usage.output : mostTokens(request);
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
