import { asSchema } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NO_TOKENS, type ReplyForm } from "../../../src/mind/model/model.ts";
import { worstCase } from "../../../src/mind/model/usage.ts";
import { REPLY_FORMS } from "../../../src/mind/reply/reply-form.ts";
import type { Answer, Reply, ServedUsage } from "../../support/model-server/answer.ts";
import { faults } from "../../support/model-server/faults.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { KEY, MODEL, PROVIDERS, served, speaking } from "./speaking.ts";

/** Replies that are no JSON or do not fit; whoever asked can read or mend them. */
const ODD_REPLIES: readonly (readonly [what: string, text: string])[] = [
  ["prose around the JSON", 'Sure! Here it is: {"kind": "none"} Good luck.'],
  ["fences", '```json\n{"kind": "none"}\n```'],
  ["JSON of another form", '{"colour": "green"}'],
  ["two objects", '{"kind": "none"} {"kind": "none"}'],
  ["a trailing comma", '{"kind": "none",}'],
  ["an array", "[1, 2]"],
  ["null", "null"],
  ["JSON in a string", '"{}"'],
  ["a key that names the prototype", '{"__proto__": {"kind": "none"}}'],
  ["a byte-order mark", '\uFEFF{"kind": "none"}'],
];

describe.each(PROVIDERS)("what %s answers comes through as it is", (provider) => {
  const ask = async (reply: Reply) => {
    const server = await served(() => reply);
    const asking = request({ model: MODEL[provider], form: GREETING });
    return speaking({ provider, server }).ask(asking, NEVER);
  };

  it.each(ODD_REPLIES)("%s", async (_what, text) => {
    expect(await ask({ text, usage: { input: 7, output: 3 } })).toMatchObject({
      ok: true,
      text,
      usage: { input: 7, output: 3, estimated: false },
    });
  });

  it("whole JSON in a reply that was cut off behind it", async () => {
    const text = '{"kind": "plain", "words": "a } \\" b"} and so';
    expect(await ask({ text, ending: "length" })).toMatchObject({ ok: true, text });
  });

  it("text that was cut off, where any text will do", async () => {
    const server = await served(() => ({ text: "once upon a", ending: "length" }));
    const asking = request({ model: MODEL[provider] });
    const reply = await speaking({ provider, server }).ask(asking, NEVER);
    expect(reply).toMatchObject({ ok: true, text: "once upon a" });
  });

  it("system, prompt, key, temperature and bounds reach it", async () => {
    const server = await served(() => ({ text: "hello" }));
    const asking = request({ model: MODEL[provider], temperature: 0.5, maxTokens: 123 });
    await speaking({ provider, server }).ask(asking, NEVER);
    const [call] = server.calls;
    expect(call).toMatchObject({
      provider,
      model: MODEL[provider].slice(provider.length + 1),
      system: asking.system,
      prompt: asking.prompt,
      key: KEY,
    });
    const sent = JSON.stringify(call?.body);
    expect(sent).toContain("0.5");
    expect(sent).toContain("123");
  });
});

it("an answer is not kept at OpenAI", async () => {
  const server = await served(() => ({ text: "hello" }));
  const asking = request({ model: MODEL.openai });
  await speaking({ provider: "openai", server }).ask(asking, NEVER);
  expect(server.calls[0]?.path).toBe("/openai/v1/responses");
  expect(server.calls[0]?.body.store).toBe(false);
});

it("no key is sent where there is none", async () => {
  const server = await served(() => ({ text: "hello" }));
  await speaking({ provider: "openai-compatible", server, key: null }).ask(request(), NEVER);
  expect(server.calls[0]?.headers.authorization).toBeUndefined();
});

