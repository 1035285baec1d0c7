import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { View } from "../../../src/kernel/index.ts";
import {
  buildPrompt,
  inputMaxOf,
  type MindSettings,
  promptSource,
} from "../../../src/mind/index.ts";

import { pricingFrom } from "../../../src/model/providers/pricing.ts";
import { affordablePrompt, callsNeeded, thoughtPrices } from "../../../src/workflow/llm-mind.ts";
import { offeringWith, viewWith } from "../../support/view.ts";
import { evaluate } from "../../workflow/sandbox-evaluate.ts";
import { workflowOf } from "../../workflow/workbench.ts";
import { settingsWith } from "./shipped-settings.ts";

const PRICING = pricingFrom({}, { input: 1, output: 2 });

const PARTS = {
  pricing: PRICING,
  actionsGuide: "# What you can do\nAct.",
  sleepMaxS: 600,
  jsonDepthMax: 12,
  evaluator: () => evaluate,
  warn: () => {},
};

const MARKET = Array.from({ length: 15 }, (_, n) =>
  offeringWith({ id: `program_${n}` as View["id"], description: "it adds two numbers" }),
);

/** What an agent sees with this model budget and this quota of tokens. */
const viewOfAgent = (micros: number, quota: number, market = MARKET): View => {
  const view = viewWith({ id: "ann", llmBudgetMicros: micros, market });
  const llm_tokens = { quota, available: quota };
  return { ...view, windows: { ...view.windows, llm_tokens } };
};

const RICH = viewOfAgent(1_000_000, 1_000_000);

const pricesOf = (settings: MindSettings, workflow = "") =>
  thoughtPrices(
    "ann",
    { settings, workflow: workflow === "" ? undefined : workflowOf(workflow) },
    PARTS,
  );

const priceNow = (settings: MindSettings, view: View, workflow?: string) =>
  pricesOf(settings, workflow).exactPrice?.of(view) ?? { micros: -1, calls: -1, tokens: -1 };

const tokensOf = (settings: MindSettings, view: View): number =>
  buildPrompt(promptSource(settings, PARTS, { view, memories: [] })).tokens;

const systemTokens = (settings: MindSettings): number =>
  buildPrompt(promptSource(settings, PARTS, { view: RICH, memories: [] })).parts[0]?.tokens ?? 0;

describe("the highest price of a thought", () => {
  it("covers the whole prompt and the longest reply", () => {
    const settings = settingsWith({ max_tokens: 500, prompt: { budget_tokens: 3_000 } });
    const input = systemTokens(settings) + 3_000;
    const price = { micros: input + 1_000, calls: 1, tokens: input + 500 };
    expect(pricesOf(settings).price).toEqual(price);
  });

  it("covers the tokens for reasoning", () => {
    const prompt = { budget_tokens: 3_000 };
    const settings = settingsWith({ max_tokens: 500, reasoning: "medium", prompt });
    const output = 500 + 4_096;
    const input = systemTokens(settings) + 3_000;
    const price = { micros: input + 2 * output, calls: 1, tokens: input + output };
    expect(pricesOf(settings).price).toEqual(price);
  });

  it("covers the whole system prompt", () => {
    const settings = settingsWith({ max_tokens: 500, prompt: { budget_tokens: 200 } });
    const wordy = { ...settings, systemPrompt: "word ".repeat(4_000) };
    expect(pricesOf(settings).price.tokens).toBeLessThan(2_500);
    expect(pricesOf(wordy).price.tokens).toBeGreaterThan(6_000);
  });

  it("is never below the price at a moment", () => {
    const budget = fc.integer({ min: 200, max: 6_000 });
    const means = fc.tuple(fc.nat(20_000), fc.nat(20_000), fc.nat(15));
    fc.assert(
      fc.property(budget, means, (budget_tokens, [micros, quota, count]) => {
        const settings = settingsWith({ prompt: { budget_tokens } });
        const view = viewOfAgent(micros, quota, MARKET.slice(0, count));
        const { price } = pricesOf(settings);
        const now = priceNow(settings, view);
        expect(now.micros).toBeLessThanOrEqual(price.micros);
        expect(now.tokens).toBeLessThanOrEqual(price.tokens);
      }),
      { numRuns: 50 },
    );
  });
});

