import { asSchema } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { REPLY_FORMS } from "../../src/mind/index.ts";
import { NO_TOKENS, type ReplyForm } from "../../src/model/port/model.ts";
import { worstCase } from "../../src/model/port/usage.ts";
import type { ServedUsage } from "../support/model-server/answer.ts";
import { faults } from "../support/model-server/faults.ts";
import type { Script } from "../support/model-server/model-server.ts";
import { GREETING, request } from "./requests.ts";
import { asking, exchange, KEY, MODEL, PROVIDERS } from "./sdk-bench.ts";

/** Replies that the caller can still parse or repair. */
const ODD_REPLIES: readonly (readonly [what: string, text: string])[] = [
  ["prose around the JSON", 'Sure! Here it is: {"kind": "none"} Good luck.'],
  ["code fences", '```json\n{"kind": "none"}\n```'],
  ["JSON of another form", '{"colour": "green"}'],
  ["two objects", '{"kind": "none"} {"kind": "none"}'],
  ["a trailing comma", '{"kind": "none",}'],
  ["an array", "[1, 2]"],
  ["null", "null"],
  ["JSON in a string", '"{}"'],
  ["a key that names the prototype", '{"__proto__": {"kind": "none"}}'],
  ["a byte-order mark", '\uFEFF{"kind": "none"}'],
];

describe.each(PROVIDERS)("an answer of %s", (provider) => {
  it.each(ODD_REPLIES)("is passed on unchanged with %s", async (_what, text) => {
    const script = () => ({ text, usage: { input: 7, output: 3 } });
    const { reply } = await exchange(provider, script, { asked: { form: GREETING } });
    const usage = { input: 7, output: 3, estimated: false };
    expect(reply).toMatchObject({ ok: true, text, usage });
  });

  it("counts if it was cut off after complete JSON", async () => {
    const text = '{"kind": "plain", "words": "a } \\" b"} and so';
    const script = () => ({ text, ending: "length" as const });
    const { reply } = await exchange(provider, script, { asked: { form: GREETING } });
    expect(reply).toMatchObject({ ok: true, text });
  });

  it("names the cure if it was cut off, also after braces in the prose before it", async () => {
    const cut = '{"kind": "plain", "words": {"a": 1}';
    const message = /^the reply was cut off at its limit of 50 tokens \(.+\); raise max_tokens$/;
    const fault = { ok: false, fault: "reply_cut_off", message: expect.stringMatching(message) };
    const asked = { form: GREETING, maxTokens: 50 };
    for (const text of ["I would say", cut, `Of {all} words, or {}: ${cut}`]) {
      const { reply } = await exchange(provider, () => ({ text, ending: "length" }), { asked });
      expect(reply).toMatchObject(fault);
    }
  });

  it("was cut off if it ends at its limit within JSON, whatever the server says", async () => {
    const ask = async (output: number) => {
      const script = () => ({ text: '{"kind": "pla', usage: { input: 7, output } });
      const asked = { form: GREETING, maxTokens: 50 };
      return (await exchange(provider, script, { asked })).reply;
    };
    expect(await ask(50)).toMatchObject({ ok: false, fault: "reply_cut_off" });
    expect(await ask(49)).toMatchObject({ ok: true });
  });

  it("counts if it was cut off and no form was requested", async () => {
    const { reply } = await exchange(provider, () => ({ text: "once", ending: "length" }));
    expect(reply).toMatchObject({ ok: true, text: "once" });
  });

  it("follows a request with system text, prompt, key, temperature and limits", async () => {
    const asked = { temperature: 0.5, maxTokens: 123 };
    const { server } = await exchange(provider, () => ({ text: "hello" }), { asked });
    const { system, prompt } = request();
    const model = MODEL[provider].slice(provider.length + 1);
    expect(server.calls).toMatchObject([{ provider, model, system, prompt, key: KEY }]);
    const sent = JSON.stringify(server.calls[0]?.body);
    expect(sent).toContain("0.5");
    expect(sent).toContain("123");
  });
});

it("OpenAI is told not to store answers", async () => {
  const { server } = await exchange("openai", () => ({ text: "hello" }));
  expect(server.calls).toMatchObject([{ path: "/openai/v1/responses", body: { store: false } }]);
});

