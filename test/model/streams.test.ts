import { describe, expect, it } from "vitest";
import { blocksIn, writtenMessages } from "../../src/model/port/chat.ts";
import { chatForm, type ModelRequest, type ReplyDelta } from "../../src/model/port/model.ts";
import { Tracing } from "../../src/model/sdk/tracing.ts";
import type { Answer } from "../support/model-server/answer.ts";
import { anthropicWire } from "../support/model-server/anthropic-wire.ts";
import { googleWire } from "../support/model-server/google-wire.ts";
import type { Provider } from "../support/model-server/model-server.ts";
import { openAiChatWire } from "../support/model-server/openai-chat-wire.ts";
import { openAiResponsesWire } from "../support/model-server/openai-responses-wire.ts";
import type { Wire } from "../support/model-server/wire.ts";
import { FAULT_CASES } from "./fault-cases.ts";
import { GREETING } from "./requests.ts";
import { asking, exchange, KEY, PROVIDERS, served } from "./sdk-bench.ts";
import { WHOLE_REPLIES } from "./whole-replies.ts";

const CHAT: Partial<ModelRequest> = {
  form: chatForm("tools", [{ name: "look", description: "Looks.", input: { type: "object" } }]),
  prompt: writtenMessages([{ role: "user", text: "Look." }]),
};

/** An error of the provider within a stream. */
const ERROR: { readonly [P in Provider]: object } = {
  google: { error: { code: 503, message: "The model broke down", status: "UNAVAILABLE" } },
  anthropic: { type: "error", error: { type: "api_error", message: "The model broke down" } },
  openai: {
    ...{ type: "error", sequence_number: 3, param: null },
    ...{ code: "server_error", message: "The model broke down" },
  },
  "openai-compatible": { error: { message: "The model broke down", type: "server_error" } },
};

const USAGE = { input: 9, output: 4 };
const eventsOf =
  (wire: Wire) =>
  (text: string): readonly unknown[] =>
    wire.events(wire.reply({ text, usage: USAGE }, "m"));
const EVENTS: { readonly [P in Provider]: (text: string) => readonly unknown[] } = {
  google: eventsOf(googleWire),
  anthropic: eventsOf(anthropicWire),
  openai: eventsOf(openAiResponsesWire),
  "openai-compatible": eventsOf(openAiChatWire),
};

/** Failures that have another name in a stream, because it has no reply at all. */
const UNLIKE = new Set(["google: other JSON", "google: a reply without an answer"]);

const streamed = async (provider: Provider, answer: Answer, asked: Partial<ModelRequest> = {}) => {
  const deltas: ReplyDelta[] = [];
  const onDelta = (delta: ReplyDelta): void => void deltas.push(delta);
  const { reply, server } = await exchange(provider, () => answer, {
    asked: { ...asked, onDelta },
  });
  return { reply: { ...reply, latencyMs: 0 }, deltas, server };
};

const buffered = async (provider: Provider, answer: Answer, asked: Partial<ModelRequest> = {}) => {
  const { reply } = await exchange(provider, () => answer, { asked });
  return { ...reply, latencyMs: 0 };
};

const textIn = (deltas: readonly ReplyDelta[], type: string): string =>
  deltas.map((delta) => (delta.type === type && "text" in delta ? delta.text : "")).join("");

