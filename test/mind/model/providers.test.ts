import { describe, expect, it } from "vitest";
import { llmSettings } from "../../../src/mind/model/llm-settings.ts";
import { keysOf, parseModelId, providerProblems } from "../../../src/mind/model/providers.ts";
import { llmAt, settingsAt } from "./speaking.ts";

const { providers } = llmAt({ baseUrl: () => "http://127.0.0.1:9999/v1" });

describe("a model's id", () => {
  it.each([
    ["gemini/gemini-3-flash-preview", "google", "gemini-3-flash-preview"],
    ["google/gemini-3-flash-preview", "google", "gemini-3-flash-preview"],
    ["ollama/meta/llama-3:8b", "openai-compatible", "meta/llama-3:8b"],
    ["openai-compatible/x", "openai-compatible", "x"],
    ["anthropic/claude", "anthropic", "claude"],
    ["openai/gpt", "openai", "gpt"],
  ])("%s is read", (text, provider, model) => {
    expect(parseModelId(text)).toEqual({ ok: true, provider, model, id: `${provider}/${model}` });
  });

  it.each([
    ["gpt-5", "names no provider"],
    ["mistral/large", 'names the unknown provider "mistral"'],
    ["/x", 'names the unknown provider ""'],
    ["openai/", "names no model"],
    ["openai/ ", "names no model"],
    ["constructor/x", 'names the unknown provider "constructor"'],
  ])("%s is refused with the providers there are", (text, what) => {
    const known = "google (or gemini), anthropic, openai, openai-compatible (or ollama)";
    expect(parseModelId(text)).toEqual({
      ok: false,
      problem: `model "${text}" ${what}; write provider/model with ${known}`,
    });
  });
});

describe("what is wrong is told before a run begins", () => {
  it("nothing, where all is there", () => {
    const env = { GOOGLE_KEY: "abc", OPENAI_KEY: "def" };
    expect(providerProblems(["gemini/a", "openai/b", "ollama/c"], providers, env)).toEqual([]);
  });

  it("a missing key, once for a provider, by the name of its variable", () => {
    const models = ["gemini/a", "google/b", "anthropic/c"];
    expect(providerProblems(models, providers, { GOOGLE_KEY: " , " })).toEqual([
      "no key for google/a: set the environment variable GOOGLE_KEY",
      "no key for anthropic/c: set the environment variable ANTHROPIC_KEY",
    ]);
  });

  it("a missing address of a provider that has none of its own", () => {
    const nowhere = { ...providers, "openai-compatible": settingsAt(null) };
    expect(providerProblems(["ollama/x"], nowhere, {})).toEqual([
      "no address for openai-compatible/x: set llm.providers.openai-compatible.base_url",
    ]);
    expect(providerProblems(["openai/x"], nowhere, { OPENAI_KEY: "k" })).toEqual([]);
  });

  it.each(["not an address", "ftp://example.com", "localhost:11434"])("the address %s", (url) => {
    const wrong = { ...providers, openai: settingsAt(url, { api_key_env: "OPENAI_KEY" }) };
    expect(providerProblems(["openai/x"], wrong, { OPENAI_KEY: "k" })).toEqual([
      "llm.providers.openai.base_url must be an address that begins with http:// or https://",
    ]);
  });

  it.each(["https://me:pa55@gateway/v1", "http://me@gateway"])(
    "a name in the address %s",
    (url) => {
      const open = { ...providers, openai: settingsAt(url, { api_key_env: "OPENAI_KEY" }) };
      expect(providerProblems(["openai/x"], open, { OPENAI_KEY: "k" })).toEqual([
        "llm.providers.openai.base_url must not hold a name or password; " +
          "set the environment variable OPENAI_KEY instead",
      ]);
    },
  );

  it("a key that no header can carry, without showing it", () => {
    const [problem, ...more] = providerProblems(["gemini/a"], providers, { GOOGLE_KEY: "ab\ncd" });
    expect(problem).toBe(
      "the key in GOOGLE_KEY has characters that are not allowed in a header; copy it again",
    );
    expect(more).toEqual([]);
  });

  it("ids that cannot be read, each once", () => {
    expect(providerProblems(["x", "x", "y/z"], providers, {})).toHaveLength(2);
  });
});

it("several keys stand in one variable", () => {
  const settings = settingsAt(null, { api_key_env: "KEYS" });
  expect(keysOf(settings, { KEYS: "a, b,,a " })).toEqual(["a", "b"]);
  expect(keysOf(settings, {})).toEqual([]);
});

it("settings refuse what they do not know", () => {
  const settings = llmAt({ baseUrl: () => "http://127.0.0.1:9999/v1" });
  expect(llmSettings.safeParse(settings).success).toBe(true);
  expect(llmSettings.safeParse({ ...settings, colour: "red" }).success).toBe(false);
  expect(llmSettings.safeParse({ ...settings, max_concurrency: 0 }).success).toBe(false);
});
