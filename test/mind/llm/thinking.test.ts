import { describe, expect, it } from "vitest";
import { Thinking } from "../../../src/mind/index.ts";
import { faultOf, type ModelReply, modelFailure } from "../../../src/model/port/model.ts";
import { pricingFrom } from "../../../src/model/providers/pricing.ts";
import { answer, NEVER, scripted, tokens } from "../../model/requests.ts";
import { viewWith } from "../../support/view.ts";

const MODEL = "openai-compatible/tiny";
/** In micro-dollars per token. */
const PRICING = pricingFrom({ tiny: { input: 1, output: 2 } }, { input: 9, output: 9 });
const LEFT = { quota: 100_000, available: 100_000 };
const QUESTION = { purpose: "decide", prompt: "What now?", form: null };

const DURABLE = Promise.resolve(true);

type Parts = ConstructorParameters<typeof Thinking>[0];

const thinking = (replies: readonly ModelReply[], more: Partial<Parts> = {}) => {
  const model = scripted((_request, n) => replies[n - 1] ?? answer());
  const view = viewWith({ id: "ann", llmBudgetMicros: 10_000 });
  const thought = new Thinking({
    view: { ...view, windows: { ...view.windows, llm_tokens: LEFT } },
    model,
    pricing: PRICING,
    settings: { model: MODEL, temperature: 0.5, maxTokens: 100, reasoning: null },
    callsMax: 3,
    tooLong: "lower prompt.budget_tokens",
    durable: DURABLE,
    signal: NEVER,
    ...more,
  });
  return { thought, requests: model.asked, ask: thought.asking("You are ann.") };
};

const withWindow = (window: "llm_calls" | "llm_tokens", available: number) => {
  const view = viewWith({ id: "ann" });
  const windows = { ...view.windows, llm_tokens: LEFT, [window]: { quota: available, available } };
  return { view: { ...view, windows } };
};

const reasoningInWindow = (available: number): Partial<Parts> => ({
  ...withWindow("llm_tokens", available),
  settings: { model: MODEL, temperature: null, maxTokens: 100, reasoning: "low" },
});

describe("a thought", () => {
  it("asks its model for the agent and returns the text", async () => {
    const { ask, requests } = thinking([answer({ text: "noop" })]);
    expect(await ask(QUESTION)).toEqual({ ok: true, text: "noop" });
    expect(requests).toEqual([
      {
        ...QUESTION,
        durable: DURABLE,
        model: MODEL,
        agent: "ann",
        atMs: 0,
        system: "You are ann.",
        temperature: 0.5,
        maxTokens: 100,
        reasoning: null,
        reportedFaults: [],
      },
    ]);
  });

  it("lists the failures that its agent knows, from before and from this thought", async () => {
    const actionRecord = { atMs: 1, action: "think", target: null, method: null, code: null };
    const no = { ...actionRecord, ok: false, message: "llm_error: provider_error: HTTP 500: busy" };
    const view = viewWith({ id: "ann", llmBudgetMicros: 10_000 });
    const agent = { ...view.agent, actions: [{ ...actionRecord, ok: true, message: "done" }, no] };
    const windows = { ...view.windows, llm_tokens: LEFT };
    const down = modelFailure(MODEL, faultOf("timeout", "no answer in 5 s"));
    const { ask, requests } = thinking([down], { view: { ...view, windows, agent } });
    await ask(QUESTION);
    await ask(QUESTION);
    expect(requests.map(({ reportedFaults }) => reportedFaults)).toEqual([
      [no.message],
      [no.message, "no answer in 5 s"],
    ]);
  });

  it("names the setting that helps if its question is too long", async () => {
    const full = modelFailure(MODEL, faultOf("context_overflow", "HTTP 400: too long"));
    const { ask, thought } = thinking([full]);
    expect(await ask(QUESTION)).toEqual({
      ok: false,
      reason: "llm_error",
      fault: "context_overflow",
      message: "context_overflow: lower prompt.budget_tokens; HTTP 400: too long",
    });
    expect(thought.usage).toMatchObject({ calls: 1, cost_micros: 0 });
  });

  it("adds up the usage of its calls, including failed calls", async () => {
    const spent = { usage: tokens({ input: 40, output: 0 }), latencyMs: 30 };
    const down = modelFailure(MODEL, faultOf("timeout", "no answer in 5 s"), spent);
    const replies = [answer({ usage: tokens({ input: 100, output: 7 }), latencyMs: 12 }), down];
    const { ask, thought } = thinking(replies);
    await ask(QUESTION);
    const timeout = { fault: "timeout", message: "timeout: no answer in 5 s" };
    expect(await ask(QUESTION)).toEqual({ ok: false, reason: "llm_error", ...timeout });
    const used = { calls: 2, input_tokens: 140, output_tokens: 7 };
    expect(thought.usage).toEqual({ ...used, cost_micros: 154, api_cost_micros: 154 });
    expect(thought.latencyMs).toBe(42);
  });

  it.each([
    ["its bound", { callsMax: 0 }, "a thought may make at most 0 model calls"],
    ["its window of calls", withWindow("llm_calls", 0), "only 0 model calls left in this"],
    ["its window of tokens", withWindow("llm_tokens", 100), "but 100 are left in this window"],
    ["its window, with reasoning", reasoningInWindow(1_100), "but 1100 are left in this window"],
    ["its money", { view: viewWith({ llmBudgetMicros: 200 }) }, "but the budget is 200"],
  ])("does not ask a question beyond %s", async (_what, more, message) => {
    const { ask, requests, thought } = thinking([], more);
    const refused = { ok: false, reason: "insufficient_llm_tokens" };
    expect(await ask(QUESTION)).toEqual({ ...refused, message: expect.stringContaining(message) });
    expect(requests).toEqual([]);
    expect(thought.usage.calls).toBe(0);
  });

  it("counts its cost so far against the limits", async () => {
    const { ask, requests } = thinking([answer({ usage: tokens({ input: 9_700, output: 50 }) })]);
    expect(await ask(QUESTION)).toMatchObject({ ok: true });
    expect(await ask(QUESTION)).toMatchObject({ reason: "insufficient_llm_tokens" });
    expect(requests).toHaveLength(1);
  });
});