describe.each(PROVIDERS)("a streamed reply of %s", (provider) => {
  it("has the same blocks and usage as a buffered one", async () => {
    const whole = { whole: WHOLE_REPLIES[provider] };
    const { reply, deltas } = await streamed(provider, whole, CHAT);
    expect(reply).toMatchObject({ ok: true });
    expect(reply).toEqual(await buffered(provider, whole, CHAT));
    expect(textIn(deltas, "text")).toBe("I look twice, naïvely 🙂.");
    expect(textIn(deltas, "reasoning")).toBe("The user wants two looks.");
  });

  it.for(FAULT_CASES)("is a failure: %s", async ([name, answer, usual, but = {}]) => {
    const { reply } = await streamed(provider, answer, { form: GREETING });
    const fault = UNLIKE.has(`${provider}: ${name}`) ? "bad_reply" : (but[provider] ?? usual);
    expect(reply).toMatchObject({ ok: false, fault });
  });

  it.each(["stop", "length"] as const)(
    "is the same as a buffered one that ends with %s",
    async (ending) => {
      const usage = { input: 9, output: 4, cached: 2, reasoning: 1 };
      const answer = { text: '{"kind": "none"} and so', ending, usage };
      for (const form of [null, GREETING]) {
        const { reply, deltas } = await streamed(provider, answer, { form });
        expect(reply).toMatchObject({ ok: true, text: answer.text });
        expect(reply).toEqual(await buffered(provider, answer, { form }));
        expect(deltas.length).toBeGreaterThan(1);
        expect(textIn(deltas, "text")).toBe(answer.text);
      }
    },
  );

  it("is asked for only by a call that shows it", async () => {
    const { server } = await exchange(provider, () => ({ text: "hello" }));
    const { server: other } = await streamed(provider, { text: "hello" });
    const asksIn = ({ calls }: typeof server): boolean =>
      calls.some(({ body, path }) => body.stream === true || path.includes(":stream"));
    expect([asksIn(server), asksIn(other)]).toEqual([false, true]);
  });

  it("shows calls of tools when they are complete, as the reply has them", async () => {
    const { reply, deltas } = await streamed(provider, { whole: WHOLE_REPLIES[provider] }, CHAT);
    const blocks = reply.ok ? (blocksIn(reply.text) ?? []) : [];
    const calls = blocks.flatMap(({ meta: _, ...block }) =>
      block.type === "tool_call" ? [block] : [],
    );
    expect(calls.map(({ args }) => args)).toEqual([{ at: "A" }, {}]);
    expect(deltas.filter(({ type }) => type === "tool_call")).toEqual(calls);
  });

  it("has no key, although each key comes in several events", async () => {
    const text = `my key is ${KEY}, ${KEY.slice(0, 14)} or ${btoa(KEY)} sk-test`;
    const { reply, deltas } = await streamed(provider, { text });
    expect(reply).toMatchObject({ ok: true, text: "my key is ***, *** or *** sk-test" });
    expect(textIn(deltas, "text")).toBe("my key is ***, *** or *** sk-test");
  });

  it("is a failure if an error comes within it, even if it ends well", async () => {
    const events = [...EVENTS[provider]("one two three four five")];
    const broken = [...events.slice(0, 5), ERROR[provider], ...events.slice(5)];
    const { reply, deltas } = await streamed(provider, { events: broken });
    const fault = { ok: false, fault: "provider_error", retriable: true };
    expect(reply).toMatchObject({
      ...fault,
      message: expect.stringMatching(/The model broke down$/),
    });
    expect(textIn(deltas, "text")).toMatch(/^one t/);
    expect(reply.usage).toMatchObject({ estimated: true });
    expect(reply.usage.output).toBeGreaterThan(0);
  });

  it("is a failure if it ends early", async () => {
    const events = EVENTS[provider]("one two three four five").slice(0, 5);
    const { reply } = await streamed(provider, { events });
    const message = "the stream ended before the reply was complete";
    expect(reply).toMatchObject({ ok: false, fault: "bad_reply", retriable: true, message });
  });

  it("is a failure if the connection breaks", async () => {
    const events = EVENTS[provider]("one two three four five").slice(0, 5);
    const { reply, deltas } = await streamed(provider, { events, ends: "reset" });
    expect(reply).toMatchObject({ ok: false, fault: "connection", retriable: true });
    expect(reply.usage).toMatchObject({ output: 100, estimated: true });
    expect(textIn(deltas, "text")).toMatch(/^one t/);
  });

  it("can be aborted, and shows nothing more", async () => {
    const abort = new AbortController();
    const events = EVENTS[provider]("one two three four five");
    const deltas: ReplyDelta[] = [];
    const onDelta = (delta: ReplyDelta): void => {
      deltas.push(delta);
      abort.abort();
    };
    const { ask } = await asking(provider, () => ({ events, ends: "hang" }), {
      asked: { onDelta },
    });
    expect(await ask(abort.signal)).toMatchObject({ ok: false, fault: "cancelled" });
    expect(deltas).toHaveLength(1);
  });

  it("stops after some megabytes", async () => {
    let bytes = 0;
    const chunk = new Uint8Array(256_000).fill(120);
    const pull = (controller: ReadableStreamDefaultController): void => {
      bytes += chunk.byteLength;
      controller.enqueue(chunk);
    };
    const headers = { "content-type": "text/event-stream" };
    const fetch = async (): Promise<Response> =>
      new Response(new ReadableStream({ pull }), { headers });
    const asked = { onDelta: () => {} };
    const { reply } = await exchange(provider, () => undefined, { asked, fetch });
    const message = "the reply is longer than 20 MB";
    expect(reply).toMatchObject({ fault: "bad_reply", retriable: true, message });
    expect(bytes).toBeLessThan(22_000_000);
  });
});

it("a provider that does not stream is told apart from one whose stream is empty", async () => {
  const whole = { raw: JSON.stringify(WHOLE_REPLIES["openai-compatible"]) };
  const { reply, deltas } = await streamed("openai-compatible", whole);
  expect(reply).toMatchObject({ fault: "bad_reply", usage: { estimated: true } });
  expect(deltas).toEqual([]);
});

it("only the final answer of OpenAI has the form", async () => {
  const message = (id: string, phase: string, text: string): object => ({
    ...{ type: "message", role: "assistant", id, phase, status: "completed" },
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const frame = { id: "r", object: "response", created_at: 1, model: "m", status: "completed" };
  const output = [message("a", "commentary", "I think."), message("b", "final_answer", "{}")];
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const whole = { whole: { ...frame, output, usage } };
  const { reply, deltas } = await streamed("openai", whole, { form: GREETING });
  expect(reply).toMatchObject({ ok: true, text: "{}" });
  expect(reply).toEqual(await buffered("openai", whole, { form: GREETING }));
  expect(textIn(deltas, "text")).toBe("I think.{}");
});

it("a call with telemetry is streamed too, and has the same reply and faults", async () => {
  const collector = await served(() => undefined);
  const settings = { otlp: collector.url, recordPrompts: false, run: "run", note: () => {} };
  const tracing = new Tracing(settings);
  const whole = { whole: WHOLE_REPLIES.anthropic };
  const broken = { events: [...EVENTS.anthropic("one two").slice(0, 4), ERROR.anthropic] };
  for (const answer of [whole, broken]) {
    const deltas: ReplyDelta[] = [];
    const asked = { ...CHAT, onDelta: (delta: ReplyDelta): void => void deltas.push(delta) };
    const openTracing = async (): Promise<Tracing> => tracing;
    const { reply } = await exchange("anthropic", () => answer, { asked, openTracing });
    const plain = await streamed("anthropic", answer, CHAT);
    expect({ ...reply, latencyMs: 0 }).toEqual(plain.reply);
    expect(deltas).toEqual(plain.deltas);
  }
  await tracing.close();
});
