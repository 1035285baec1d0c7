import type { Answer, Refusal } from "./answer.ts";

const QUOTA = "You exceeded your current quota, please check your plan and billing details.";
const HTML = {
  raw: "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>",
  headers: { "content-type": "text/html" },
};

const always = (answer: Answer) => (): Answer => answer;
const status = (code: number, message: string, more: Partial<Refusal> = {}) =>
  always({ status: code, message, ...more });
/** An entry of Google's `error.details`. */
const detail = (type: string, fields: object) => ({
  details: [{ "@type": `type.googleapis.com/google.rpc.${type}`, ...fields }],
});

/** Faulty answers of providers, by name. */
export const faults = {
  hang: always({ broken: "hang" }),
  hangMidBody: always({ broken: "hang_mid_body" }),
  reset: always({ broken: "reset" }),
  resetMidBody: always({ broken: "reset_mid_body" }),
  notHttp: always({ broken: "not_http" }),
  brokenGzip: always({ raw: "no gzip", headers: { "content-encoding": "gzip" } }),
  noAnswer: always({ broken: "no_answer" }),
  refusal: always({ broken: "refusal", message: "I cannot help with that." }),
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

  /** A 429 with a `retry-after` header. */
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
  /** A 429 by Google, whose body says when to retry. */
  rateLimitedWithRetryInfo: (retryDelay: string): Answer =>
    status(429, QUOTA, detail("RetryInfo", { retryDelay }))(),
  insufficientQuota: status(429, QUOTA, { code: "insufficient_quota" }),
  /** An invalid key at Google. */
  badKey400: status(
    400,
    "API key not valid. Please pass a valid API key.",
    detail("ErrorInfo", { reason: "API_KEY_INVALID" }),
  ),
  /** An empty account at Anthropic. */
  lowBalance400: status(400, "Your credit balance is too low to access the Anthropic API."),
  badSchema: status(
    400,
    "Invalid schema for response_format 'response': 'oneOf' is not permitted.",
    { code: "invalid_json_schema" },
  ),
  noResponseFormat: status(400, "'response_format' is not supported by this model"),
  contextTooLong: status(400, "This model takes at most 8192 tokens", {
    code: "context_length_exceeded",
  }),

  html: always(HTML),
  htmlError: always({ ...HTML, status: 502 }),
  invalidJson: always({ raw: '{"choices": [oops' }),
  truncatedJson: always({ raw: '{"id": "x", "choices": [{"index": 0, "mess' }),
  emptyBody: always({ raw: "" }),
  otherJson: always({ raw: '{"hello": "world"}' }),
} as const;