describe("usage is what the provider says", () => {
  const served_ = { input: 1_000, cached: 400, output: 300, reasoning: 200 };
  const long = { prompt: "market day ".repeat(100), maxTokens: 300 };

  it.each(PROVIDERS)("%s: cached and reasoning tokens are told apart", async (provider) => {
    const server = await served(() => ({ text: "hello", usage: served_ }));
    const asking = request({ model: MODEL[provider], ...long });
    const reply = await speaking({ provider, server }).ask(asking, NEVER);
    expect(reply.usage).toEqual({
      input: 1_000,
      cachedInput: 400,
      output: 300,
      reasoning: 200,
      estimated: false,
    });
  });

  it.each(PROVIDERS)("%s: tokens of a reply without use are counted too", async (provider) => {
    const answer: Answer = { text: "", ending: "length", usage: served_ };
    const server = await served(() => answer);
    const asking = request({ model: MODEL[provider], ...long });
    const reply = await speaking({ provider, server }).ask(asking, NEVER);
    expect(reply).toMatchObject({ ok: false, fault: "cut_off", usage: { input: 1_000 } });
  });

  it.each(["google", "openai", "openai-compatible"] as const)(
    "%s: what is not said is estimated from the texts",
    async (provider) => {
      const server = await served(() => ({ text: "four words of text", usage: "none" }));
      const asking = request({ model: MODEL[provider], system: "", prompt: "x".repeat(35) });
      const reply = await speaking({ provider, server }).ask(asking, NEVER);
      // 36 units of input with the line between system and prompt, 18 of output; 3.6 to a token.
      expect(reply.usage).toMatchObject({ input: 10, output: 5, estimated: true });
    },
  );

  it("Anthropic without counts breaks its protocol", async () => {
    const server = await served(() => ({ text: "hello", usage: "none" }));
    const asking = request({ model: MODEL.anthropic });
    const reply = await speaking({ provider: "anthropic", server }).ask(asking, NEVER);
    expect(reply).toMatchObject({ ok: false, fault: "bad_reply" });
  });

  const counting = async (usage: ServedUsage, text = "four words of text") => {
    const server = await served(() => ({ text, usage }));
    return speaking({ provider: "openai-compatible", server }).ask(request(), NEVER);
  };

  it.each([-5, 0, 1.5, 1e300])("a count of %d is not believed", async (count) => {
    const { usage } = await counting({ input: count, output: count });
    expect(usage).toMatchObject({ input: 33, output: 5, estimated: true });
  });

  it.each([401, 10_000_000, 9e15])("%d counts as the most that it can be", async (count) => {
    const { usage } = await counting({ input: count, cached: count, output: count });
    const { input, output } = worstCase(request());
    expect(usage).toEqual({ input, cachedInput: 0, output, reasoning: 0, estimated: true });
  });

  it("none for a question that was answered with nothing is not believed either", async () => {
    const { usage } = await counting({ input: 0, output: 0 }, "");
    expect(usage).toMatchObject({ input: 33, output: 0, estimated: true });
  });

  it("is a guess where the reply cannot be read", async () => {
    const server = await served(() => faults.invalidJson());
    const asking = request({ prompt: "x".repeat(360), system: "" });
    const reply = await speaking({ provider: "openai-compatible", server }).ask(asking, NEVER);
    expect(reply).toMatchObject({ fault: "bad_reply", usage: { input: 100, estimated: true } });
  });

  it.each([faults.badGateway(), faults.notFound(), faults.reset()])(
    "is nothing where none was written: %j",
    async (answer) => {
      const server = await served(() => answer);
      const reply = await speaking({ provider: "openai-compatible", server }).ask(request(), NEVER);
      expect(reply.usage).toEqual(NO_TOKENS);
    },
  );
});

it("an answer longer than its tokens can be is not taken", async () => {
  const server = await served(() => ({ text: "x".repeat(20_000) }));
  const ask = (maxTokens: number) =>
    speaking({ provider: "openai-compatible", server }).ask(request({ maxTokens }), NEVER);
  expect(await ask(100)).toMatchObject({
    fault: "bad_reply",
    message: "the answer is longer than 100 tokens can be",
  });
  expect(await ask(1_000)).toMatchObject({ ok: true });
});

