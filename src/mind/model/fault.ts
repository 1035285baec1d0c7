import { APICallError, InvalidResponseDataError, LoadAPIKeyError } from "ai";
import { type ErrorBody, readErrorBody } from "./error-body.ts";
import { type Fault, final, passing } from "./failure.ts";
import { refusedReplyIn } from "./guarded-fetch.ts";
import { retryAfterMs } from "./retry-after.ts";

/** What a provider said. */
type Complaint = {
  /** Null where there was none, or one that means nothing: an error told with status 200. */
  readonly status: number | null;
  readonly message: string;
  readonly words: string;
};

/** Looks for any of these words, in whatever case. */
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

/** Statuses that say "not now" without being a 429 or a 5xx. */
const NOT_NOW: ReadonlySet<number> = new Set([409, 425]);

export const faultOf = (complaint: Complaint): Fault => ({ ...sorted(complaint), quotes: true });

/**
 * Sorts what a provider said. Money and keys come first, because providers tell them with many a
 * status: a bad key is 400 at Google, an empty purse 400 at Anthropic and 429 at OpenAI.
 */
const sorted = ({ status, message, words }: Complaint): Fault => {
  const told = `${words} ${message}`;
  const said = [status === null ? "" : `HTTP ${status}`, message].filter(Boolean).join(": ");
  const isRefusal = status === null || status < 500;
  if (status === 402 || (isRefusal && NO_CREDIT.test(told))) return final("no_credit", said);
  if (status === 429) return passing("rate_limited", said);
  if (status === 401 || status === 403) return final("unauthorized", said);
  if (isRefusal && UNAUTHORIZED.test(told)) return final("unauthorized", said);
  if (status === null) {
    if (RATE_LIMITED.test(told)) return passing("rate_limited", said);
    return BAD_REQUEST.test(told) ? final("bad_request", said) : passing("provider_error", said);
  }
  if (status === 408) return passing("timeout", said);
  if (NOT_NOW.has(status) || status >= 500) return passing("provider_error", said);
  return status >= 400 ? final("bad_request", said) : passing("bad_reply", said);
};

/** Sorts what a body says that came with a status which promised no error. */
export const faultOfBody = ({ status, message, words, retryAfterMs }: ErrorBody): Fault => ({
  ...faultOf({ status, message, words }),
  retryAfterMs,
});

/** Sorts whatever the SDK throws, except for what an aborted signal causes. */
export const faultOfThrown = async (error: unknown, wallMs: number): Promise<Fault> => {
  const refused = refusedReplyIn(error);
  if (refused !== null) return refused.fault;
  if (APICallError.isInstance(error)) return faultOfCall(error, wallMs);
  if (LoadAPIKeyError.isInstance(error)) return final("unauthorized", "no key for the provider");
  if (InvalidResponseDataError.isInstance(error)) {
    return passing("bad_reply", "the reply holds no answer");
  }
  // Prompts and schemas that cannot be sent, and whatever else is the same the next time.
  const name = error instanceof Error ? error.name : typeof error;
  return final("bad_request", `the request could not be sent (${name})`);
};

const faultOfCall = async (error: APICallError, wallMs: number): Promise<Fault> => {
  const { statusCode: status, responseBody, responseHeaders } = error;
  if (status === undefined) return faultOfConnection(error);
  const body = await readErrorBody(error.data ?? responseBody);
  if (status < 400 || typeof responseBody === "object") {
    // An error that came with 200. The Responses API is given a status of the SDK's invention.
    if (body !== null) return faultOfBody(body);
    return passing("bad_reply", "the reply is not what the provider's protocol says");
  }
  const message = body?.message ?? error.message;
  const fault = faultOf({ status, message, words: body?.words ?? "" });
  const asked = body?.retryAfterMs ?? null;
  return { ...fault, retryAfterMs: retryAfterMs(responseHeaders, wallMs) ?? asked };
};

const faultOfConnection = (error: APICallError): Fault => {
  const code = codeOf(error.cause);
  if (/^UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT$|^ETIMEDOUT$/.test(code)) {
    return passing("timeout", `the provider was silent (${code})`);
  }
  if (/bad port|invalid url/i.test(error.message)) {
    return final("bad_request", "the provider's address cannot be called");
  }
  return passing("connection", `cannot connect${code === "" ? "" : ` (${code})`}`);
};

const CAUSES_MAX = 5;

/** The system's word for what happened, such as ECONNREFUSED; empty where there is none. */
const codeOf = (error: unknown): string => {
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
    cause = cause.cause;
  }
  return "";
};