describe("the price of a thought at a moment", () => {
  const settings = settingsWith({ max_tokens: 500 });
  const whole = tokensOf(settings, RICH);
  const shortest = priceNow(settings, RICH).micros - 1_000;

  it("has the tokens of the real prompt", () => {
    expect(whole).toBeLessThan(settings.prompt.budget_tokens);
    expect(priceNow(settings, RICH).tokens).toBe(whole + 500);
  });

  it("has the cost of the shortest prompt", () => {
    expect(shortest).toBeLessThan(whole);
    const system = buildPrompt(promptSource(settings, PARTS, { view: RICH, memories: [] }))
      .parts[0];
    expect(shortest).toBeGreaterThan(system?.tokens ?? 0);
    expect(shortest).toBeLessThan((system?.tokens ?? 0) + 350);
  });

  it("is not higher than a prompt that is short anyway", () => {
    const prompt = { sections: { market: { enabled: false }, hints: { enabled: false } } };
    const sections = Object.fromEntries(
      ["balances", "quotas", "resources", "mint", "principals", "time"].map((name) => [
        name,
        { enabled: false },
      ]),
    );
    const terse = settingsWith({ prompt: { sections: { ...prompt.sections, ...sections } } });
    const tokens = tokensOf(terse, RICH);
    expect(priceNow(terse, RICH)).toMatchObject({
      micros: tokens + 2 * terse.maxTokens,
      tokens: tokens + terse.maxTokens,
    });
  });

  it("fits a quota that is too small for the whole prompt", () => {
    for (const input of [shortest, whole - 20]) {
      const view = viewOfAgent(1_000_000, input + 500);
      expect(tokensOf(settings, view)).toBeGreaterThan(input);
      expect(priceNow(settings, view).tokens).toBe(input + 500);
    }
  });

  it("exceeds a quota only if the shortest prompt does not fit", () => {
    const view = viewOfAgent(1_000_000, shortest + 499);
    expect(priceNow(settings, view).tokens).toBe(shortest + 500);
  });

  it("does not depend on the budget", () => {
    for (const micros of [0, shortest + 999, shortest + 1_000, whole + 1_000]) {
      const { micros: needed } = priceNow(settings, viewOfAgent(micros, 1_000_000));
      expect(needed).toBe(shortest + 1_000);
    }
  });

  it("leaves room for the prompt that the agent then gets", () => {
    const means = fc.tuple(fc.nat(6_000), fc.nat(6_000), fc.nat(15));
    fc.assert(
      fc.property(means, ([micros, quota, count]) => {
        const view = viewOfAgent(micros, quota, MARKET.slice(0, count));
        const price = priceNow(settings, view);
        if (price.micros > micros || price.tokens > quota) return;
        const tokensMax = inputMaxOf({ micros, tokens: quota }, { settings, pricing: PRICING });
        const source = promptSource(settings, PARTS, { view, memories: [] });
        expect(buildPrompt({ ...source, tokensMax }).tokens).toBeLessThanOrEqual(tokensMax);
      }),
      { numRuns: 100 },
    );
  });

  it("that an agent waits for is the price of the prompt in its preview", () => {
    const { windows } = RICH;
    const llm_tokens = { quota: whole + 600, available: 20 };
    const view = { ...RICH, windows: { ...windows, llm_tokens } };
    const agent = { settings, workflow: undefined };
    expect(affordablePrompt(agent, PARTS, view)).toBe(tokensOf(settings, view));
  });
});

describe("the terms of a price", () => {
  const termsOf = (own: object, workflow?: string) =>
    pricesOf(settingsWith(own), workflow).exactPrice?.terms;

  it("change with the settings and the workflow, and with nothing else", () => {
    const step = "steps:\n  - { name: a, type: llm, prompt: P }";
    const all = [{}, { max_tokens: 7 }, { llm_model: "openai/x" }, { system_prompt: "Bake." }];
    const terms = [...all.map((own) => termsOf(own)), termsOf({}, step)];
    expect(new Set(terms).size).toBe(terms.length);
    expect(termsOf({})).toBe(termsOf({}));
  });
});

describe("the price of a thought of a workflow", () => {
  const settings = settingsWith({ max_tokens: 500 });
  const whole = tokensOf(settings, RICH);
  const text = "What is bread? ".repeat(50);
  const long = Math.ceil((text.length + 20) / 3.6);

  it("covers the agent's prompt and the question, if the first step decides", () => {
    const { tokens } = priceNow(
      settings,
      RICH,
      `steps:\n  - { name: a, type: llm, prompt: ${text} }`,
    );
    expect(tokens).toBeGreaterThan(whole + 500 + long - 20);
    expect(tokens).toBeLessThan(whole + 500 + long + 20);
  });

  it("covers only the question if the first step asks for data", () => {
    const steps = `steps:\n  - { name: a, type: llm, prompt: ${text}, schema: text }\n  - { name: b, type: llm, prompt: P }`;
    const { tokens, micros, calls } = priceNow(settings, RICH, steps);
    expect(tokens).toBeLessThan(whole + 500);
    expect(micros).toBe(tokens + 500);
    expect(calls).toBe(2);
  });

  it("is that of the first step that runs", () => {
    const steps = (condition: string) =>
      `steps:\n  - { name: a, type: llm, prompt: ${text}, if: ${condition} }\n  - { name: b, type: llm, prompt: P }`;
    const dear = priceNow(settings, RICH, steps("iteration >= 0")).tokens;
    const cheap = priceNow(settings, RICH, steps("iteration > 5")).tokens;
    expect(dear - cheap).toBeGreaterThan(long - 20);
  });

  it("is nothing if no step asks a model", () => {
    const steps = "steps:\n  - { name: a, type: llm, prompt: P, if: iteration > 5 }";
    expect(priceNow(settings, RICH, steps)).toEqual({ micros: 0, calls: 0, tokens: 0 });
  });
});

const ask = (name: string, more = "") => `{ name: ${name}, type: llm, prompt: P. ${more} }`;

it.each([
  ["every unconditional llm step", [ask("a"), ask("b"), ask("c")], "", 3],
  ["no step with a condition", [ask("a", ", if: iteration > 1"), ask("b")], "", 1],
  ["no step of one state", [ask("a", ", in_state: x"), ask("b")], "states: [x]", 1],
  [
    "at most the calls that the run allows",
    ["a", "b", "c", "d", "e"].map((name) => ask(name)),
    "",
    4,
  ],
  ["at least one", [ask("a", ", if: iteration > 1")], "", 1],
])("the calls that a workflow needs: %s", (_what, steps, more, calls) => {
  const workflow = workflowOf(`${more}\nsteps:\n${steps.map((step) => `  - ${step}\n`).join("")}`);
  expect(callsNeeded({ workflow, settings: { ...settingsWith(), callsMax: 4 } })).toBe(calls);
});
