import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget, budgeted } from "../../src/model/limits/budget.ts";
import type { ModelReply } from "../../src/model/port/model.ts";
import { worstCase } from "../../src/model/port/usage.ts";
import { pricingFrom } from "../../src/model/providers/pricing.ts";
import { settled } from "./manual-time.ts";
import { answer, failure, held, NEVER, request, scripted, tokens, worst } from "./requests.ts";

/** Every token costs a micro-dollar. */
const pricing = pricingFrom({}, { input: 1, output: 1 });
const WORST = worst();

const costing = (input: number): ModelReply => answer({ usage: tokens({ input, output: 0 }) });

/** Two calls of a model whose budget allows one; the caller can abort the second. */
const twoCalls = async () => {
  const { model: inner, calls } = held();
  const model = budgeted(inner, new Budget(WORST, 0), pricing);
  const abort = new AbortController();
  const first = model.ask(request(), NEVER);
  const second = model.ask(request(), abort.signal);
  await settled();
  expect(inner.asked).toHaveLength(1);
  return { model, asked: inner.asked, calls, first, second, abort };
};

describe("a budget", () => {
  it("admits calls while their maximum costs fit", async () => {
    const { model: inner, calls } = held();
    const budget = new Budget(2 * WORST, 0);
    const model = budgeted(inner, budget, pricing);
    const replies = [1, 2, 3].map(() => model.ask(request(), NEVER));
    await settled();
    expect(inner.asked).toHaveLength(2);
    calls[0]?.end(costing(0));
    await settled();
    expect(inner.asked).toHaveLength(3);
    calls[1]?.end(costing(WORST));
    calls[2]?.end(costing(WORST));
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
    expect(budget.spentMicros).toBe(2 * WORST);
  });

  it("refuses a call that does not fit once no call is in progress", async () => {
    const { model, asked, calls, first, second } = await twoCalls();
    calls[0]?.end(costing(1));
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toMatchObject({ ok: false, fault: "over_budget", retriable: false });
    expect(await model.ask(request(), NEVER)).toMatchObject({ fault: "over_budget" });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [0, "the rest of the run's model budget is too small for this call: $0.0000 of"],
    [WORST - 1, "the run's model budget is used up: "],
  ])("says whether it is used up or too small, with %i spent", async (spent, message) => {
    const { model } = held();
    const limited = budgeted(model, new Budget(WORST - 1, spent), pricing);
    const refused = { fault: "over_budget", message: expect.stringContaining(message) };
    expect(await limited.ask(request(), NEVER)).toMatchObject(refused);
  });

  it("drops a waiting call when it is aborted", async () => {
    const { asked, calls, second, abort } = await twoCalls();
    abort.abort();
    expect(await second).toMatchObject({ fault: "cancelled" });
    calls[0]?.end(costing(0));
    await settled();
    expect(asked).toHaveLength(1);
  });

  it("includes the cost of failures", async () => {
    const budget = new Budget(10 * WORST, 0);
    const usage = tokens({ input: 30, output: 12 });
    const inner = scripted(() => ({ ...failure({ fault: "reply_cut_off" }), usage }));
    await budgeted(inner, budget, pricing).ask(request(), NEVER);
    expect(budget.spentMicros).toBe(42);
  });

  it("is never exceeded, in any order of calls and answers", async () => {
    const plan = fc.array(fc.oneof(fc.constant("ask" as const), fc.nat(WORST)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(6 * WORST), async (steps, limitMicros) => {
        const { model: inner, calls } = held();
        const budget = new Budget(limitMicros, 0);
        const model = budgeted(inner, budget, pricing);
        const replies: Promise<ModelReply>[] = [];
        for (const each of steps) {
          if (each === "ask") replies.push(model.ask(request(), NEVER));
          else calls.shift()?.end(costing(each));
          await settled();
          expect(budget.spentMicros).toBeLessThanOrEqual(limitMicros);
        }
        while (calls.length > 0) {
          calls.shift()?.end(costing(WORST));
          await settled();
        }
        expect(budget.spentMicros).toBeLessThanOrEqual(limitMicros);
        expect(await Promise.all(replies)).toHaveLength(replies.length);
      }),
      { numRuns: 40 },
    );
  });
});

it("the worst case of a call exceeds the tokens of any tokenizer", () => {
  // Four characters of 3 bytes each: no tokenizer makes more than 12 tokens of them.
  const { input, output } = worstCase(request({ system: "", prompt: "日本語文" }));
  expect(input).toBeGreaterThanOrEqual(12);
  expect(output).toBe(100);
});
