import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pricingFrom } from "../../src/model/providers/pricing.ts";
import { tokens } from "./requests.ts";
import { exchange, PROVIDERS } from "./sdk-bench.ts";

const pricing = pricingFrom(
  {
    "gemini-3-flash-preview": { input: 0.5, output: 3, cached_input: 0.05 },
    "anthropic/claude-sonnet-4-5": { input: 3, output: 15, cached_input: 0.3 },
    "gemini/tiny": { input: 0.000001, output: 0.1 },
    "meta/llama-3": { input: 0, output: 0 },
  },
  { input: 3, output: 15 },
);

describe("the cost of a call in whole micro-dollars", () => {
  it.each([
    // 600 × 0.5 + 400 × 0.05 + 300 × 3 = 300 + 20 + 900
    ["has a price for cached input", "gemini/gemini-3-flash-preview", [1_000, 400, 300], 1_220],
    // 1 × 0.5, rounded up
    ["is rounded up", "google/gemini-3-flash-preview", [1, 0, 0], 1],
    // 3 × 0.05 + 1 × 3 = 3.15, rounded up
    ["is rounded after the sum", "google/gemini-3-flash-preview", [3, 3, 1], 4],
    // 600 × 3 + 400 × 0.3 + 300 × 15 = 1800 + 120 + 4500
    ["is found by the full id", "anthropic/claude-sonnet-4-5", [1_000, 400, 300], 6_420],
    // 30 × 0.1 = 3 and not 3.0000000000000004, which would be 4
    ["has no float error", "gemini/tiny", [0, 0, 30], 3],
    // 1_000_000 × 0.000001 = 1
    ["includes the smallest price", "gemini/tiny", [1_000_000, 0, 0], 1],
    ["is 0 for a price of 0", "openai-compatible/meta/llama-3", [9_999, 0, 9_999], 0],
    // 10 × 3 + 1 × 15, cached input at the price of input
    ["has a default price", "openai/gpt-9", [10, 5, 1], 45],
  ] as const)("%s: %s", (_what, model, [input, cachedInput, output], micros) => {
    expect(pricing.costMicros(model, tokens({ input, cachedInput, output }))).toBe(micros);
  });

  it("is known by the id, the id without alias, or the provider's name for the model", () => {
    expect(pricing.priceOf("gemini/gemini-3-flash-preview").known).toBe(true);
    expect(pricing.priceOf("ollama/meta/llama-3").known).toBe(true);
    expect(pricing.priceOf("openai/gpt-9")).toMatchObject({ known: false, price: { input: 3 } });
    expect(pricing.priceOf("nonsense").known).toBe(false);
    expect(pricing.priceOf("openai/constructor").known).toBe(false);
  });

  it("is at most the price without cached input", () => {
    const bound = pricing.priceBound("gemini/gemini-3-flash-preview", {
      input: 1_000,
      output: 300,
    });
    expect(bound).toBe(1_000 * 0.5 + 300 * 3);
  });
});

describe("the input that micro-dollars can pay", () => {
  const models = fc.constantFrom("gemini/tiny", "gemini/gemini-3-flash-preview", "openai/gpt-9");

  it("is the most whose price they cover", () => {
    const amounts = fc.tuple(fc.nat(1_000_000), fc.nat(10_000));
    fc.assert(
      fc.property(models, amounts, (model, [micros, output]) => {
        const input = pricing.inputBound(model, { micros, output });
        const bound = (tokens: number) => pricing.priceBound(model, { input: tokens, output });
        if (input >= 0) expect(bound(input)).toBeLessThanOrEqual(micros);
        expect(bound(Math.max(0, input + 1))).toBeGreaterThan(micros);
      }),
    );
  });

  it("has no limit if input is free, and is negative if the output costs too much", () => {
    const free = pricingFrom({}, { input: 0, output: 2 });
    const most = Number.MAX_SAFE_INTEGER;
    expect(free.inputBound("openai/x", { micros: 20, output: 10 })).toBe(most);
    expect(free.inputBound("openai/x", { micros: 19, output: 10 })).toBeLessThan(0);
    expect(free.inputBound("openai/x", { micros: -1, output: 0 })).toBeLessThan(0);
  });
});

it.each(PROVIDERS)("a call of %s costs exactly its counts", async (provider) => {
  const usage = { input: 1_000, cached: 400, output: 300, reasoning: 200 };
  const { reply } = await exchange(provider, () => ({ text: "hello", usage }), {
    asked: { prompt: "market day ".repeat(100), maxTokens: 300 },
  });
  // Input 600 × 2, cached 400 × 0.2, output with reasoning 300 × 10.
  const prices = pricingFrom({}, { input: 2, output: 10, cached_input: 0.2 });
  expect(prices.costMicros(reply.servedBy, reply.usage)).toBe(1_200 + 80 + 3_000);
});

it("a cost above the largest safe integer is cut to it", () => {
  const prices = pricingFrom({}, { input: 1_000_000, output: 1_000_000 });
  const bound = prices.priceBound("openai/x", { input: 10 ** 12, output: 0 });
  expect(bound).toBe(Number.MAX_SAFE_INTEGER);
});
