import type { Answer } from "./answer.ts";

const status = (code: number, message: string) => (): Answer => ({ status: code, message });

/** Answers of providers that have a bad day, by name. Each call gives a fresh one. */
export const faults = {
  hang: (): Answer => ({ broken: "hang" }),
  hangMidBody: (): Answer => ({ broken: "hang_mid_body" }),
  reset: (): Answer => ({ broken: "reset" }),
  resetMidBody: (): Answer => ({ broken: "reset_mid_body" }),
  noAnswer: (): Answer => ({ broken: "no_answer" }),
  refusal: (): Answer => ({ broken: "refusal", message: "I cannot help with that." }),
  errorIn200: (message: string, code: string): Answer => ({
    broken: "error_in_200",
    message,
    code,
  }),

  unauthorized: status(401, "Incorrect API key provided"),
  noCredit: status(402, "Payment required"),
  forbidden: status(403, "You may not use this model"),
  notFound: status(404, "There is no such model"),
  requestTimeout: status(408, "The request took too long to arrive"),
  conflict: status(409, "Another request is being worked on"),
  tooEarly: status(425, "Too early"),
  serverError: status(500, "The server had an error"),
  badGateway: status(502, "Bad gateway"),
  unavailable: status(503, "The model is overloaded"),
  overloaded: status(529, "Overloaded"),

  /** A 429; the header is what `retry-after` says. */
  rateLimited: (retryAfter?: string): Answer => ({
    status: 429,
    message: "Too many requests",
    code: "rate_limit_exceeded",
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": retryAfter } }),
  }),
  rateLimitedMs: (retryAfterMs: number): Answer => ({
    status: 429,
    message: "Too many requests",
    headers: { "retry-after-ms": String(retryAfterMs) },
  }),
  /** A 429 in the way of Google, which tells in the body when to come back. */
  rateLimitedWithRetryInfo: (retryDelay: string): Answer => ({
    status: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }],
  }),
  insufficientQuota: (): Answer => ({
    status: 429,
    message: "You exceeded your current quota, please check your plan and billing details.",
    code: "insufficient_quota",
  }),
  /** A bad key in the way of Google. */
  badKey400: (): Answer => ({
    status: 400,
    message: "API key not valid. Please pass a valid API key.",
    details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
  }),
  /** An empty purse in the way of Anthropic. */
  lowBalance400: (): Answer => ({
    status: 400,
    message: "Your credit balance is too low to access the Anthropic API.",
  }),
  badSchema: (): Answer => ({
    status: 400,
    message: "Invalid schema for response_format 'response': 'oneOf' is not permitted.",
    code: "invalid_json_schema",
  }),
  noResponseFormat: (): Answer => ({
    status: 400,
    message: "'response_format' is not supported by this model",
  }),
  contextTooLong: (): Answer => ({
    status: 400,
    message: "This model takes 8192 tokens at the most",
    code: "context_length_exceeded",
  }),

  html: (): Answer => ({ raw: HTML, headers: { "content-type": "text/html" } }),
  htmlError: (): Answer => ({
    raw: HTML,
    status: 502,
    headers: { "content-type": "text/html" },
  }),
  invalidJson: (): Answer => ({ raw: '{"choices": [oops' }),
  truncatedJson: (): Answer => ({ raw: '{"id": "x", "choices": [{"index": 0, "mess' }),
  emptyBody: (): Answer => ({ raw: "" }),
  otherJson: (): Answer => ({ raw: '{"hello": "world"}' }),
} as const;

const HTML = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>";
