import type { Breakdown, Ending, Refusal, Reply } from "./answer.ts";
import { anthropicEvents } from "./event-streams.ts";
import { type Body, spokenIn, textOf, usageIn, type Wire } from "./wire.ts";

const STOP: { readonly [E in Ending]: string | null } = {
  stop: "end_turn",
  length: "max_tokens",
  filter: "refusal",
  error: "error",
  unknown: "tired",
  missing: null,
};

const frame = (model: string) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model,
  stop_sequence: null,
});

const NO_USAGE = { input_tokens: 10, output_tokens: 0 };

export const anthropicWire: Wire = {
  events: anthropicEvents,
  read: (body: Body) => ({ system: textOf(body.system), prompt: spokenIn(body.messages).prompt }),
  reply: (reply, model) => ({
    ...frame(model),
    content: reply.text === "" ? [] : [{ type: "text", text: reply.text }],
    stop_reason: STOP[reply.ending ?? "stop"],
    usage: usageOf(reply),
  }),
  refusal: (refusal) => errorOf(refusal),
  breakdown: (breakdown, model) => {
    if (breakdown.broken === "error_in_200") return errorOf(breakdown);
    const stop_reason = breakdown.broken === "refusal" ? "refusal" : "end_turn";
    return { ...frame(model), content: [], stop_reason, usage: NO_USAGE };
  },
};

const errorOf = ({ message = "error", code = "api_error" }: Refusal | Breakdown): unknown => ({
  type: "error",
  error: { type: code, message },
});

/** Anthropic's count of input tokens includes neither cache count. */
const usageOf = (reply: Reply): unknown =>
  usageIn(reply, ({ input, output, cached, cacheWrite, reasoning }) => ({
    input_tokens: input - cached - cacheWrite,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  }));
