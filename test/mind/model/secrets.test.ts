import { describe, expect, it } from "vitest";
import { scrubbed } from "../../../src/mind/model/scrub.ts";
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