it("a request without a key has no key header", async () => {
  const { server } = await exchange("openai-compatible", () => undefined, { key: null });
  expect(server.calls[0]?.headers.authorization).toBeUndefined();
});

it("an answer longer than its tokens can be is rejected", async () => {
  const ask = (maxTokens: number) =>
    exchange("openai-compatible", () => ({ text: "x".repeat(20_000) }), { asked: { maxTokens } });
  const message = "the answer has more text than 100 tokens can hold";
  expect((await ask(100)).reply).toMatchObject({ fault: "bad_reply", message });
  expect((await ask(1_000)).reply).toMatchObject({ ok: true });
});

describe("the usage of a call", () => {
  const counts = { input: 1_000, cached: 400, output: 300, reasoning: 200 };
  const long = { prompt: "market day ".repeat(100), maxTokens: 300 };

  it.each(PROVIDERS)("has the cached and reasoning tokens of %s", async (provider) => {
    const script = () => ({ text: "hello", usage: counts });
    const { reply } = await exchange(provider, script, { asked: long });
    const { input, cached: cachedInput, output, reasoning } = counts;
    const read = { input, cachedInput, cacheWrite: 0, output, reasoning };
    expect(reply.usage).toEqual({ ...read, estimated: false });
  });

  it.each(PROVIDERS)("includes useless replies of %s", async (provider) => {
    const script = () => ({ text: "", ending: "length" as const, usage: counts });
    const { reply } = await exchange(provider, script, { asked: long });
    expect(reply).toMatchObject({ ok: false, fault: "reply_cut_off", usage: { input: 1_000 } });
  });

  const MUTE = ["google", "openai", "openai-compatible"] as const;
  it.each(MUTE)("is estimated if %s reports none", async (provider) => {
    const script = () => ({ text: "four words of text", usage: "none" as const });
    const asked = { system: "", prompt: "x".repeat(35) };
    const { reply } = await exchange(provider, script, { asked });
    // 36 units of input with the line between system and prompt, 18 of output; 3.6 to a token.
    expect(reply.usage).toMatchObject({ input: 10, output: 5, estimated: true });
  });

  it("is required by the protocol of Anthropic", async () => {
    const { reply } = await exchange("anthropic", () => ({ text: "hello", usage: "none" }));
    expect(reply).toMatchObject({ ok: false, fault: "bad_reply" });
  });

  const counting = async (usage: ServedUsage, text = "four words of text") => {
    const { reply } = await exchange("openai-compatible", () => ({ text, usage }));
    return reply.usage;
  };

  it.each([-5, 0, 1.5, 1e300])("is estimated for the count %d", async (count) => {
    const usage = await counting({ input: count, output: count });
    expect(usage).toMatchObject({ input: 33, output: 5, estimated: true });
  });

  it("is estimated if the input counts as 0 for an empty answer", async () => {
    const usage = await counting({ input: 0, output: 0 }, "");
    expect(usage).toMatchObject({ input: 33, output: 0, estimated: true });
  });

  it.each([401, 10_000_000, 9e15])("is the worst case for the count %d", async (count) => {
    const usage = await counting({ input: count, cached: count, output: count });
    const { input, output } = worstCase(request());
    const none = { cachedInput: 0, cacheWrite: 0, reasoning: 0 };
    expect(usage).toEqual({ input, output, ...none, estimated: true });
  });

  it("is estimated if the reply is unreadable", async () => {
    const asked = { prompt: "x".repeat(360), system: "" };
    const { reply } = await exchange("openai-compatible", () => faults.invalidJson(), { asked });
    expect(reply).toMatchObject({ fault: "bad_reply", usage: { input: 100, estimated: true } });
  });

  const EARLY = [faults.badGateway(), faults.notFound(), faults.reset()];
  it.each(EARLY)("is zero if nothing was generated: %j", async (fault) => {
    const { reply } = await exchange("openai-compatible", () => fault);
    expect(reply.usage).toEqual(NO_TOKENS);
  });
});