describe("a form is told as the provider takes it", () => {
  const bodyFor = async (provider: (typeof PROVIDERS)[number], structured_outputs: boolean) => {
    const server = await served(() => ({ text: "{}" }));
    const model = speaking({ provider, server, settings: { structured_outputs } });
    await model.ask(request({ model: MODEL[provider], form: GREETING }), NEVER);
    return server.calls[0]?.body;
  };

  it("Google and Anthropic get unions", async () => {
    expect(JSON.stringify(await bodyFor("google", true))).toContain('"oneOf"');
    expect(JSON.stringify(await bodyFor("anthropic", true))).toContain('"anyOf"');
  });

  it("OpenAI and its like get one flat object, in strict mode", async () => {
    for (const provider of ["openai", "openai-compatible"] as const) {
      const body = JSON.stringify(await bodyFor(provider, true));
      expect(body).not.toContain('"oneOf"');
      expect(body).toContain('"strict":true');
      expect(body).toContain('"required":["kind","words"]');
    }
  });

  it.each(PROVIDERS)("%s without structured outputs gets words", async (provider) => {
    const server = await served(() => ({ text: "{}" }));
    const settings = { structured_outputs: false };
    const asking = request({ model: MODEL[provider], form: GREETING });
    await speaking({ provider, server, settings }).ask(asking, NEVER);
    expect(server.calls[0]?.system).toContain(GREETING.described);
    expect(server.calls[0]?.system).toContain("JSON");
    expect(JSON.stringify(server.calls[0]?.body)).not.toContain("discriminator");
    const isCompatible = provider === "openai-compatible";
    const format = server.calls[0]?.body.response_format;
    expect(format).toEqual(isCompatible ? { type: "json_object" } : undefined);
  });
});

describe("Google is sent the whole schema of a form", () => {
  const sent = async (form: ReplyForm): Promise<unknown> => {
    const server = await served(() => ({ text: "{}" }));
    const model = speaking({ provider: "google", server });
    const asking = request({ model: MODEL.google, form });
    await Promise.all([model.ask(asking, NEVER), model.ask(asking, NEVER)]);
    const schemas = server.calls.map(({ body }) =>
      z.looseObject({ responseJsonSchema: z.unknown() }).parse(body.generationConfig),
    );
    expect(schemas[1]).toEqual(schemas[0]);
    return schemas[0]?.responseJsonSchema;
  };

  it("as it is", async () => {
    const form = REPLY_FORMS.simple;
    expect(await sent(form)).toEqual(await asSchema(form.rich).jsonSchema);
  });

  it("with a list of one for each constant, which it does not take", async () => {
    const schema = JSON.stringify(await sent(GREETING));
    expect(schema).toContain('"enum":["plain"]');
    expect(schema).not.toContain('"const"');
  });
});

describe("a provider that refuses the form is asked for less", () => {
  it.each([
    ["google", 3],
    ["anthropic", 3],
    ["openai", 2],
    ["openai-compatible", 3],
  ] as const)("%s, down to words alone, in %i requests", async (provider, requests) => {
    const isPlain = ({ body }: { body: object }): boolean =>
      !/"(responseJsonSchema|output_config|tools|format|response_format)"/.test(
        JSON.stringify(body),
      );
    const server = await served((call) => (isPlain(call) ? { text: "{}" } : faults.badSchema()));
    const model = speaking({ provider, server });
    const asking = request({ model: MODEL[provider], form: GREETING });
    for (let n = 1; n < requests; n += 1) {
      const refusal = await model.ask(asking, NEVER);
      expect(refusal).toMatchObject({ ok: false, fault: "bad_request", retriable: true });
    }
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true, text: "{}" });
    expect(server.calls.at(-1)?.system).toContain(GREETING.described);
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true });
    expect(server.calls).toHaveLength(requests + 1);
  });

  it("and many calls at once learn it together", async () => {
    const server = await served(({ body }) =>
      JSON.stringify(body).includes("json_schema") ? faults.badSchema() : { text: "{}" },
    );
    const model = speaking({ provider: "openai-compatible", server });
    const asking = request({ model: MODEL["openai-compatible"], form: GREETING });
    await Promise.all(Array.from({ length: 5 }, () => model.ask(asking, NEVER)));
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true });
    expect(server.calls.at(-1)?.body.response_format).toEqual({ type: "json_object" });
  });

  it("but not one that refuses something else", async () => {
    const server = await served(() => faults.contextTooLong());
    const model = speaking({ provider: "openai", server });
    const asking = request({ model: MODEL.openai, form: GREETING });
    for (const _ of [1, 2]) {
      expect(await model.ask(asking, NEVER)).toMatchObject({ ok: false, retriable: false });
    }
    expect(JSON.stringify(server.calls[1]?.body)).toContain("json_schema");
  });
});
