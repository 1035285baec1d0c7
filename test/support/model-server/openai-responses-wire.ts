import type { Reply } from "./answer.ts";
import { responsesEvents } from "./event-streams.ts";
import { openAiError } from "./openai-chat-wire.ts";
import { spokenIn, usageIn, type Wire } from "./wire.ts";

const frame = (model: string) => ({
  id: "resp_1",
  object: "response",
  created_at: 1_700_000_000,
  model,
});

const message = (content: unknown) => ({
  type: "message",
  role: "assistant",
  id: "msg_1",
  status: "completed",
  content: [content],
});

/** OpenAI's Responses API. */
export const openAiResponsesWire: Wire = {
  events: responsesEvents,
  read: (body) => spokenIn(body.input),
  reply: (reply, model) => ({
    ...frame(model),
    ...endOf(reply),
    output:
      reply.text === ""
        ? []
        : [message({ type: "output_text", text: reply.text, annotations: [] })],
    usage: usageIn(reply, ({ input, output, cached, cacheWrite, reasoning }) => ({
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + output,
    })),
  }),
  refusal: openAiError,
  breakdown: (breakdown, model) => {
    const { broken, message: said = "No.", code = "server_error" } = breakdown;
    if (broken === "error_in_200") {
      const error = { message: said, type: code, code };
      return { ...frame(model), status: "failed", error, output: [] };
    }
    if (broken === "no_answer") return { ...frame(model), status: "completed", output: [] };
    const output = [message({ type: "refusal", refusal: said })];
    return { ...frame(model), status: "completed", output };
  },
};

const endOf = ({ ending = "stop" }: Reply): object => {
  switch (ending) {
    case "stop":
      return { status: "completed" };
    case "length":
      return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    case "filter":
      return { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    case "error":
      return { status: "failed" };
    default:
      return { status: "incomplete", incomplete_details: { reason: "tired" } };
  }
};
