import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/model/port/model.ts";
import { redactorOf, scrubbed, streamRedactorOf } from "../../src/model/sdk/redact.ts";
import { faults } from "../support/model-server/faults.ts";
import type { Script } from "../support/model-server/model-server.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { exchange, KEY, MODEL, PROVIDERS, sdkAt, served } from "./sdk-bench.ts";

describe("a message", () => {
  it.each([
    ["a known key", `the key ${KEY} is wrong`],
    ["a header", "sent Authorization: Bearer abc.def-ghi"],
    ["a header in JSON", '{"x-api-key":"abcdef123456"}'],
    ["a key of OpenAI", "Incorrect API key provided: sk-proj-abcdefgh12345678"],
    ["a key of Google", "key AIzaSyA1234567890abcdef is bad"],
    ["the query of an address", "GET https://api.example.com/v1?key=abcdef123456 failed"],
    ["the password of an address", "https://me:abcdef123456@example.com/v1"],
  ])("does not contain %s", (_what, text) => {
    const message = scrubbed(text, { secrets: [KEY], texts: [] });
    expect(message).not.toMatch(/0123456789|abc\.def|abcdef|AIzaSy/);
  });

  it.each([
    ["in base64", (key: string) => Buffer.from(key).toString("base64")],
    ["in base64 for addresses", (key: string) => Buffer.from(key).toString("base64url")],
    ["in URL encoding", (key: string) => encodeURIComponent(key)],
    ["cut to a prefix", (key: string) => key.slice(0, 12)],
    ["at the end of the part that is read", (key: string) => " ".repeat(2_990) + key],
    ["repeated", (key: string) => key.repeat(300)],
  ])("does not contain a key %s", (_how, written) => {
    const key = "zq/test+0123456789abcdef";
    const message = scrubbed(`bad ${written(key)} end`, { secrets: [key], texts: [] });
    expect(message).toMatch(/^bad [\w=]{0,6}(\*\*\*|\*+…$)+=* ?(end)?$/);
  });

  it("is one short line", () => {
    const message = scrubbed(`a\n\tb\u0007 ${"long ".repeat(500)}`, { secrets: [], texts: [] });
    expect(message).toMatch(/^a b long/);
    expect(message.length).toBeLessThanOrEqual(300);
  });

  it("is cut where it begins to quote the request", () => {
    const prompt = "No one else may know that the treasure lies under the old oak tree.";
    const message = scrubbed(`bad words: "${prompt}"`, { secrets: [], texts: [`x ${prompt} y`] });
    expect(message).toBe('bad words: "…');
  });
});

describe("a text in pieces", () => {
  const SECRETS = ["abcabcabcabcabc-1", "abcabcabd-2", "bcabcabca"];
  const text = fc.array(
    fc.oneof(
      fc.string({ unit: fc.constantFrom("a", "b", "c", "d", "-", "1"), maxLength: 20 }),
      fc.constantFrom(...SECRETS, ...SECRETS.map((key) => btoa(key))),
    ),
    { maxLength: 6 },
  );

  it("is redacted like the whole text, wherever it is cut", () => {
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (parts, sizes) => {
        const whole = parts.join("");
        const redact = streamRedactorOf(SECRETS);
        let shown = "";
        for (let at = 0; at < whole.length; ) {
          const { value: size } = sizes.next();
          shown += redact.push(whole.slice(at, at + size));
          at += size;
        }
        expect(shown + redact.end()).toBe(redactorOf(SECRETS)(whole));
      }),
    );
  });

  it("is held back only where a key may begin", () => {
    const redact = streamRedactorOf([KEY]);
    expect(redact.push("Hello, I am a tra")).toBe("Hello, I am a tra");
    expect(redact.push(`der. ${KEY.slice(0, 5)}`)).toBe("der. ");
    expect(redact.push("ate")).toBe(`${KEY.slice(0, 5)}ate`);
    expect(redact.end()).toBe("");
  });
});

describe("the message of a repeated fault", () => {
  const ERROR = "The server had an error while it worked on your request. Try again in a while.";
  const failing: Script = () => ({ status: 500, message: ERROR });
  const messages = async (script: Script, ...asks: Partial<ModelRequest>[]) => {
    const model = sdkAt({ provider: "openai-compatible", server: await served(script) });
    const found: string[] = [];
    for (const asked of asks) {
      const reply = await model.ask(request(asked), NEVER);
      found.push(reply.ok ? "" : reply.message);
    }
    return found;
  };

  it("is complete although the prompt repeats it, if the agent knows the fault", async () => {
    const message = `HTTP 500: ${ERROR}`;
    const prompt = `Greet. What failed lately: think() FAILED: provider_error: ${message}`;
    const reportedFaults = [`llm_error: provider_error: ${message}`];
    const both = [{ prompt: "Greet." }, { prompt, reportedFaults }];
    expect(await messages(failing, ...both)).toEqual([message, message]);
  });

  it("is cut as a quote if the agent knows another fault", async () => {
    const asks = [{ prompt: `Greet. ${ERROR}`, reportedFaults: ["something else"] }];
    expect(await messages(failing, { prompt: "Greet." }, ...asks)).toContain("HTTP 500:…");
  });

  it("is complete if the provider did not write it", async () => {
    const message = "the connection closed before the reply was complete";
    const prompt = `Lately: ${message}. Greet.`;
    expect(await messages(() => faults.resetMidBody(), { prompt })).toEqual([message]);
  });
});

describe("an answer", () => {
  it.each(PROVIDERS)("of %s contains no key", async (provider) => {
    const script: Script = ({ key }) => ({ text: `my key is ${key}, ${key.slice(0, 14)}` });
    const { reply } = await exchange(provider, script);
    expect(reply).toMatchObject({ ok: true, text: "my key is ***, ***" });
  });

  it("is unchanged if the key is an ordinary word", async () => {
    const script: Script = () => ({ text: "EMPTY baskets" });
    const { reply } = await exchange("openai-compatible", script, { key: "EMPTY" });
    expect(reply).toMatchObject({ text: "EMPTY baskets" });
  });
});

describe.each(PROVIDERS)("a fault of %s reveals neither key nor prompt", (provider) => {
  const SECRET = "No one else may know that the treasure lies under the old oak tree in the yard.";
  const quoting =
    (status: number): Script =>
    ({ headers, prompt, key }) => ({
      status,
      message: `${key} sent ${prompt} and ${JSON.stringify(headers)}`,
    });

  it.each<readonly [string, Script]>([
    ["a refusal that quotes the request", quoting(400)],
    ["a server error that quotes the request", quoting(500)],
    ["a reply that is not JSON", () => ({ raw: `<h1>${SECRET} ${KEY}</h1>` })],
  ])("in %s", async (_what, script) => {
    const asked = { prompt: SECRET, form: GREETING };
    const { reply } = await exchange(provider, script, { asked });
    expect(reply.ok).toBe(false);
    expect(JSON.stringify(reply)).not.toMatch(/treasure|0123456789/);
  });

  it("for an address with a password", async () => {
    const server = await served(() => faults.unauthorized());
    const baseUrl = (): string => server.baseUrl(provider).replace("//", "//me:hunter2hunter2@");
    const model = sdkAt({ provider, server: { baseUrl } });
    const reply = await model.ask(request({ model: MODEL[provider] }), NEVER);
    expect(JSON.stringify(reply)).not.toContain("hunter2");
  });
});
