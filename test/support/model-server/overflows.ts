import type { Answer } from "./answer.ts";
import type { Provider } from "./model-server.ts";

const refused = (message: string, code?: string): Answer => ({
  status: 400,
  message,
  ...(code === undefined ? {} : { code }),
});

const raw = (status: number, body: unknown): Answer => ({ status, raw: JSON.stringify(body) });

/** A request that does not fit in the context window, as each provider says it. */
export const OVERFLOW: { readonly [P in Provider]: Answer } = {
  google: refused(
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    "INVALID_ARGUMENT",
  ),
  anthropic: refused("prompt is too long: 213462 tokens > 200000 maximum", "invalid_request_error"),
  openai: refused(
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "context_length_exceeded",
  ),
  "openai-compatible": raw(400, {
    error: {
      code: 400,
      message: "the request exceeds the available context size, try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 9_000,
      n_ctx: 8_192,
    },
  }),
};

type Named = readonly [name: string, answer: Answer];

const VLLM = "'max_tokens' or 'max_completion_tokens' is too large";

/** More words for it, mostly of servers with OpenAI's API. */
export const OVERFLOWS: readonly Named[] = [
  ["413", { status: 413, message: "Request exceeds the maximum size" }],
  ["413 of a gateway", { status: 413, raw: "<h1>413 Request Entity Too Large</h1>" }],
  [
    "Anthropic, with the reply",
    refused("input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000"),
  ],
  [
    "OpenAI, chat completions",
    refused(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in " +
        "8545 tokens. Please reduce the length of the messages.",
    ),
  ],
  ["OpenAI, by the code alone", refused("Too long", "context_length_exceeded")],
  [
    "vLLM",
    refused(
      `${VLLM}: 2000. This model's maximum context length is 4096 tokens and your request has ` +
        "2104 input tokens (2000 > 4096 - 2104).",
      "BadRequestError",
    ),
  ],
  [
    "an old vLLM",
    raw(400, {
      object: "error",
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000.",
      type: "BadRequestError",
      code: 400,
    }),
  ],
  ["Ollama", raw(400, { error: "prompt too long; exceeded max context length by 70 tokens" })],
  [
    "LM Studio",
    refused(
      "The number of tokens to keep from the initial prompt is greater than the context length.",
    ),
  ],
  ["an old llama.cpp", { status: 500, message: "Context size has been exceeded." }],
  [
    "xAI",
    refused("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
  ],
  ["Together", refused("The input (5000 tokens) is longer than the model's context length (4096)")],
  ["an error with 200", raw(200, { error: { message: "prompt is too long", code: 400 } })],
];

/** Errors about tokens that a shorter request would not cure. */
export const OTHER_LIMITS: readonly (readonly [...Named, fault: string])[] = [
  [
    "a bad max_tokens of OpenAI",
    refused(
      "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, " +
        "whereas you provided 100000.",
      "invalid_value",
    ),
    "bad_request",
  ],
  [
    "a bad max_tokens of Anthropic",
    refused("max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens"),
    "bad_request",
  ],
  [
    "a bad maxOutputTokens of Google",
    refused("maxOutputTokens value of 100000 but the supported range is from 1 to 65537"),
    "bad_request",
  ],
  [
    "a bad max_tokens of vLLM",
    refused("max_tokens=5000 cannot be greater than max_model_len=4096"),
    "bad_request",
  ],
  [
    "a max_tokens that fills the window",
    refused(
      `${VLLM}: 5000. This model's maximum context length is 4096 tokens and your request has ` +
        "100 input tokens (5000 > 4096 - 100).",
    ),
    "bad_request",
  ],
  [
    "a completion that fills the window",
    refused(
      "This model's maximum context length is 8191 tokens, however you requested 10346 tokens " +
        "(346 in your prompt; 10000 for the completion).",
    ),
    "bad_request",
  ],
  [
    "a max_tokens above the window",
    refused("max_tokens (9000) exceeds the context window"),
    "bad_request",
  ],
  [
    "a rule for max_tokens",
    refused("`max_tokens` must not exceed the context window"),
    "bad_request",
  ],
  [
    "a 429 about a long request",
    {
      status: 429,
      message:
        "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000. " +
        "The input must not exceed the context window.",
      code: "rate_limit_exceeded",
    },
    "rate_limited",
  ],
  [
    "no quota",
    { status: 429, message: "prompt is too long for your quota", code: "insufficient_quota" },
    "no_credit",
  ],
];
