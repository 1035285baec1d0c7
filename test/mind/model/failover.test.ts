import { describe, expect, it } from "vitest";
import { failover, type Profile } from "../../../src/mind/model/failover.ts";
import type { Model, ModelReply } from "../../../src/mind/model/model.ts";
import { mostTokens } from "../../../src/mind/model/usage.ts";
import { type ManualTime, manualTime, settled } from "./manual-time.ts";
import { answer, failure, NEVER, request, scripted, tokens } from "./requests.ts";

const SETTINGS = {
  coolDownInitialMs: 1_000,
  coolDownMaxMs: 60_000,
  attemptsMax: 4,
  patienceMs: 300_000,
};

const over = (
  time: ManualTime,
  models: readonly (readonly [model: string, asks: Model])[],
  attemptsMax = 4,
): Model => {
  const profiles = models.map(([model, asks], key): Profile => ({ model, key, asks }));
  return failover(() => ({ profiles }), { ...SETTINGS, attemptsMax }, time);
};

/** Fails so many times, then answers; and when it was asked. */
const failing = (time: ManualTime, times: number, reply: ModelReply = failure()) => {
  const atMs: number[] = [];
  const model = scripted((_asking, n) => {
    atMs.push(time.now());
    return n <= times ? reply : answer();
  });
  return { model, atMs };
};

const soon = async (time: ManualTime, reply: Promise<ModelReply>): Promise<ModelReply> => {
  await time.pass(1_000_000);
  return reply;
};

describe("one profile", () => {
  it("is asked again after a rest that doubles", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 3);
    const reply = await soon(time, over(time, [["a/x", model]]).ask(request(), NEVER));
    expect(reply).toMatchObject({ ok: true });
    expect(atMs).toEqual([0, 1_000, 3_000, 7_000]);
  });

  it("tells how often and when it was asked, with which key, and what may count", async () => {
    const time = manualTime();
    const { model } = failing(time, 1, failure({ fault: "timeout" }));
    const reply = await soon(time, over(time, [["a/x", model]]).ask(request(), NEVER));
    const beganMs = time.wallMs() - time.now();
    expect(reply.attempts).toEqual([
      // Nobody knows what of it was counted: all that it could use.
      { model: "a/x", key: 0, tokens: mostTokens(request({ model: "a/x" })), endedMs: beganMs },
      { model: "a/x", key: 0, tokens: 15, endedMs: beganMs + 1_000 },
    ]);
  });

  it("rests no longer than the longest rest", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 9);
    await soon(time, over(time, [["a/x", model]], 10).ask(request(), NEVER));
    const rests = atMs.slice(1).map((at, n) => at - (atMs[n] ?? 0));
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it("is left alone for as long as it asks, a minute and more", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 1, failure({ retryAfterMs: 120_000 }));
    await soon(time, over(time, [["a/x", model]]).ask(request(), NEVER));
    expect(atMs).toEqual([0, 120_000]);
  });

  it("is not waited for where it asks for longer than anybody will wait", async () => {
    const time = manualTime();
    const asks = failure({ fault: "rate_limited", retryAfterMs: 3_600_000 });
    const { model, atMs } = failing(time, 1, asks);
    const all = over(time, [["a/x", model]]);
    expect(await all.ask(request(), NEVER)).toMatchObject({ ok: false, fault: "rate_limited" });
    await time.pass(60_000);
    expect(await all.ask(request(), NEVER)).toMatchObject({
      fault: "rate_limited",
      retriable: true,
      retryAfterMs: 3_540_000,
    });
    expect(atMs).toEqual([0]);
  });

  it("is asked so many times and not more", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 99);
    const reply = await soon(time, over(time, [["a/x", model]]).ask(request(), NEVER));
    expect(reply).toMatchObject({ ok: false, fault: "provider_error", retriable: true });
    expect(atMs).toHaveLength(4);
  });

  it.each(["bad_request", "refused", "cut_off", "over_budget", "unauthorized"] as const)(
    "is not asked again after %s",
    async (fault) => {
      const time = manualTime();
      const { model, atMs } = failing(time, 99, failure({ fault, retriable: false }));
      const reply = await soon(time, over(time, [["a/x", model]]).ask(request(), NEVER));
      expect(reply).toMatchObject({ ok: false, fault });
      expect(atMs).toHaveLength(1);
    },
  );

  it("is asked at once in another form", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 2, failure({ fault: "bad_request", retriable: true }));
    const reply = await over(time, [["a/x", model]]).ask(request(), NEVER);
    expect(reply).toMatchObject({ ok: true });
    expect(atMs).toEqual([0, 0, 0]);
  });

  it("rests once for calls that fail together", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 10);
    const all = over(time, [["a/x", model]]);
    const replies = Array.from({ length: 10 }, () => all.ask(request(), NEVER));
    await time.pass(1_000);
    expect(await Promise.all(replies)).toHaveLength(10);
    expect(atMs.slice(10)).toEqual(new Array(10).fill(1_000));
  });

  it("begins anew after a success", async () => {
    const time = manualTime();
    const { model, atMs } = failing(time, 1);
    const all = over(time, [["a/x", model]]);
    await soon(time, all.ask(request(), NEVER));
    expect(atMs).toEqual([0, 1_000]);
    const again = scripted((_asking, n) => (n % 2 === 1 ? failure() : answer()));
    const other = over(time, [["a/y", again]]);
    for (const _ of [1, 2, 3]) {
      const startMs = time.now();
      const reply = other.ask(request(), NEVER);
      await time.pass(1_000);
      expect(await reply).toMatchObject({ ok: true });
      expect(time.now() - startMs).toBe(1_000);
    }
  });

  it("is not waited for by a caller that gives up", async () => {
    const time = manualTime();
    const { model } = failing(time, 1, failure({ retryAfterMs: 60_000 }));
    const giveUp = new AbortController();
    const reply = over(time, [["a/x", model]]).ask(request(), giveUp.signal);
    await settled();
    giveUp.abort();
    expect(await reply).toMatchObject({ fault: "cancelled" });
    expect(time.armed).toBe(0);
    expect(model.asked).toHaveLength(1);
  });
});

