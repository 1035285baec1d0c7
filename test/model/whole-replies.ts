import type { Provider } from "../support/model-server/model-server.ts";

/** A reply of each provider that reasons, says a text, and calls two tools. */
export const WHOLE_REPLIES: { readonly [P in Provider]: unknown } = {
  google: {
    candidates: [
      {
        index: 0,
        content: {
          role: "model",
          parts: [
            { text: "The user wants two looks.", thought: true },
            { text: "I look twice, naïvely 🙂.", thoughtSignature: "c2lnbmVk" },
            {
              functionCall: { id: "c1", name: "look", args: { at: "A" } },
              thoughtSignature: "eA==",
            },
            { functionCall: { id: "c2", name: "look", args: {} } },
          ],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 9, thoughtsTokenCount: 4 },
  },
  anthropic: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [
      { type: "thinking", thinking: "The user wants two looks.", signature: "c2lnbmVk" },
      { type: "redacted_thinking", data: "aGlkZGVu" },
      { type: "text", text: "I look twice, naïvely 🙂." },
      { type: "tool_use", id: "toolu_1", name: "look", input: { at: "A" } },
      { type: "tool_use", id: "toolu_2", name: "look", input: {} },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 9, cache_read_input_tokens: 3 },
  },
  openai: {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    status: "completed",
    model: "gpt-4.1-mini",
    output: [
      {
        type: "reasoning",
        id: "rs_1",
        encrypted_content: "aGlkZGVu",
        summary: [{ type: "summary_text", text: "The user wants two looks." }],
      },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        status: "completed",
        content: [{ type: "output_text", text: "I look twice, naïvely 🙂.", annotations: [] }],
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "look",
        arguments: '{"at":"A"}',
        status: "completed",
      },
      {
        type: "function_call",
        id: "fc_2",
        call_id: "call_2",
        name: "look",
        arguments: "{}",
        status: "completed",
      },
    ],
    usage: {
      input_tokens: 20,
      output_tokens: 9,
      total_tokens: 29,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 4 },
    },
  },
  "openai-compatible": {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "meta/llama-3",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          reasoning_content: "The user wants two looks.",
          content: "I look twice, naïvely 🙂.",
          tool_calls: [
            { id: "c1", type: "function", function: { name: "look", arguments: '{"at":"A"}' } },
            { id: "c2", type: "function", function: { name: "look", arguments: "{}" } },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
  },
};
