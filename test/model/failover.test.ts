import { describe, expect, it } from "vitest";
import { failover, type Profile } from "../../src/model/failover.ts";
import type { Model, ModelReply } from "../../src/model/port/model.ts";
import { mostTokens } from "../../src/model/port/usage.ts";
import { type ManualTime, manualTime, settled } from "./manual-time.ts";
import { answer, FAILOVER, failure, NEVER, request, scripted, tokens } from "./requests.ts";

const over = (
  time: ManualTime,
  models: readonly (readonly [model: string, asks: Model])[],
  attemptsMax = 4,
): Model => {
  const profiles = models.map(([model, asks], key): Profile => ({ model, key, asks }));
  return failover(() => ({ profiles }), { ...FAILOVER, attemptsMax }, time);
};

/** A model that fails `times` times, then answers; and when it was asked. */
const failing = (time: ManualTime, times: number, reply: ModelReply = failure()) => {
  const atMs: number[] = [];
  const model = scripted((_asked, n) => {
    atMs.push(time.now());
    return n <= times ? reply : answer();
  });
  return { model, atMs };
};

/** One profile that fails `times` times, and the reply to one call. */
const one = async (times: number, reply?: ModelReply, attemptsMax = 4) => {
  const time = manualTime();
  const { model, atMs } = failing(time, times, reply);
  const replying = over(time, [["a/x", model]], attemptsMax).ask(request(), NEVER);
  await time.pass(1_000_000);
  return { atMs, reply: await replying, beganMs: time.wallMs() - time.now() };
};

/** One profile that fails `times` times, and how to ask it. */
const single = (times: number, reply?: ModelReply) => {
  const time = manualTime();
  const { model, atMs } = failing(time, times, reply);
  const all = over(time, [["a/x", model]]);
  return { time, atMs, model, ask: (signal = NEVER) => all.ask(request(), signal) };
};

describe("one profile", () => {
  it("is retried after a cooldown that doubles", async () => {
    const { reply, atMs } = await one(3);
    expect(reply).toMatchObject({ ok: true });
    expect(atMs).toEqual([0, 1_000, 3_000, 7_000]);
  });

  it("reports each attempt with its key, its end and the tokens that may count", async () => {
    const { reply, beganMs } = await one(1, failure({ fault: "timeout" }));
    expect(reply.attempts).toEqual([
      // The count is unknown, so it is the worst case.
      { model: "a/x", key: 0, tokens: mostTokens(request({ model: "a/x" })), endedMs: beganMs },
      { model: "a/x", key: 0, tokens: 15, endedMs: beganMs + 1_000 },
    ]);
  });

  it("tells of each retry before it, so that what the reply has shown can be dropped", async () => {
    const told: unknown[] = [];
    const model = scripted((asked, n) => {
      asked.onDelta?.({ type: "text", text: `attempt ${n}` });
      return n <= 2 ? failure({ fault: n === 1 ? "connection" : "empty" }) : answer();
    });
    const time = manualTime();
    const reply = over(time, [["a/x", model]]).ask(
      request({ onDelta: (delta) => told.push(delta), onRetry: (retry) => told.push(retry) }),
      NEVER,
    );
    await time.pass(10_000);
    expect(await reply).toMatchObject({ ok: true });
    const profile = { model: "a/x", key: 0 };
    expect(told).toEqual([
      { type: "text", text: "attempt 1" },
      { attempt: 1, reason: "connection", profile },
      { type: "text", text: "attempt 2" },
      { attempt: 2, reason: "empty", profile },
      { type: "text", text: "attempt 3" },
    ]);
  });

  it("cools down for at most the maximum", async () => {
    const { atMs } = await one(9, failure(), 10);
    const cooldowns = atMs.slice(1).map((at, n) => at - (atMs[n] ?? 0));
    const doubling = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
    expect(cooldowns).toEqual([...doubling, 60_000, 60_000, 60_000]);
  });

  it("cools down for as long as the provider requests, even above the maximum", async () => {
    const { atMs } = await one(1, failure({ retryAfterMs: 120_000 }));
    expect(atMs).toEqual([0, 120_000]);
  });

  it("fails if the provider requests too long a wait", async () => {
    const tooLong = failure({ fault: "rate_limited", retryAfterMs: 3_600_000 });
    const { time, atMs, ask } = single(1, tooLong);
    expect(await ask()).toMatchObject({ ok: false, fault: "rate_limited" });
    await time.pass(60_000);
    expect(await ask()).toMatchObject({
      fault: "rate_limited",
      message: "a/x is in cooldown for 3540 s after rate_limited",
      retriable: true,
      retryAfterMs: 3_540_000,
    });
    expect(atMs).toEqual([0]);
  });

  it("is tried at most `attemptsMax` times, and fails with its last fault", async () => {
    const { reply, atMs } = await one(99);
    const last = { fault: "provider_error", message: "no luck" };
    expect(reply).toMatchObject({ ok: false, ...last, retriable: true });
    expect(atMs).toHaveLength(4);
  });

  const FINAL = [
    ...(["bad_request", "context_overflow", "refused", "reply_cut_off"] as const),
    ...(["over_budget", "unauthorized"] as const),
  ];
  it.each(FINAL)("is not retried after %s", async (fault) => {
    const { reply, atMs } = await one(99, failure({ fault }));
    expect(reply).toMatchObject({ ok: false, fault, retriable: false });
    expect(atMs).toHaveLength(1);
  });

  it("is retried at once in another form", async () => {
    const { reply, atMs } = await one(2, failure({ fault: "bad_request", retriable: true }));
    expect(reply).toMatchObject({ ok: true });
    expect(atMs).toEqual([0, 0, 0]);
  });

  it("cools down once for calls that fail together", async () => {
    const { time, atMs, ask } = single(10);
    const replies = Array.from({ length: 10 }, () => ask());
    await time.pass(1_000);
    expect(await Promise.all(replies)).toHaveLength(10);
    expect(atMs.slice(10)).toEqual(new Array(10).fill(1_000));
  });

  it("starts with the first cooldown again after a success", async () => {
    const time = manualTime();
    const model = scripted((_asked, n) => (n % 2 === 1 ? failure() : answer()));
    const all = over(time, [["a/x", model]]);
    for (const _ of [1, 2, 3]) {
      const reply = all.ask(request(), NEVER);
      await time.pass(1_000);
      expect(await reply).toMatchObject({ ok: true });
    }
    expect(time.now()).toBe(3_000);
  });

  it("can be aborted during a cooldown", async () => {
    const { time, model, ask } = single(1, failure({ retryAfterMs: 60_000 }));
    const abort = new AbortController();
    const reply = ask(abort.signal);
    await settled();
    abort.abort();
    expect(await reply).toMatchObject({ fault: "cancelled" });
    expect(time.armed).toBe(0);
    expect(model.asked).toHaveLength(1);
  });
});

