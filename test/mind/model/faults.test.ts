import { describe, expect, it } from "vitest";
import { writtenMessages } from "../../../src/mind/model/chat.ts";
import { chatForm, type ModelFault } from "../../../src/mind/model/model.ts";
import type { Answer } from "../../support/model-server/answer.ts";
import { faults } from "../../support/model-server/faults.ts";
import type { Provider } from "../../support/model-server/model-server.ts";
import { OTHER_LIMITS, OVERFLOW, OVERFLOWS } from "../../support/model-server/overflows.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { exchange, MODEL, PROVIDERS, sdkAt, served } from "./sdk-bench.ts";

const RETRIABLE: readonly ModelFault[] = [
  ...(["timeout", "connection", "rate_limited", "provider_error", "bad_reply", "empty"] as const),
];

/** `but`: the faults of providers that differ. */
type Case = readonly [
  name: string,
  answer: Answer,
  fault: ModelFault,
  but?: Partial<Record<Provider, ModelFault>>,
];

const JSON_TEXT = '{"kind": "none"}';
const OVERLOAD = faults.errorIn200("Slow down", "rate_limit_exceeded");
const BAD_KEY = faults.errorIn200("Incorrect API key provided", "invalid_api_key");
const BREAKDOWN = faults.errorIn200("The model broke down", "server_error");
const CUT_JSON = '{"kind": "plain", "words": "a } b';

const CASES: readonly Case[] = [
  ["401", faults.unauthorized(), "unauthorized"],
  ["402", faults.noCredit(), "no_credit"],
  ["403", faults.forbidden(), "unauthorized"],
  ["404", faults.notFound(), "bad_request"],
  ["408", faults.requestTimeout(), "timeout"],
  ["409", faults.conflict(), "provider_error"],
  ["425", faults.tooEarly(), "provider_error"],
  ["429", faults.rateLimited(), "rate_limited"],
  ["500", faults.serverError(), "provider_error"],
  ["502", faults.badGateway(), "provider_error"],
  ["503", faults.unavailable(), "provider_error"],
  ["529", faults.overloaded(), "provider_error"],
  ["an HTML page of a gateway", faults.htmlError(), "provider_error"],
  ["no quota", faults.insufficientQuota(), "no_credit"],
  ["no credit as 400", faults.lowBalance400(), "no_credit"],
  ["a bad key as 400", faults.badKey400(), "unauthorized"],
  ["a prompt that is too long", faults.contextTooLong(), "context_overflow"],
  ["a reset", faults.reset(), "connection"],
  ["a reset within the body", faults.resetMidBody(), "connection"],
  ["a reply that is not HTTP", faults.notHttp(), "bad_reply"],
  ["a reply that cannot be decompressed", faults.brokenGzip(), "bad_reply"],
  ["an HTML page with 200", faults.html(), "bad_reply"],
  ["invalid JSON", faults.invalidJson(), "bad_reply"],
  ["truncated JSON", faults.truncatedJson(), "bad_reply"],
  ["an empty body", faults.emptyBody(), "bad_reply"],
  ["other JSON", faults.otherJson(), "bad_reply", { google: "provider_error" }],
  [
    "a reply without an answer",
    faults.noAnswer(),
    "empty",
    { google: "provider_error", "openai-compatible": "bad_reply" },
  ],
  ["an error with 200", BREAKDOWN, "provider_error"],
  ["an overload with 200", OVERLOAD, "rate_limited", { google: "provider_error" }],
  ["a bad key with 200", BAD_KEY, "unauthorized", { google: "provider_error" }],
  ["a refusal", faults.refusal(), "refused"],
  ["a filtered reply", { text: "", ending: "filter" }, "refused"],
  ["a token limit used up by reasoning", { text: "", ending: "length" }, "reply_cut_off"],
  ["JSON that was cut off", { text: CUT_JSON, ending: "length" }, "reply_cut_off"],
  ["the finish reason error", { text: JSON_TEXT, ending: "error" }, "provider_error"],
  ["an unknown finish reason", { text: JSON_TEXT, ending: "unknown" }, "provider_error"],
  ["an empty answer", { text: "" }, "empty"],
  ["white space", { text: " \n " }, "empty"],
  ["token counts as text", { text: JSON_TEXT, usage: "strings" }, "bad_reply"],
];

describe.each(PROVIDERS)("a failure of %s", (provider) => {
  it.for(CASES)("is a value: %s", async ([, answer, usual, but = {}]) => {
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
