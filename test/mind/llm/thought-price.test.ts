import { expect, it } from "vitest";
import { callsNeeded, thoughtPriceOf } from "../../../src/mind/llm/thinking.ts";
import { pricingFrom } from "../../../src/mind/model/pricing.ts";
import { workflowOf } from "../workflow/workbench.ts";
import { settingsWith } from "./shipped-settings.ts";

const PRICING = pricingFrom({}, { input: 1, output: 2 });

it("the price of a thought covers the whole prompt and the longest reply", () => {
  const settings = settingsWith({ max_tokens: 500, prompt: { budget_tokens: 3_000 } });
  expect(thoughtPriceOf(settings, PRICING)).toEqual({ micros: 4_000, calls: 1, tokens: 3_500 });
});

it("the price of a thought covers the tokens for reasoning", () => {
  const settings = settingsWith({
    max_tokens: 500,
    reasoning: "medium",
    prompt: { budget_tokens: 3_000 },
  });
  const tokens = 3_500 + 4_096;
  expect(thoughtPriceOf(settings, PRICING)).toEqual({ micros: 4_000 + 8_192, calls: 1, tokens });
});

it("a system prompt is never cut, and counts if it is longer than the prompt budget", () => {
  const settings = settingsWith({ max_tokens: 500, prompt: { budget_tokens: 200 } });
  const wordy = { ...settings, systemPrompt: "word ".repeat(4_000) };
  expect(thoughtPriceOf(settings, PRICING).tokens).toBeGreaterThan(1_000);
  expect(thoughtPriceOf(wordy, PRICING).tokens).toBeGreaterThan(4_000);
});

const ask = (name: string, more = "") => `{ name: ${name}, type: llm, prompt: P. ${more} }`;

it.each([
  ["every unconditional llm step", [ask("a"), ask("b"), ask("c")], "", 3],
  ["no step with a condition", [ask("a", ", if: iteration > 1"), ask("b")], "", 1],
  ["no step of one state", [ask("a", ", in_state: x"), ask("b")], "states: [x]", 1],
  ["at most its own limit of calls", [ask("a"), ask("b"), ask("c")], "max_model_calls: 2", 2],
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