describe("several profiles", () => {
  /** The first fails once, the second answers. */
  const two = (reply: ModelReply, models: readonly [string, string]) => {
    const time = manualTime();
    const [first, second] = [failing(time, 1, reply), failing(time, 0)];
    const all = over(time, [
      [models[0], first.model],
      [models[1], second.model],
    ]);
    return { time, first, second, ask: () => all.ask(request(), NEVER) };
  };

  it("are tried in order while the first cools down", async () => {
    const { time, first, second, ask } = two(failure(), ["a/x", "b/y"]);
    await ask();
    expect(second.model.asked).toMatchObject([{ model: "b/y" }]);
    await ask();
    expect([first.atMs, second.atMs]).toEqual([[0], [0, 0]]);
    await time.pass(1_000);
    await ask();
    expect(first.atMs).toEqual([0, 1_000]);
  });

  it("include other models after a timeout, which may have cost something", async () => {
    const timeout = { ...failure({ fault: "timeout" }), usage: tokens({ estimated: true }) };
    const { first, second, ask } = two(timeout, ["a/x", "b/y"]);
    const usage = { input: 20, output: 10, estimated: true };
    expect(await ask()).toMatchObject({ ok: true, usage });
    expect([first.atMs, second.atMs]).toEqual([[0], [0]]);
  });

  it("wait for the one that is ready first if all cool down", async () => {
    const time = manualTime();
    const busy = (retryAfterMs: number) => failing(time, 1, failure({ retryAfterMs }));
    const [first, second] = [busy(9_000), busy(5_000)];
    const all = over(time, [
      ["a/x", first.model],
      ["b/y", second.model],
    ]);
    const reply = all.ask(request(), NEVER);
    await time.pass(5_000);
    expect(await reply).toMatchObject({ ok: true });
    expect([first.atMs, second.atMs]).toEqual([[0], [0, 5_000]]);
  });

  it("are neither asked nor cooled down after a prompt that is too long", async () => {
    const { first, second, ask } = two(failure({ fault: "context_overflow" }), ["a/x", "b/y"]);
    expect(await ask()).toMatchObject({ ok: false, fault: "context_overflow" });
    expect(second.atMs).toEqual([]);
    expect(await ask()).toMatchObject({ ok: true });
    expect(first.atMs).toEqual([0, 0]);
  });

  const KEYS = ["unauthorized", "no_credit"] as const;
  it.each(KEYS)("replace a key that is %s until the longest cooldown ends", async (fault) => {
    const { time, first, ask } = two(failure({ fault }), ["a/x", "a/x"]);
    expect(await ask()).toMatchObject({ ok: true });
    await time.pass(59_999);
    await ask();
    expect(first.atMs).toEqual([0]);
    await time.pass(1);
    await ask();
    expect(first.atMs).toEqual([0, 60_000]);
  });

  it("fail at once if all keys are refused, and are not asked during the cooldown", async () => {
    const time = manualTime();
    const refusal = failure({ fault: "unauthorized" });
    const [first, second] = [failing(time, 99, refusal), failing(time, 99, refusal)];
    const all = over(time, [
      ["a/x", first.model],
      ["a/x", second.model],
    ]);
    for (const _ of [1, 2, 3]) {
      expect(await all.ask(request(), NEVER)).toMatchObject({ ok: false, fault: "unauthorized" });
    }
    expect([first.atMs, second.atMs]).toEqual([[0], [0]]);
  });

  it("exclude other models once a provider has counted tokens", async () => {
    const time = manualTime();
    const spent: ModelReply = { ...failure({ fault: "empty" }), usage: tokens() };
    const first = failing(time, 1, spent);
    const [same, other] = [failing(time, 0), failing(time, 0)];
    const all = over(time, [
      ["a/x", first.model],
      ["b/y", other.model],
      ["a/x", same.model],
    ]);
    const reply = await all.ask(request(), NEVER);
    expect(reply).toMatchObject({ ok: true, usage: { input: 20, output: 10 }, latencyMs: 3 });
    expect([same.atMs, other.atMs]).toEqual([[0], []]);
  });
});

it("a model without a profile fails with the problem", async () => {
  const none = failover(() => ({ problem: "no key for a/x: set X" }), FAILOVER, manualTime());
  const reply = await none.ask(request(), NEVER);
  expect(reply).toMatchObject({ fault: "bad_request", message: "no key for a/x: set X" });
});
