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
export const isContextOverflow = (status: number | null, text: string): boolean =>
  status === PAYLOAD_TOO_LARGE || (OVERFLOW.test(text) && !isReplyTooLong(text));

/** Whether a model ended its reply because its context window is full. */
export const isWindowFull = (finish: string | undefined): boolean =>
  finish === "model_context_window_exceeded";