describe("several profiles", () => {
  it("move on from one that is silent, although it may have written something", async () => {
    const time = manualTime();
    const guess = tokens({ estimated: true });
    const first = failing(time, 1, { ...failure({ fault: "timeout" }), usage: guess });
    const second = failing(time, 0);
    const all = over(time, [
      ["a/x", first.model],
      ["b/y", second.model],
    ]);
    const reply = await all.ask(request(), NEVER);
    expect(reply).toMatchObject({ ok: true, usage: { input: 20, output: 10, estimated: true } });
    expect([first.atMs, second.atMs]).toEqual([[0], [0]]);
  });

  it("are tried in order, and the first rests while the next is asked", async () => {
    const time = manualTime();
    const first = failing(time, 1);
    const second = failing(time, 0);
    const all = over(time, [
      ["a/x", first.model],
      ["b/y", second.model],
    ]);
    await all.ask(request(), NEVER);
    expect(second.model.asked).toMatchObject([{ model: "b/y" }]);
    await all.ask(request(), NEVER);
    expect([first.atMs, second.atMs]).toEqual([[0], [0, 0]]);
    await time.pass(1_000);
    await all.ask(request(), NEVER);
    expect(first.atMs).toEqual([0, 1_000]);
  });

  it.each(["unauthorized", "no_credit"] as const)(
    "move on when a key is %s, and leave it alone for the longest rest",
    async (fault) => {
      const time = manualTime();
      const first = failing(time, 1, failure({ fault, retriable: false }));
      const second = failing(time, 0);
      const all = over(time, [
        ["a/x", first.model],
        ["a/x", second.model],
      ]);
      expect(await all.ask(request(), NEVER)).toMatchObject({ ok: true });
      await time.pass(59_999);
      await all.ask(request(), NEVER);
      expect(first.atMs).toEqual([0]);
      await time.pass(1);
      await all.ask(request(), NEVER);
      expect(first.atMs).toEqual([0, 60_000]);
    },
  );

  it("that are all refused fail at once, and are not asked while they rest", async () => {
    const time = manualTime();
    const bad = failure({ fault: "unauthorized", retriable: false });
    const [first, second] = [failing(time, 99, bad), failing(time, 99, bad)];
    const all = over(time, [
      ["a/x", first.model],
      ["a/x", second.model],
    ]);
    for (const _ of [1, 2, 3]) {
      expect(await all.ask(request(), NEVER)).toMatchObject({ ok: false, fault: "unauthorized" });
    }
    expect([first.atMs, second.atMs]).toEqual([[0], [0]]);
  });

  it("share no call that has cost something, unless they have one price", async () => {
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

it("says why where there is nobody to ask", async () => {
  const none = failover(() => ({ problem: "no key for a/x: set X" }), SETTINGS, manualTime());
  const reply = await none.ask(request(), NEVER);
  expect(reply).toMatchObject({ fault: "bad_request", message: "no key for a/x: set X" });
});
