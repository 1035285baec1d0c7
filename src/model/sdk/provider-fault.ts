import type { LanguageModelV4FinishReason } from "@ai-sdk/provider";
import { APICallError, InvalidResponseDataError, LoadAPIKeyError, parsePartialJson } from "ai";
import { cutText, isObject, jsonIn } from "../../kernel/index.ts";
import { endOfObject } from "../chat-text/json-in-text.ts";
import { type Fault, faultOf, type ModelFault } from "../port/model.ts";
import { brokenReply, causesOf, refusedReplyIn } from "./guarded-fetch.ts";

/** `quotes` is true if the message quotes the provider. The quoted text may repeat the request. */
export type ProviderFault = Fault & { readonly quotes?: true };

type ErrorMessage = {
  readonly message: string;
  /** The error's codes, types and states on one line. */
  readonly words: string;
  /** The error status from HTTP or from the body, or null if there is none. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
};

const anyOf = (...words: readonly string[]): RegExp => new RegExp(words.join("|"), "i");

const NO_CREDIT = anyOf(
  "insufficient_quota",
  "billing_hard_limit",
  "billing_not_active",
  "credit balance is too low",
  "insufficient (credits?|balance|funds)",
  "payment required",
);
const UNAUTHORIZED = anyOf(
  "api_key_invalid",
  "api key not valid",
  "api key expired",
  "invalid_api_key",
  "incorrect api key",
  "authentication_error",
  "permission_(error|denied)",
  "unauthenticated",
  "unauthorized",
);
const RATE_LIMITED = anyOf("rate_limit", "resource_exhausted", "too many requests", "throttl");
const BAD_REQUEST = anyOf(
  "invalid_request",
  "invalid_argument",
  "not_found",
  "bad_request",
  "failed_precondition",
);

const NOT_NOW: ReadonlySet<number> = new Set([409, 425]);

const faultOfError = (error: ErrorMessage): ProviderFault => {
  const { status, message, retryAfterMs } = error;
  const line = [status === null ? "" : `HTTP ${status}`, message].filter(Boolean).join(": ");
  return { ...faultOf(classified(error), line), retryAfterMs, quotes: true };
};

/**
 * Classifies an error by its status and its words. The status alone is not enough: a bad key has
 * status 400 at Google, and missing credit has 400 at Anthropic and 429 at OpenAI.
 */
const classified = ({ status, message, words }: ErrorMessage): ModelFault => {
  const text = `${words} ${message}`;
  const isRefusal = status === null || status < 500;
  if (status === 402 || (isRefusal && NO_CREDIT.test(text))) return "no_credit";
  if (status === 429) return "rate_limited";
  if (status === 401 || status === 403) return "unauthorized";
  if (isRefusal && UNAUTHORIZED.test(text)) return "unauthorized";
  if (status === null && RATE_LIMITED.test(text)) return "rate_limited";
  if (isContextOverflow(status, text)) return "context_overflow";
  if (status === null) {
    return BAD_REQUEST.test(text) ? "bad_request" : "provider_error";
  }
  if (status === 408) return "timeout";
  if (NOT_NOW.has(status) || status >= 500) return "provider_error";
  return status >= 400 ? "bad_request" : "bad_reply";
};

export const faultOfThrown = async (error: unknown, wallMs: number): Promise<ProviderFault> => {
  const refused = refusedReplyIn(error);
  if (refused !== null) return refused.fault;
  if (APICallError.isInstance(error)) return faultOfCall(error, wallMs);
  if (LoadAPIKeyError.isInstance(error)) return faultOf("unauthorized", "no key for the provider");
  if (InvalidResponseDataError.isInstance(error)) {
    return faultOf("bad_reply", "the reply contains no answer");
  }
  // Any other error is permanent. For example, the package cannot send this prompt or schema.
  const name = error instanceof Error ? error.name : typeof error;
  return faultOf("bad_request", `the request could not be sent (${name})`);
};

const faultOfCall = async (error: APICallError, wallMs: number): Promise<ProviderFault> => {
  const { statusCode: status, responseBody, responseHeaders } = error;
  if (status === undefined) return faultOfConnection(error);
  const body = await readErrorBody(error.data ?? responseBody);
  if (status < 400 || typeof responseBody === "object") {
    // The provider sent status 200. A 400 with an object as `responseBody` is from the SDK.
    if (body !== null) return faultOfError(body);
    return faultOf("bad_reply", "the reply does not follow the provider's protocol");
  }
  const { message, words, retryAfterMs } = body ?? errorMessage(error.message, "");
  const waitMs = retryAfterIn(responseHeaders, wallMs) ?? retryAfterMs;
  return faultOfError({ status, message, words, retryAfterMs: waitMs });
};

const faultOfConnection = (error: APICallError): Fault => {
  const code = codeOf(error.cause);
  if (/^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$|^ETIMEDOUT$/.test(code)) {
    return faultOf("timeout", `the provider did not answer (${code})`);
  }
  if (/bad port|invalid url/i.test(error.message)) {
    return faultOf("bad_request", "the provider's address cannot be called");
  }
  const broken = brokenReply(error);
  if (broken !== null) return broken;
  const isClosed = /^UND_ERR_SOCKET$|^ECONNRESET$|^EPIPE$/.test(code);
  const problem = isClosed ? "the connection closed before a reply" : "cannot connect";
  return faultOf("connection", `${problem}${code === "" ? "" : ` (${code})`}`);
};

/** Returns the operating system's error code, such as ECONNREFUSED, or an empty text. */
const codeOf = (error: unknown): string => {
  for (const cause of causesOf(error)) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return "";
};

const readErrorBody = async (body: unknown): Promise<ErrorMessage | null> => {
  if (typeof body !== "string") return errorIn(body);
  const { value, state } = await parsePartialJson(body);
  return state === "successful-parse" ? errorIn(value) : null;
};

const errorMessage = (message: string, words: string): ErrorMessage => ({
  message,
  words,
  status: null,
  retryAfterMs: null,
});

/**
 * Returns the error in a body, or null. In a stream, Google sends a list with one error, and OpenAI
 * may send the response that failed.
 */
const errorIn = (body: unknown): ErrorMessage | null => {
  const holder = Array.isArray(body) ? body[0] : body;
  if (!isObject(holder)) return null;
  const { response } = holder;
  const inner = holder.error ?? (isObject(response) ? response.error : undefined);
  // OpenAI's streams, Anthropic's package and older versions of vLLM give the error itself.
  const isItself =
    holder.object === "error" ||
    (inner === undefined && typeof holder.type === "string" && typeof holder.message === "string");
  const error = isItself ? holder : inner;
  if (typeof error === "string") return errorMessage(error, error);
  if (!isObject(error)) return null;
  const { message, type, code, status } = error;
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const named = [type, code, status].filter((each) => typeof each === "string").join(" ");
  const text = typeof message === "string" ? message : named;
  const reasons = details.map(({ reason }) => (typeof reason === "string" ? reason : ""));
  return {
    message: text === "" ? "an error without a message" : text,
    words: `${named} ${reasons.join(" ")}`,
    status: [code, status].find(isStatus) ?? null,
    retryAfterMs: retryDelayIn(details),
  };
};

const isStatus = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 400 && value <= 599;

/** Returns the wait in ms from Google's RetryInfo, or null if there is none. */
const retryDelayIn = (details: readonly { readonly [name: string]: unknown }[]): number | null => {
  for (const { retryDelay } of details) {
    if (typeof retryDelay !== "string") continue;
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(retryDelay)?.[1];
    if (seconds !== undefined) return Math.ceil(Number(seconds) * 1_000);
  }
  return null;
};

type Headers = Readonly<Record<string, string>>;

const RETRY_AFTER_MS_MAX = 24 * 3_600_000;

const boundedMs = (ms: number): number | null =>
  Number.isFinite(ms) ? Math.min(Math.max(0, Math.ceil(ms)), RETRY_AFTER_MS_MAX) : null;

/**
 * Returns the wait in ms that the headers request, or null. Reads `retry-after-ms`, or
 * `retry-after` in seconds or as a date (RFC 9110, section 10.2.3). Compares a date with the header
 * `date`, because the local clock may be wrong. Without that header, compares with `wallMs`.
 */
const retryAfterIn = (headers: Headers | undefined, wallMs: number): number | null => {
  const inMs = headers?.["retry-after-ms"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(inMs)) return boundedMs(Number(inMs));
  const text = headers?.["retry-after"]?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return boundedMs(Number(text) * 1_000);
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const sentAt = Date.parse(headers?.date ?? "");
  return boundedMs(at - (Number.isNaN(sentAt) ? wallMs : sentAt));
};

type Finish = {
  readonly reason: LanguageModelV4FinishReason;
  readonly text: string;
  readonly body: unknown;
  readonly formed: boolean;
  /** Whether the reply may call tools. The text is then the JSON of its blocks. */
  readonly callsTools: boolean;
  readonly maxTokens: number;
  /** Whether the reply has as many tokens as it may have. */
  readonly atLimit: boolean;
};

/**
 * Returns null for an answer, or else the fault of the call. A truncated text is an answer if no
 * form was requested, or if the JSON object is complete. Some servers report `stop` for a truncated
 * reply, so a reply at its token limit without a complete JSON object counts as truncated too.
 */
export const faultOfFinish = async (finish: Finish): Promise<ProviderFault | null> => {
  const { reason, text, formed, callsTools, atLimit } = finish;
  const word = wordOf(reason);
  switch (reason.unified) {
    case "stop":
      if (isObject(finish.body) && finish.body.status === "failed") return faultOfOther(finish);
      if (formed && atLimit && !holdsObject(text)) return cutOff(finish);
      return text.trim() === "" ? faultOf("empty", "the model answered nothing") : null;
    case "length":
      return (formed ? holdsObject(text) : text.trim() !== "") ? null : cutOff(finish);
    case "content-filter":
      return faultOf("refused", `the model or its provider refused to answer (${word})`);
    case "tool-calls":
      if (callsTools) return text === "" ? faultOf("empty", "the model answered nothing") : null;
      return faultOf("bad_reply", "the model called a tool, but the request offered none");
    default:
      return faultOfOther(finish);
  }
};

const cutOff = ({ reason, maxTokens }: Finish): Fault => {
  if (isWindowFull(reason.raw)) return faultOf("context_overflow", WINDOW_FULL);
  const limit = `its limit of ${maxTokens} tokens (${wordOf(reason)})`;
  return faultOf("reply_cut_off", `the reply was cut off at ${limit}; raise max_tokens`);
};

const WINDOW_FULL = "the context window was full before the reply was complete";

/**
 * Returns whether a text holds a JSON object with a key that is not part of an unclosed object. In
 * prose before the object, braces may also stand for something else.
 */
const holdsObject = (text: string): boolean => {
  let at = text.indexOf("{");
  while (at !== -1) {
    const end = endOfObject(text, at);
    if (end === null) return false;
    const found = jsonIn(text.slice(at, end));
    if (isObject(found) && Object.keys(found).length > 0) return true;
    at = text.indexOf("{", end);
  }
  return false;
};

const WORD_CHARS_MAX = 30;

const wordOf = ({ raw, unified }: LanguageModelV4FinishReason): string =>
  cutText(raw ?? unified, WORD_CHARS_MAX);

const faultOfOther = async ({ body, reason }: Finish): Promise<ProviderFault> => {
  const error = await readErrorBody(body);
  if (error !== null) return faultOfError(error);
  if (isWindowFull(reason.raw)) return faultOf("context_overflow", WINDOW_FULL);
  return faultOf("provider_error", `the reply ended with "${wordOf(reason)}"`);
};

/**
 * What providers say if a request does not fit in the context window of its model. Most send status
 * 400, and only some send an error code. Words about a token limit alone are not listed: they also
 * occur if `max_tokens` is out of range, and if a key has used its tokens of a minute.
 */
const OVERFLOW = new RegExp(
  [
    // OpenAI and servers with its API, such as vLLM, OpenRouter, DeepSeek and Mistral
    "context_length_exceeded",
    "maximum context length",
    "maximum model length",
    "must have less than \\d+ tokens",
    "reduce the length of the messages",
    "maximum prompt length is",
    "exceeded model token limit",
    "input is too long for requested model",
    // Anthropic and Ollama
    "prompt (is )?too long",
    "exceed context limit",
    "context_window_exceeded",
    // Google
    "input token count.{0,80}exceeds the maximum",
    "prompt token count.{0,40}exceeds the limit",
    // llama.cpp, LM Studio, Ollama
    "exceed_context_size",
    "context size has been exceeded",
    "(exceed(s|ed)?|longer than|greater than) (the |its |model'?s |available |max(imum)? )*" +
      "context (window|length|size)",
    "context window exceeds",
  ].join("|"),
  "i",
);

/** Words about a `max_tokens` that is wrong for any prompt. */
const REPLY_ALONE = /max_\w*tokens\W+(\d+\W+)?(exceeds|(cannot|must not) exceed|is greater)/i;

/** Numbers in a message about the sum of input and reply: the reply and the window, in tokens. */
const SUMS: readonly RegExp[] = [
  /too large: (?<reply>\d+)\b.*context length is (?<window>\d+)/i,
  /context limit: \d+ \+ (?<reply>\d+) > (?<window>\d+)/i,
  /context length is (?<window>\d+).*\b(?<reply>\d+) (for|in) the (completion|output)/i,
];

const PAYLOAD_TOO_LARGE = 413;

/** Whether `max_tokens` alone fills the window, so that no shorter request would fit. */
const isReplyTooLong = (text: string): boolean =>
  REPLY_ALONE.test(text) ||
  SUMS.some((sum) => {
    const { reply, window } = sum.exec(text)?.groups ?? {};
    return reply !== undefined && Number(reply) >= Number(window);
  });

/** Whether an error says that a shorter request would fit. `text`: its words and its message. */
const isContextOverflow = (status: number | null, text: string): boolean =>
  status === PAYLOAD_TOO_LARGE || (OVERFLOW.test(text) && !isReplyTooLong(text));

/** Whether a model ended its reply because its context window is full. */
const isWindowFull = (finish: string | undefined): boolean =>
  finish === "model_context_window_exceeded";
