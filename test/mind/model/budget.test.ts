import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget, budgeted } from "../../../src/mind/model/limits/budget.ts";
import type { ModelReply } from "../../../src/mind/model/model.ts";
import { pricingFrom } from "../../../src/mind/model/pricing.ts";
import { worstCase } from "../../../src/mind/model/usage.ts";
import { settled } from "./manual-time.ts";
import { answer, NEVER, request, scripted, tokens } from "./requests.ts";

/** A micro-dollar for each token, whichever way it goes. */
const pricing = pricingFrom({}, { input: 1, output: 1 });

const worst = (() => {
  const { input, output } = worstCase(request());
  return input + output;
})();

/** A model that answers when a test says so, and what each answer costs. */
const held = () => {
  const ends: ((costMicros: number) => void)[] = [];
  const model = scripted(
    () =>
      new Promise<ModelReply>((resolve) =>
        ends.push((input) => resolve(answer({ usage: tokens({ input, output: 0 }) }))),
      ),
  );
  return { model, ends };
};

describe("a budget", () => {
  it("lets calls through while the worst of them all fits", async () => {
    const { model: inner, ends } = held();
    const budget = new Budget(2 * worst, 0);
    const model = budgeted(inner, budget, pricing);
    const replies = [1, 2, 3].map(() => model.ask(request(), NEVER));
    await settled();
    expect(inner.asked).toHaveLength(2);
    ends[0]?.(0);
    await settled();
    expect(inner.asked).toHaveLength(3);
    ends[1]?.(worst);
    ends[2]?.(worst);
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
    expect(budget.spentMicros).toBe(2 * worst);
  });

  it("says that it is used up once nobody is on the way who could leave something", async () => {
    const { model: inner, ends } = held();
    const model = budgeted(inner, new Budget(worst, 0), pricing);
    const first = model.ask(request(), NEVER);
    const second = model.ask(request(), NEVER);
    await settled();
    expect(inner.asked).toHaveLength(1);
    ends[0]?.(1);
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toMatchObject({ ok: false, fault: "over_budget", retriable: false });
    expect(await model.ask(request(), NEVER)).toMatchObject({ fault: "over_budget" });
    expect(inner.asked).toHaveLength(1);
  });

  it("lets go of whoever gives up waiting", async () => {
    const { model: inner, ends } = held();
    const model = budgeted(inner, new Budget(worst, 0), pricing);
    void model.ask(request(), NEVER);
    const giveUp = new AbortController();
    const second = model.ask(request(), giveUp.signal);
    await settled();
    giveUp.abort();
    expect(await second).toMatchObject({ fault: "cancelled" });
    ends[0]?.(0);
    await settled();
    expect(inner.asked).toHaveLength(1);
  });

  it("counts what a failure has cost", async () => {
    const budget = new Budget(10 * worst, 0);
    const inner = scripted(() => ({
      ok: false,
      fault: "cut_off",
      message: "",
      retriable: false,
      retryAfterMs: null,
      servedBy: "openai-compatible/tiny",
      usage: tokens({ input: 30, output: 12 }),
      latencyMs: 1,
    }));
    await budgeted(inner, budget, pricing).ask(request(), NEVER);
    expect(budget.spentMicros).toBe(42);
  });

  it("is never passed, in whatever order calls come and end", async () => {
    const step = fc.oneof(fc.constant("ask" as const), fc.nat(worst));
    const plan = fc.array(step, { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(6 * worst), async (steps, limitMicros) => {
        const { model: inner, ends } = held();
        const budget = new Budget(limitMicros, 0);
        const model = budgeted(inner, budget, pricing);
        const replies: Promise<ModelReply>[] = [];
        for (const each of steps) {
          if (each === "ask") replies.push(model.ask(request(), NEVER));
          else ends.shift()?.(each);
          await settled();
          expect(budget.spentMicros).toBeLessThanOrEqual(limitMicros);
        }
        while (ends.length > 0) {
          ends.shift()?.(worst);
          await settled();
        }
        expect(budget.spentMicros).toBeLessThanOrEqual(limitMicros);
        expect(await Promise.all(replies)).toHaveLength(replies.length);
      }),
      { numRuns: 40 },
    );
  });
});

it("the worst case of a call is worse than what tokenizers make of it", () => {
  // Four letters of 3 bytes each: no tokenizer makes more than 12 tokens of them.
  const { input, output } = worstCase(request({ system: "", prompt: "日本語文" }));
  expect(input).toBeGreaterThanOrEqual(12);
  expect(output).toBe(100);
});
