import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { pricingFrom } from "../../src/model/providers/pricing.ts";
import { exchange } from "./sdk-bench.ts";

describe("the prompt cache of Anthropic", () => {
  const bodyWith = async (asked: object) => {
    const { server } = await exchange("anthropic", () => undefined, { asked });
    return server.calls[0]?.body;
  };

  it("ends with the system text, the part that stays the same", async () => {
    const body = await bodyWith({ system: "You are a trader.", prompt: "Greet a friend." });
    const cache_control = { type: "ephemeral" };
    expect(body?.system).toEqual([{ type: "text", text: "You are a trader.", cache_control }]);
    expect(JSON.stringify(body?.messages)).not.toContain("cache_control");
  });

  it("has no mark without a system text", async () => {
    const body = await bodyWith({ system: "", prompt: "Greet a friend." });
    expect(JSON.stringify(body)).not.toContain("cache_control");
  });
});

describe("the prompt cache of OpenAI", () => {
  const LONG = "a".repeat(100);
  it.each([
    ["ann", "ann"],
    ["a".repeat(64), "a".repeat(64)],
    [LONG, expect.stringMatching(/^[0-9a-f]{64}$/)],
  ])("has a key of the agent: %s", async (agent, key) => {
    const asked = { agent: asId(agent) };
    const { server } = await exchange("openai", () => undefined, { asked });
    expect(server.calls[0]?.body.prompt_cache_key).toEqual(key);
  });

  it("has no key for a call of the run", async () => {
    const { server } = await exchange("openai", () => undefined, { asked: { agent: null } });
    expect(server.calls[0]?.body).not.toHaveProperty("prompt_cache_key");
  });
});

describe("the cost of a call with a prompt cache", () => {
  const prices = pricingFrom({}, { input: 1, output: 5, cached_input: 0.1, cache_write: 1.25 });
  const usage = { input: 1_000, cached: 400, cacheWrite: 200, output: 50, reasoning: 20 };
  const asked = { prompt: "market day ".repeat(100) };

  it.each([
    // Input 400 × 1, read 400 × 0.1, written 200 × 1.25, output 50 × 5.
    ["anthropic", 200, 400 + 40 + 250 + 250],
    ["openai", 200, 400 + 40 + 250 + 250],
    // These providers do not report what they write.
    ["google", 0, 600 + 40 + 250],
    ["openai-compatible", 0, 600 + 40 + 250],
  ] as const)("%s", async (provider, cacheWrite, micros) => {
    const { reply } = await exchange(provider, () => ({ text: "hello", usage }), { asked });
    const counts = { input: 1_000, cachedInput: 400, output: 50, reasoning: 20 };
    expect(reply.usage).toEqual({ ...counts, cacheWrite, estimated: false });
    expect(prices.costMicros(reply.servedBy, reply.usage)).toBe(micros);
  });

  it("is at most the bound, and a missing price equals the price of input", () => {
    expect(prices.priceBound("x", { input: 1_000, output: 0 })).toBe(1_250);
    const plain = pricingFrom({}, { input: 1, output: 5 });
    expect(plain.priceOf("x").price).toEqual({
      input: 1,
      output: 5,
      cachedInput: 1,
      cacheWrite: 1,
    });
  });

  it("has no cache counts above the input", async () => {
    const odd = { input: 100, cached: 80, cacheWrite: 80, output: 1 };
    const { reply } = await exchange("openai", () => ({ text: "hello", usage: odd }), { asked });
    expect(reply.usage).toMatchObject({ input: 100, cachedInput: 80, cacheWrite: 20 });
  });
});
