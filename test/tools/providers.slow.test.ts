import { expect, it } from "vitest";
import { runModels } from "../support/model-run.ts";
import type { WholeReply } from "../support/model-server/answer.ts";

const ARGS = { pattern: "*" };

/** A call of `list_files`, as each provider sends it. */
const CALLS: {
  readonly [provider: string]: { readonly model: string; readonly call: WholeReply };
} = {
  google: {
    model: "google/gemini-3-flash-preview",
    call: {
      whole: {
        candidates: [
          {
            content: {
              role: "model",
              parts: [
                { functionCall: { name: "list_files", args: ARGS }, thoughtSignature: "c2lnbmVk" },
              ],
            },
            finishReason: "STOP",
          },
        ],
        usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
      },
    },
  },
  anthropic: {
    model: "anthropic/claude-haiku-4-5",
    call: {
      whole: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-haiku-4-5",
        content: [
          { type: "text", text: "I look at my files." },
          { type: "tool_use", id: "toolu_1", name: "list_files", input: ARGS },
        ],
        stop_reason: "tool_use",
        stop_sequence: null,
        usage: { input_tokens: 20, output_tokens: 5 },
      },
    },
  },
  openai: {
    model: "openai/gpt-5-mini",
    call: {
      whole: {
        id: "resp_1",
        object: "response",
        created_at: 1_700_000_000,
        status: "completed",
        model: "gpt-5-mini",
        output: [
          {
            type: "function_call",
            id: "fc_1",
            call_id: "call_1",
            name: "list_files",
            arguments: JSON.stringify(ARGS),
            status: "completed",
          },
        ],
        usage: {
          input_tokens: 20,
          output_tokens: 5,
          total_tokens: 25,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    },
  },
};

const KEYS = {
  GOOGLE_GENERATIVE_AI_API_KEY: "a-key-for-google",
  ANTHROPIC_API_KEY: "a-key-for-anthropic",
  OPENAI_API_KEY: "a-key-for-openai",
};

for (const [provider, { model, call }] of Object.entries(CALLS)) {
  it(`${provider} gets the tools, its own call and the result, also if it streams`, async () => {
    const run = (more: object) =>
      runModels({
        agents: { smith: { mind: "tools", llm_model: model } },
        script: ({ n }) => (n === 1 ? call : { text: "That is all." }),
        sets: ["run.duration_s=4"],
        env: KEYS,
        ...more,
      });
    const buffered = await run({});
    expect(buffered.of("thought_failed")).toEqual([]);
    const [first, second] = buffered.served.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('"try_program"');
    expect(second).toContain('"list_files"');
    expect(second).toContain('"pattern":"*"'.replaceAll('"', provider === "openai" ? '\\"' : '"'));
    expect(second).toContain("no files");
    if (provider === "google") expect(second).toContain('"thoughtSignature":"c2lnbmVk"');

    const streamed = await run({ onMindEvent: () => {} });
    const sent = ({ served }: typeof buffered) =>
      served.map(({ body: { stream: _, ...body } }) =>
        // Google's package draws the id of a call that has none.
        JSON.stringify(body).replaceAll(/"id":"[A-Za-z0-9]{16}"/g, ""),
      );
    expect(streamed.of("thought_failed")).toEqual([]);
    expect(sent(streamed)).toEqual(sent(buffered));
  });
}
