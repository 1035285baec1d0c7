import type { Breakdown, Ending, Refusal, Reply } from "./answer.ts";
import { chatEvents } from "./event-streams.ts";
import { spokenIn, usageIn, type Wire } from "./wire.ts";

const FINISH: { readonly [E in Ending]: string | null } = {
  stop: "stop",
  length: "length",
  filter: "content_filter",
  error: "error",
  unknown: "tired",
  missing: null,
};

const ID = { id: "chatcmpl-1", object: "chat.completion", created: 1_700_000_000 };

export const openAiError = ({ message = "error", code }: Refusal | Breakdown): unknown => ({
  error: { message, type: code ?? "error", code: code ?? null, param: null },
});

/** OpenAI's chat completions, and all compatible providers. */
export const openAiChatWire: Wire = {
  events: chatEvents,
  read: (body) => spokenIn(body.messages),
  reply: (reply, model) => ({
    ...ID,
    model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: reply.text },
        finish_reason: FINISH[reply.ending ?? "stop"],
      },
    ],
    usage: usageOf(reply),
  }),
  refusal: openAiError,
  breakdown: (breakdown, model) => {
    if (breakdown.broken === "error_in_200") return openAiError(breakdown);
    if (breakdown.broken === "no_answer") return { ...ID, model, choices: [] };
    const message = { role: "assistant", content: null, refusal: breakdown.message ?? "No." };
    return { ...ID, model, choices: [{ index: 0, message, finish_reason: "content_filter" }] };
  },
};

const usageOf = (reply: Reply): unknown =>
  usageIn(reply, ({ input, output, cached, reasoning }) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }));