describe("the form of a request", () => {
  const bodyFor = async (provider: (typeof PROVIDERS)[number]): Promise<string> => {
    const { server } = await exchange(provider, () => undefined, { asked: { form: GREETING } });
    return JSON.stringify(server.calls[0]?.body);
  };

  it("has unions for Google and Anthropic", async () => {
    expect(await bodyFor("google")).toContain('"oneOf"');
    expect(await bodyFor("anthropic")).toContain('"anyOf"');
  });

  it.each(["openai", "openai-compatible"] as const)("is flat and strict for %s", async (name) => {
    const body = await bodyFor(name);
    expect(body).not.toContain('"oneOf"');
    expect(body).toContain('"strict":true');
    expect(body).toContain('"required":["kind","words"]');
  });

  it.each(PROVIDERS)("is described for %s without structured outputs", async (provider) => {
    const options = { settings: { structured_outputs: false }, asked: { form: GREETING } };
    const { server } = await exchange(provider, () => undefined, options);
    const [call] = server.calls;
    expect(call?.system).toContain(GREETING.described);
    expect(call?.system).toContain("JSON");
    expect(JSON.stringify(call?.body)).not.toContain("discriminator");
    const isCompatible = provider === "openai-compatible";
    expect(call?.body.response_format).toEqual(isCompatible ? { type: "json_object" } : undefined);
  });
});

describe("the schema for Google", () => {
  const sent = async (form: ReplyForm): Promise<unknown> => {
    const { server, ask } = await asking("google", () => undefined, { asked: { form } });
    await Promise.all([ask(), ask()]);
    const schemas = server.calls.map(({ body }) =>
      z.looseObject({ responseJsonSchema: z.unknown() }).parse(body.generationConfig),
    );
    expect(schemas[1]).toEqual(schemas[0]);
    return schemas[0]?.responseJsonSchema;
  };

  it("is complete and unchanged", async () => {
    const form = REPLY_FORMS.simple;
    expect(await sent(form)).toEqual(await asSchema(form.rich).jsonSchema);
  });

  it("has a list of one value instead of a constant, which Google refuses", async () => {
    const schema = JSON.stringify(await sent(GREETING));
    expect(schema).toContain('"enum":["plain"]');
    expect(schema).not.toContain('"const"');
  });
});

describe("a provider that refuses the form", () => {
  it.each([
    ["google", 3],
    ["anthropic", 3],
    ["openai", 2],
    ["openai-compatible", 3],
  ] as const)("is asked in simpler forms: %s in %i requests", async (provider, requests) => {
    const FORMS = /"(responseJsonSchema|output_config|tools|format|response_format)"/;
    const isPlain = ({ body }: { body: object }) => !FORMS.test(JSON.stringify(body));
    const script: Script = (call) => (isPlain(call) ? { text: "{}" } : faults.badSchema());
    const { server, ask } = await asking(provider, script, { asked: { form: GREETING } });
    for (let n = 1; n < requests; n += 1) {
      expect(await ask()).toMatchObject({ ok: false, fault: "bad_request", retriable: true });
    }
    expect(await ask()).toMatchObject({ ok: true, text: "{}" });
    expect(server.calls.at(-1)?.system).toContain(GREETING.described);
    expect(await ask()).toMatchObject({ ok: true });
    expect(server.calls).toHaveLength(requests + 1);
  });

  it("moves concurrent calls to the next form together", async () => {
    const script: Script = ({ body }) =>
      JSON.stringify(body).includes("json_schema") ? faults.badSchema() : { text: "{}" };
    const options = { asked: { form: GREETING } };
    const { server, ask } = await asking("openai-compatible", script, options);
    await Promise.all([ask(), ask(), ask(), ask(), ask()]);
    expect(await ask()).toMatchObject({ ok: true });
    expect(server.calls.at(-1)?.body.response_format).toEqual({ type: "json_object" });
  });

  it("keeps its form if it refuses something else", async () => {
    const options = { asked: { form: GREETING } };
    const { server, ask } = await asking("openai", () => faults.contextTooLong(), options);
    const refusal = { ok: false, retriable: false };
    expect([await ask(), await ask()]).toMatchObject([refusal, refusal]);
    expect(JSON.stringify(server.calls[1]?.body)).toContain("json_schema");
  });
});
