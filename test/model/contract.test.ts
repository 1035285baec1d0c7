import pLimit from "p-limit";
import { describe, expect, it } from "vitest";
import { failover } from "../../src/model/failover.ts";
import { Budget, budgeted } from "../../src/model/limits/budget.ts";
import { afterCommit, limitConcurrency, withTimeout } from "../../src/model/limits/pacing.ts";
import { rateLimited } from "../../src/model/limits/rate-limit.ts";
import { NO_TOKENS } from "../../src/model/port/model.ts";
import { pricingFrom } from "../../src/model/providers/pricing.ts";
import { recording } from "../../src/model/recording/recording.ts";
import { faults } from "../support/model-server/faults.ts";
import { manualTime, settled } from "./manual-time.ts";
import { modelContract } from "./model-contract.ts";
import { answer, FAILOVER, hanging, held, NEVER, request, scripted } from "./requests.ts";
import { MODEL, PROVIDERS, sdkAt, served } from "./sdk-bench.ts";

const pricing = pricingFrom({}, { input: 3, output: 15 });

modelContract("a timeout", (inner) => withTimeout(inner, 60_000, manualTime()));
modelContract("a limit of concurrent calls", (inner) => limitConcurrency(inner, pLimit(3)));
modelContract("a limit per minute", (inner) => {
  return rateLimited(
    inner,
    { requestsPerMinute: null, tokensPerMinute: 1_000_000, concurrency: null },
    manualTime(),
  );
});
modelContract("a failover", (inner) => {
  const profiles = [{ model: "openai-compatible/tiny", key: 0, asks: inner }];
  return failover(() => ({ profiles }), FAILOVER, manualTime());
});
modelContract("a budget", (inner) => budgeted(inner, new Budget(10_000_000, 0), pricing));
modelContract("a recording", (inner) =>
  // The wrapper inside checks the signal.
  recording(limitConcurrency(inner, pLimit(100)), { sink: () => {}, pricing, now: () => 0 }),
);

describe("a model that hangs", () => {
  it("is abandoned after the timeout, and may have generated the longest answer", async () => {
    const time = manualTime();
    const reply = withTimeout(hanging(), 60_000, time).ask(request(), NEVER);
    await time.pass(59_999);
    expect(time.armed).toBe(1);
    await time.pass(1);
    expect(await reply).toMatchObject({
      ok: false,
      fault: "timeout",
      retriable: true,
      message: "no answer within 60 s",
      latencyMs: 60_000,
      usage: { input: 33, output: 100, estimated: true },
    });
  });

  it("is abandoned when the caller aborts", async () => {
    const time = manualTime();
    const abort = new AbortController();
    const reply = withTimeout(hanging(), 60_000, time).ask(request(), abort.signal);
    await time.pass(10);
    abort.abort();
    expect(await reply).toMatchObject({
      fault: "cancelled",
      retriable: false,
      latencyMs: 10,
      usage: { input: 33, output: 0, estimated: true },
    });
    expect(time.armed).toBe(0);
  });

  describe.each(PROVIDERS)("at %s", (provider) => {
    it.each([
      ["before the reply", faults.hang()],
      ["within the reply", faults.hangMidBody()],
    ])("is abandoned %s", async (_when, hangs) => {
      const server = await served(() => hangs);
      const asked = request({ model: MODEL[provider] });
      const time = manualTime();
      const late = withTimeout(sdkAt({ provider, server }), 5_000, time).ask(asked, NEVER);
      await server.arrived(1);
      await time.pass(5_000);
      expect(await late).toMatchObject({ fault: "timeout", retriable: true });
      const abort = new AbortController();
      const reply = sdkAt({ provider, server }).ask(asked, abort.signal);
      await server.arrived(2);
      abort.abort(new Error("enough"));
      expect(await reply).toMatchObject({ fault: "cancelled", retriable: false });
    });
  });
});

describe("a limit of concurrent calls", () => {
  it("is shared by its models and admits the next call when one ends", async () => {
    const { model: inner, calls } = held();
    const begun = () => calls.map(({ prompt }) => prompt);
    const slots = pLimit(2);
    const [one, other] = [limitConcurrency(inner, slots), limitConcurrency(inner, slots)];
    const replies = ["a", "b", "c", "d"].map((prompt, n) =>
      (n % 2 === 0 ? one : other).ask(request({ prompt }), NEVER),
    );
    await settled();
    expect(begun()).toEqual(["a", "b"]);
    calls[1]?.end();
    await settled();
    expect(begun()).toEqual(["a", "b", "c"]);
    calls[0]?.end();
    await settled();
    for (const { end } of calls) end();
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
  });

  it("charges an aborted call that was sent", async () => {
    const abort = new AbortController();
    const reply = limitConcurrency(hanging(), pLimit(1)).ask(request(), abort.signal);
    await settled();
    abort.abort();
    expect(await reply).toMatchObject({ usage: { input: 33, output: 0, estimated: true } });
  });

  it("drops a waiting call when it is aborted", async () => {
    const { model: inner, calls } = held();
    const model = limitConcurrency(inner, pLimit(1));
    const abort = new AbortController();
    const first = model.ask(request({ prompt: "a" }), NEVER);
    const second = model.ask(request({ prompt: "b" }), abort.signal);
    const third = model.ask(request({ prompt: "c" }), NEVER);
    await settled();
    abort.abort();
    expect(await second).toMatchObject({ fault: "cancelled", usage: NO_TOKENS });
    calls[0]?.end();
    await settled();
    expect(calls.map(({ prompt }) => prompt)).toEqual(["a", "c"]);
    calls[1]?.end();
    expect([await first, await third]).toMatchObject([{ ok: true }, { ok: true }]);
  });
});

describe("a prompt", () => {
  it("is sent when the events that it describes are on disk", async () => {
    const model = scripted(() => answer());
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const reply = afterCommit(model, () => promise).ask(request(), NEVER);
    await Promise.resolve();
    expect(model.asked).toEqual([]);
    resolve(true);
    expect(await reply).toEqual(answer());
    expect(model.asked).toHaveLength(1);
  });

  it("waits only for the events before it was built, if the request names them", async () => {
    const never = (): Promise<boolean> => new Promise(() => {});
    const model = afterCommit(
      scripted(() => answer()),
      never,
    );
    expect(await model.ask(request({ durable: Promise.resolve(true) }), NEVER)).toEqual(answer());
  });

  it("is not sent if the journal failed", async () => {
    const model = scripted(() => answer());
    const reply = await afterCommit(model, async () => false).ask(request(), NEVER);
    expect(reply).toMatchObject({ ok: false, fault: "cancelled" });
    expect(model.asked).toEqual([]);
  });
});
