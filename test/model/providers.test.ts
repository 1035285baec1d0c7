import { describe, expect, it } from "vitest";
import {
  addressProblem,
  llmSettings,
  type ProviderProblem,
  parseModelId,
  providerProblems,
} from "../../src/model/index.ts";
import { openai } from "../../src/model/providers/openai.ts";
import { llmAt, settingsAt } from "./sdk-bench.ts";

const { providers } = llmAt({ baseUrl: () => "http://127.0.0.1:9999/v1" });

describe("the id of a model", () => {
  it.each([
    ["gemini/gemini-3-flash-preview", "google", "gemini-3-flash-preview"],
    ["google/gemini-3-flash-preview", "google", "gemini-3-flash-preview"],
    ["ollama/meta/llama-3:8b", "openai-compatible", "meta/llama-3:8b"],
    ["openai-compatible/x", "openai-compatible", "x"],
    ["anthropic/claude", "anthropic", "claude"],
    ["openai/gpt", "openai", "gpt"],
    ["mock/trader", "mock", "trader"],
  ])("is parsed: %s", (text, provider, model) => {
    expect(parseModelId(text)).toEqual({ ok: true, provider, model, id: `${provider}/${model}` });
  });

  it("may be `mock` without a slash", () => {
    expect(parseModelId("mock")).toEqual({ ok: true, provider: "mock", model: "mock", id: "mock" });
  });

  it.each([
    ["gpt-5", "names no provider"],
    ["mock/", "names no model"],
    ["mistral/large", 'names the unknown provider "mistral"'],
    ["/x", 'names the unknown provider ""'],
    ["openai/", "names no model"],
    ["openai/ ", "names no model"],
    ["constructor/x", 'names the unknown provider "constructor"'],
  ])("is refused with the list of providers: %s", (text, what) => {
    const known = "google (or gemini), anthropic, openai, openai-compatible (or ollama) or mock";
    expect(parseModelId(text)).toEqual({
      ok: false,
      problem: `model "${text}" ${what}; write provider/model with ${known}`,
    });
  });
});

const textsOf = (problems: readonly ProviderProblem[]): readonly string[] =>
  problems.map(({ text }) => text);

describe("the problems before a run", () => {
  it("are an empty list if keys and addresses are set", () => {
    const env = { GOOGLE_KEY: "abc", OPENAI_KEY: "def" };
    expect(providerProblems(["gemini/a", "openai/b", "ollama/c"], providers, env)).toEqual([]);
    expect(providerProblems(["mock", "mock/trader"], providers, {})).toEqual([]);
  });

  it("include a missing key, once per provider, with the name of its variable", () => {
    const models = ["gemini/a", "google/b", "anthropic/c"];
    expect(providerProblems(models, providers, { GOOGLE_KEY: " , " })).toEqual([
      {
        text: "no key for google/a: set the environment variable GOOGLE_KEY",
        keyVariable: "GOOGLE_KEY",
      },
      {
        text: "no key for anthropic/c: set the environment variable ANTHROPIC_KEY",
        keyVariable: "ANTHROPIC_KEY",
      },
    ]);
  });

  it("include a missing address if the provider has no default", () => {
    const nowhere = { ...providers, "openai-compatible": settingsAt(null) };
    expect(textsOf(providerProblems(["ollama/x"], nowhere, {}))).toEqual([
      "no address for openai-compatible/x: set llm.providers.openai-compatible.base_url",
    ]);
    expect(providerProblems(["openai/x"], nowhere, { OPENAI_KEY: "k" })).toEqual([]);
  });

  it("include an address that cannot be used", () => {
    const openai = settingsAt("https://me:pa55@gateway/v1", { api_key_env: "OPENAI_KEY" });
    const problems = providerProblems(["openai/x"], { ...providers, openai }, { OPENAI_KEY: "k" });
    expect(textsOf(problems)).toEqual([
      "llm.providers.openai.base_url must not hold a name or password; " +
        "set the environment variable OPENAI_KEY instead",
    ]);
  });

  it("include a key that cannot be a header, without showing it", () => {
    const [problem, ...more] = providerProblems(["gemini/a"], providers, { GOOGLE_KEY: "ab\ncd" });
    expect(problem).toEqual({
      text: "the key in GOOGLE_KEY has characters that are not allowed in a header; copy it again",
      keyVariable: "GOOGLE_KEY",
    });
    expect(more).toEqual([]);
  });

  it("include each malformed id once", () => {
    expect(providerProblems(["x", "x", "y/z"], providers, {})).toHaveLength(2);
  });
});

it("a variable may hold several keys", () => {
  const settings = settingsAt(null, { api_key_env: "KEYS" });
  const keys = openai.accounts(settings, { KEYS: "a, b,,a " }).map(({ key }) => key);
  expect(keys).toEqual(["a", "b"]);
  expect(openai.accounts(settings, {})).toEqual([]);
});

it("settings refuse unknown keys and values out of range", () => {
  const settings = llmAt({ baseUrl: () => "http://127.0.0.1:9999/v1" });
  expect(llmSettings.safeParse(settings).success).toBe(true);
  expect(llmSettings.safeParse({ ...settings, colour: "red" }).success).toBe(false);
  expect(llmSettings.safeParse({ ...settings, max_concurrency: 0 }).success).toBe(false);
});

describe("the problem of an address for requests with a key", () => {
  it.each([
    ["not an address", "must be an address that begins with http:// or https://"],
    ["localhost:11434", "must be an address that begins with http:// or https://"],
    ["ftp://example.com", "must be an address that begins with http:// or https://"],
    ["https://me:secret@example.com/v1", "must not hold a name or password"],
    ["https://me@example.com/v1", "must not hold a name or password"],
    ["https://example.com/v1?key=secret", "must not hold a query (?) or fragment (#)"],
    ["https://example.com/v1#secret", "must not hold a query (?) or fragment (#)"],
    ["http://127.0.0.1:6000/v1", "has the port 6000, which fetch blocks"],
    ["https://example.com/v1", null],
    ["http://127.0.0.1:11434", null],
    ["http://[::1]:8000/v1", null],
  ])("of %s is %s", (text, problem) => {
    expect(addressProblem(text)).toBe(problem);
  });

  it("is its port only if fetch refuses the port", async () => {
    const refused = Array.from({ length: 65_535 }, (_, at) => at + 1).filter((port) =>
      addressProblem(`http://127.0.0.1:${port}/`)?.includes("port"),
    );
    expect(refused.length).toBeGreaterThan(80);
    for (const port of refused) {
      const fetched = fetch(`http://127.0.0.1:${port}/`);
      await expect(fetched, String(port)).rejects.toMatchObject({ cause: { message: "bad port" } });
    }
  });
});
