import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { type KeyLimits, rateLimited } from "../../src/model/limits/rate-limit.ts";
import type { ModelReply, ModelRequest } from "../../src/model/port/model.ts";
import { type ManualTime, manualTime, settled } from "./manual-time.ts";
import { answer, failure, NEVER, request, scripted, tokens, worst } from "./requests.ts";

const NO_LIMITS: KeyLimits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

/** A limited model whose provider answers at once. */
const limited = (limits: Partial<KeyLimits>, reply: ModelReply = answer()) => {
  const time = manualTime();
  const inner = scripted(() => reply);
  const model = rateLimited(inner, { ...NO_LIMITS, ...limits }, time);
  const ask = (asked = request(), signal = NEVER) => model.ask(asked, signal);
  return { time, asked: inner.asked, ask };
};

type Span = readonly [startMs: number, endMs: number, tokens: number];

/** A provider whose replies take time, and its calls. */
const slow = (time: ManualTime, replyTo: (asked: ModelRequest, n: number) => Slow) => {
  const spans: Span[] = [];
  const model = scripted(
    (asked, n) =>
      new Promise<ModelReply>((resolve) => {
        const startMs = time.now();
        const { latencyMs, reply } = replyTo(asked, n);
        time.after(latencyMs, () => {
          spans.push([startMs, time.now(), reply.usage.input + reply.usage.output]);
          resolve(reply);
        });
      }),
  );
  return { model, spans };
};

type Slow = { readonly latencyMs: number; readonly reply: ModelReply };

/**
 * The maximum that a provider can have counted in a minute, wherever between start and end of a
 * call it counts. The worst window begins at the end of a call.
 */
const mostInAMinute = (spans: readonly Span[], weigh: (span: Span) => number): number => {
  const starts = spans.map(([, endMs]) => endMs);
  const counted = (fromMs: number): number =>
    spans
      .filter(([startMs, endMs]) => endMs >= fromMs && startMs <= fromMs + 60_000)
      .reduce((sum, span) => sum + weigh(span), 0);
  return Math.max(0, ...starts.map(counted));
};

describe("the limit of a minute", () => {
  const calls = fc.array(
    fc.record({
      atMs: fc.nat(120_000),
      latencyMs: fc.nat(30_000),
      used: fc.nat(400),
      fails: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  );

  it("is never exceeded, whenever calls start and however long they take", async () => {
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 8 }), async (plan, requestsPerMinute) => {
        const tokensPerMinute = 2_000;
        const time = manualTime();
        const { model: inner, spans } = slow(time, (_asked, n) => {
          const { latencyMs, used, fails } = plan[n - 1] ?? { latencyMs: 0, used: 0, fails: true };
          const usage = tokens({ input: used, output: 0 });
          return { latencyMs, reply: fails ? failure() : answer({ usage }) };
        });
        const model = rateLimited(
          inner,
          { ...NO_LIMITS, requestsPerMinute, tokensPerMinute },
          time,
        );
        const replies: Promise<ModelReply>[] = [];
        for (const { atMs } of plan) {
          time.after(atMs, () => replies.push(model.ask(request({ maxTokens: 100 }), NEVER)));
        }
        await time.pass(60 * 200_000);
        expect(await Promise.all(replies)).toHaveLength(plan.length);
        expect(mostInAMinute(spans, () => 1)).toBeLessThanOrEqual(requestsPerMinute);
        expect(mostInAMinute(spans, ([, , used]) => used)).toBeLessThanOrEqual(tokensPerMinute);
      }),
      { numRuns: 40 },
    );
  });

  it("admits calls one after the other", async () => {
    const { time, asked, ask } = limited({ requestsPerMinute: 3 });
    const replies = [ask(), ask(), ask(), ask()];
    await settled();
    expect(asked).toHaveLength(1);
    await time.pass(2_000);
    expect(asked).toHaveLength(3);
    await time.pass(58_000);
    expect(asked).toHaveLength(3);
    await time.pass(1);
    expect(asked).toHaveLength(4);
    await Promise.all(replies);
    expect(time.armed).toBe(0);
  });

  it("spreads many calls over the minute", async () => {
    const time = manualTime();
    const atMs: number[] = [];
    const inner = scripted(() => {
      atMs.push(time.now());
      return answer();
    });
    const model = rateLimited(inner, { ...NO_LIMITS, requestsPerMinute: 300 }, time);
    const replies = Array.from({ length: 300 }, () => model.ask(request(), NEVER));
    await time.pass(60_000);
    await Promise.all(replies);
    expect(atMs).toEqual(Array.from({ length: 300 }, (_, n) => n * 200));
  });

  it("includes the calls of an earlier process", async () => {
    const time = manualTime();
    const limits = { ...NO_LIMITS, requestsPerMinute: 6, tokensPerMinute: 4_000 };
    const reply = answer({ usage: tokens({ input: 200, output: 300 }) });
    const { model: inner, spans } = slow(time, () => ({ latencyMs: 900, reply }));
    const first = rateLimited(inner, limits, time);
    const asked = [1, 2, 3, 4].map(() => first.ask(request(), NEVER));
    await time.pass(20_000);
    await Promise.all(asked);
    const taken = spans.map(([, endedMs, used]) => ({ tokens: used, endedMs })).reverse();
    const second = rateLimited(inner, { ...limits, taken }, time);
    const others = Array.from({ length: 8 }, () => second.ask(request(), NEVER));
    await time.pass(10_000);
    expect(spans).toHaveLength(6);
    await time.pass(600_000);
    await Promise.all(others);
    expect(mostInAMinute(spans, () => 1)).toBeLessThanOrEqual(6);
    expect(mostInAMinute(spans, ([, , used]) => used)).toBeLessThanOrEqual(4_000);
  });

  it("needs few timers after a resume with a lower limit", async () => {
    const time = manualTime();
    let timers = 0;
    const counted = {
      ...time,
      after: (delayMs: number, call: () => void) => {
        timers += 1;
        return time.after(delayMs, call);
      },
    };
    const taken = [0, 30_000].map((endedMs) => ({ tokens: 1, endedMs }));
    const limits = { ...NO_LIMITS, requestsPerMinute: 1, tokensPerMinute: 1_000_000, taken };
    const inner = scripted(() => answer());
    const model = rateLimited(inner, limits, counted);
    await time.pass(50_000);
    const asking = model.ask(request(), NEVER);
    await time.pass(50_000);
    await asking;
    expect(timers).toBeLessThan(10);
  });

  it("admits a call that exceeds it only alone", async () => {
    const { time, asked, ask } = limited({ tokensPerMinute: 50 });
    await ask(request({ maxTokens: 5_000 }));
    const next = ask(request({ maxTokens: 5_000 }));
    await time.pass(60_000);
    expect(asked).toHaveLength(1);
    await time.pass(1);
    expect(await next).toMatchObject({ ok: true });
  });
});

