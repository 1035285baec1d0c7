import { describe, expect, it } from "vitest";
import type { Model } from "../../../src/mind/model/model.ts";
import { scrubbed } from "../../../src/mind/model/sdk/redact.ts";
import { faults } from "../../support/model-server/faults.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { KEY, MODEL, PROVIDERS, served, speaking } from "./speaking.ts";

const NOTHING = { secrets: [], texts: [] };

describe("a message holds no secret", () => {
  it.each([
    ["a key we know", `the key ${KEY} is wrong`],
    ["a header", "sent Authorization: Bearer abc.def-ghi"],
    ["a header in JSON", '{"x-api-key":"abcdef123456"}'],
    ["a key of OpenAI", "Incorrect API key provided: sk-proj-abcdefgh12345678"],
    ["a key of Google", "key AIzaSyA1234567890abcdef is bad"],
    ["an address with a query", "GET https://api.example.com/v1?key=abcdef123456 failed"],
    ["an address with a password", "https://me:abcdef123456@example.com/v1"],
  ])("%s", (_what, text) => {
    const message = scrubbed(text, { secrets: [KEY], texts: [] });
    expect(message).not.toMatch(/0123456789|abc\.def|abcdef|AIzaSy/);
  });

  it.each([
    ["in base64", (key: string) => Buffer.from(key).toString("base64")],
    ["in base64 with a user", (key: string) => Buffer.from(`me:${key}`).toString("base64url")],
    ["for an address", (key: string) => encodeURIComponent(key)],
    ["a piece of it", (key: string) => key.slice(0, 12)],
    ["at the edge of what is read", (key: string) => " ".repeat(2_990) + key],
    ["behind much that is taken out", (key: string) => key.repeat(300)],
  ])("nor a key %s", (_what, written) => {
    const key = "zq/test+0123456789abcdef";
    const message = scrubbed(`bad ${written(key)} end`, { secrets: [key], texts: [] });
    expect(message).toMatch(/^bad [\w=]{0,6}(\*\*\*|\*+…$)+=* ?(end)?$/);
  });

  it("and is one short line", () => {
    const message = scrubbed(`a\n\tb\u0007 ${"long ".repeat(500)}`, NOTHING);
    expect(message).toMatch(/^a b long/);
    expect(message.length).toBeLessThanOrEqual(300);
  });

  it("and stops where it begins to quote what was sent", () => {
    const prompt = "Nobody else may know that the treasure lies under the old oak tree.";
    const message = scrubbed(`bad words: "${prompt}"`, { secrets: [], texts: [`x ${prompt} y`] });
    expect(message).toBe('bad words: "…');
  });
});

describe("a fault that comes again", () => {
  const SAID = "The server had an error while it worked on your request. Try again in a while.";
  const asks = async (model: Model, prompt: string, ...heard: readonly string[]) => {
    const reply = await model.ask(request({ prompt, toldFaults: heard }), NEVER);
    return reply.ok ? "" : reply.message;
  };

  it("is told in full although the agent has read of it in between", async () => {
    const server = await served(() => ({ status: 500, message: SAID }));
    const model = speaking({ provider: "openai-compatible", server });
    const first = await asks(model, "Greet.");
    expect(first).toBe(`HTTP 500: ${SAID}`);
    const shown = `Greet. What failed lately: think() FAILED: provider_error: ${first}`;
    expect(await asks(model, shown, `llm_error: provider_error: ${first}`)).toBe(first);
  });

  it("is told as an echo to whoever has not heard of it, whatever others were told", async () => {
    const server = await served(() => ({ status: 500, message: SAID }));
    const model = speaking({ provider: "openai-compatible", server });
    await asks(model, "Greet.");
    expect(await asks(model, `Greet. ${SAID}`, "something else")).toBe("HTTP 500:…");
  });

  it("of our own is told in full too", async () => {
    const server = await served(() => faults.resetMidBody());
    const model = speaking({ provider: "openai-compatible", server });
    const said = "the connection broke in the middle of the reply";
    expect(await asks(model, `Lately: ${said}. Greet.`)).toBe(said);
  });
});

describe("an answer holds no key", () => {
  it.each(PROVIDERS)("whatever %s says", async (provider) => {
    const server = await served(({ key }) => ({ text: `my key is ${key}, ${key.slice(0, 14)}` }));
    const asking = request({ model: MODEL[provider] });
    const reply = await speaking({ provider, server }).ask(asking, NEVER);
    expect(reply).toMatchObject({ ok: true, text: "my key is ***, ***" });
  });

  it("and is left as it is where the key is a mere word", async () => {
    const server = await served(() => ({ text: "EMPTY baskets" }));
    const model = speaking({ provider: "openai-compatible", server, key: "EMPTY" });
    expect(await model.ask(request(), NEVER)).toMatchObject({ text: "EMPTY baskets" });
  });
});

describe.each(PROVIDERS)("whatever goes wrong, %s gives nothing away", (provider) => {
  const SECRET = "Nobody else may know that the treasure lies under the old oak tree in the yard.";

  it.each([
    ["a refusal that quotes everything", 400],
    ["a server error that quotes everything", 500],
  ])("%s", async (_what, status) => {
    const server = await served(({ headers, prompt, key }) => ({
      status,
      message: `${key} sent ${prompt} and ${JSON.stringify(headers)}`,
    }));
    const asking = request({ model: MODEL[provider], prompt: SECRET });
    const told = JSON.stringify(await speaking({ provider, server }).ask(asking, NEVER));
    expect(told).not.toContain(KEY);
    expect(told).not.toContain("treasure");
  });

  it("a reply that is no JSON", async () => {
    const server = await served(() => ({ raw: `<h1>${SECRET} ${KEY}</h1>` }));
    const asking = request({ model: MODEL[provider], form: GREETING });
    const told = JSON.stringify(await speaking({ provider, server }).ask(asking, NEVER));
    expect(told).not.toMatch(/treasure|0123456789/);
  });

  it("an address with secrets in it", async () => {
    const server = await served(() => faults.unauthorized());
    const baseUrl = (): string => server.baseUrl(provider).replace("//", "//me:hunter2hunter2@");
    const asking = request({ model: MODEL[provider] });
    const told = JSON.stringify(
      await speaking({ provider, server: { baseUrl } }).ask(asking, NEVER),
    );
    expect(told).not.toContain("hunter2");
  });
});
