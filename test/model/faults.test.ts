import { describe, expect, it } from "vitest";
import { writtenMessages } from "../../src/model/port/chat.ts";
import { chatForm, type ModelFault } from "../../src/model/port/model.ts";
import type { Answer } from "../support/model-server/answer.ts";
import { faults } from "../support/model-server/faults.ts";
import { OTHER_LIMITS, OVERFLOW, OVERFLOWS } from "../support/model-server/overflows.ts";
import { FAULT_CASES } from "./fault-cases.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { exchange, MODEL, PROVIDERS, sdkAt, served } from "./sdk-bench.ts";

const RETRIABLE: readonly ModelFault[] = [
  ...(["timeout", "connection", "rate_limited", "provider_error", "bad_reply", "empty"] as const),
];

describe.each(PROVIDERS)("a failure of %s", (provider) => {
  it.for(FAULT_CASES)("is a value: %s", async ([, answer, usual, but = {}]) => {
    const { reply, server } = await exchange(provider, () => answer, { asked: { form: GREETING } });
    const fault = but[provider] ?? usual;
    const retriable = RETRIABLE.includes(fault);
    expect(reply).toMatchObject({ ok: false, fault, retriable, servedBy: MODEL[provider] });
    expect(server.calls).toHaveLength(1);
  });

  const askAt = (baseUrl: () => string) => {
    const model = sdkAt({ provider, server: { baseUrl } });
    return model.ask(request({ model: MODEL[provider] }), NEVER);
  };

  it("is a value: a port without a server", async () => {
    const server = await served(() => undefined);
    await server.close();
    const refused = { fault: "connection", message: "cannot connect (ECONNREFUSED)" };
    const reply = await askAt(() => server.baseUrl(provider));
    expect(reply).toMatchObject({ ok: false, retriable: true, ...refused });
  });

  it.each([
    [faults.reset(), "the connection closed before a reply (UND_ERR_SOCKET)"],
    [faults.notHttp(), "the reply is not valid HTTP"],
    [faults.brokenGzip(), "the reply cannot be decompressed (Z_DATA_ERROR)"],
  ])("names what broke: %j", async (answer, message) => {
    const { reply } = await exchange(provider, () => answer);
    expect(reply).toMatchObject({ ok: false, message });
  });

  it("is a value: a port that fetch refuses", async () => {
    const reply = await askAt(() => "http://127.0.0.1:1/v1");
    expect(reply).toMatchObject({ ok: false, fault: "bad_request", retriable: false });
  });
});

describe("a prompt that does not fit in the context window", () => {
  const overflow = { ok: false, fault: "context_overflow", retriable: false };
  it.each(PROVIDERS)("is a fault with a name, in the words of %s", async (provider) => {
    const { reply } = await exchange(provider, () => OVERFLOW[provider]);
    expect(reply).toMatchObject({ ...overflow, usage: { input: 0, output: 0 } });
  });

  it.each(OVERFLOWS)("is a fault with a name: %s", async (_name, answer) => {
    const { reply } = await exchange("openai-compatible", () => answer);
    expect(reply).toMatchObject(overflow);
  });

  it.each(OTHER_LIMITS)("is another fault than %s", async (_name, answer, fault) => {
    const { reply } = await exchange("openai-compatible", () => answer);
    expect(reply).toMatchObject({ ok: false, fault });
  });

  it("is the fault of a reply that fills the window before it is complete", async () => {
    const full = {
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5",
      id: "msg_1",
      content: [],
      stop_reason: "model_context_window_exceeded",
      usage: { input_tokens: 9, output_tokens: 1 },
    };
    const { reply } = await exchange("anthropic", () => ({ raw: JSON.stringify(full) }));
    expect(reply).toMatchObject({ ...overflow, usage: { input: 9, output: 1 } });
  });
});

describe("a reply in a conversation with tools", () => {
  const asked = {
    form: chatForm("tools", [{ name: "look", description: "Looks.", input: { type: "object" } }]),
    prompt: writtenMessages([{ role: "user", text: "Look." }]),
  };

  it.each(["stop", "tool_calls"])("that says nothing is retried: %s", async (finish) => {
    const choice = { index: 0, message: { role: "assistant", content: "" }, finish_reason: finish };
    const body = { id: "x", created: 1, model: "tiny", choices: [choice] };
    const raw = JSON.stringify(body);
    const { reply } = await exchange("openai-compatible", () => ({ raw }), { asked });
    expect(reply).toMatchObject({ ok: false, fault: "empty", retriable: true });
  });

  it("that ends with an error is a fault, although it has a text", async () => {
    const broken: Answer = { text: "I look.", ending: "error" };
    const { reply } = await exchange("openai-compatible", () => broken, { asked });
    expect(reply).toMatchObject({ ok: false, fault: "provider_error", retriable: true });
  });
});

/** The provider's clock differs from ours. */
const AS_DATE = {
  date: "Wed, 21 Oct 2015 07:28:00 GMT",
  "retry-after": "Wed, 21 Oct 2015 07:28:45 GMT",
};

const WAITS: readonly (readonly [header: string, Answer, retryAfterMs: number | null])[] = [
  ["no wait", faults.rateLimited(), null],
  ["seconds", faults.rateLimited("7"), 7_000],
  ["more than a minute", faults.rateLimited("120"), 120_000],
  ["milliseconds", faults.rateLimitedMs(1_500), 1_500],
  ["a malformed wait", faults.rateLimited("soon"), null],
  ["a past date", faults.rateLimited("Wed, 21 Oct 2015 07:28:00 GMT"), 0],
  ["a date", { status: 429, headers: AS_DATE }, 45_000],
  ["a year", faults.rateLimited("31536000"), 86_400_000],
  ["a 503", { status: 503, headers: { "retry-after": "3" } }, 3_000],
];

describe.each(PROVIDERS)("the wait that %s requests", (provider) => {
  it.each(WAITS)("is read from a reply with %s", async (_header, answer, retryAfterMs) => {
    const { reply } = await exchange(provider, () => answer);
    expect(reply).toMatchObject({ ok: false, retriable: true, retryAfterMs });
  });
});

it("the wait that Google requests is read from the body", async () => {
  const { reply } = await exchange("google", () => faults.rateLimitedWithRetryInfo("37.5s"));
  expect(reply).toMatchObject({ fault: "rate_limited", retriable: true, retryAfterMs: 37_500 });
});

it("the status of a reply of the Responses API can be a failure without an error", async () => {
  const { reply } = await exchange("openai", () => ({ text: "half", ending: "error" }));
  expect(reply).toMatchObject({ fault: "provider_error", retriable: true });
});