describe("the worst-case tokens of a call", () => {
  it("are replaced by the counted ones after an answer", async () => {
    const reply = answer({ usage: tokens({ input: 10, output: 10 }) });
    const { asked, ask } = limited({ tokensPerMinute: worst() + 20 }, reply);
    await ask();
    await ask();
    expect(asked).toHaveLength(2);
  });

  it("stay taken if the count is unknown", async () => {
    const reply = failure({ fault: "timeout" });
    const { time, asked, ask } = limited({ tokensPerMinute: worst() + 20 }, reply);
    await ask();
    const second = ask();
    await time.pass(60_000);
    expect(asked).toHaveLength(1);
    await time.pass(1);
    await second;
    expect(asked).toHaveLength(2);
  });
});

describe("a waiting call", () => {
  it("leaves the queue when it is aborted, and later ones advance", async () => {
    const reply = answer({ usage: tokens({ input: 0, output: 100 }) });
    const { time, asked, ask } = limited({ tokensPerMinute: worst() + 100 }, reply);
    await ask();
    const abort = new AbortController();
    const first = ask(request({ maxTokens: 100_000 }), abort.signal);
    const second = ask();
    await settled();
    expect(asked).toHaveLength(1);
    abort.abort();
    expect(await first).toMatchObject({ fault: "cancelled", latencyMs: 0 });
    expect(await second).toMatchObject({ ok: true });
    expect(time.armed).toBe(0);
  });

  it("of each of 200 agents is admitted about equally often", async () => {
    const time = manualTime();
    const { model: inner } = slow(time, (asked) => ({
      latencyMs: 500 + (Number(asked.agent?.slice(1)) % 7) * 300,
      reply: answer(),
    }));
    const model = rateLimited(inner, { ...NO_LIMITS, requestsPerMinute: 300 }, time);
    const thoughts = new Map<string, number>();
    const stop = new AbortController();
    const agents = Array.from({ length: 200 }, (_, n) => think(`a${n}`));
    await time.pass(600_000);
    stop.abort();
    await time.pass(10_000);
    await Promise.all(agents);
    const counts = [...thoughts.values()];
    expect(counts).toHaveLength(200);
    expect(Math.min(...counts)).toBeGreaterThan(10);
    expect(Math.max(...counts) / Math.min(...counts)).toBeLessThanOrEqual(2);

    async function think(agent: string): Promise<void> {
      while (!stop.signal.aborted) {
        const reply = await model.ask({ ...request(), agent: asId(agent) }, stop.signal);
        if (reply.ok) thoughts.set(agent, (thoughts.get(agent) ?? 0) + 1);
      }
    }
  });
});

it("without limits there is no wrapper", () => {
  const inner = scripted(() => answer());
  expect(rateLimited(inner, NO_LIMITS, manualTime())).toBe(inner);
});
