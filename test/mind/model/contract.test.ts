import pLimit from "p-limit";
import { describe, expect, it } from "vitest";
import { failover } from "../../../src/mind/model/failover.ts";
import { Budget, budgeted } from "../../../src/mind/model/limits/budget.ts";
import { limitConcurrency, withTimeout } from "../../../src/mind/model/limits/pacing.ts";
import { rateLimited } from "../../../src/mind/model/limits/rate-limit.ts";
import { NO_TOKENS } from "../../../src/mind/model/model.ts";
import { pricingFrom } from "../../../src/mind/model/pricing.ts";
import { recording } from "../../../src/mind/model/recording.ts";
import { faults } from "../../support/model-server/faults.ts";
import { manualTime, settled } from "./manual-time.ts";
import { modelContract } from "./model-contract.ts";
import { answer, deaf, NEVER, request, scripted } from "./requests.ts";
import { MODEL, PROVIDERS, served, speaking } from "./speaking.ts";

const pricing = pricingFrom({}, { input: 3, output: 15 });
const patient = {
  coolDownInitialMs: 1_000,
  coolDownMaxMs: 60_000,
  attemptsMax: 4,
  patienceMs: 300_000,
};

modelContract("a time-out", (inner) => withTimeout(inner, 60_000, manualTime()));
modelContract("a limit of calls at once", (inner) => limitConcurrency(inner, pLimit(3)));
modelContract("a limit a minute", (inner) => {
  const limits = { requestsPerMinute: null, tokensPerMinute: 1_000_000 };
  return rateLimited(inner, limits, manualTime());
});
modelContract("no limit a minute", (inner) =>
  rateLimited(
    // Without limits there is nothing that looks at the signal first.
    limitConcurrency(inner, pLimit(100)),
    { requestsPerMinute: null, tokensPerMinute: null },
    manualTime(),
  ),
);
modelContract("a failover", (inner) => {
  const profiles = [{ model: "openai-compatible/tiny", key: 0, asks: inner }];
  return failover(() => ({ profiles }), patient, manualTime());
});
modelContract("a budget", (inner) => budgeted(inner, new Budget(10_000_000, 0), pricing));
modelContract("a recording", (inner) =>
  // A recording keeps nothing back, so it stands before something that looks at the signal.
  recording(limitConcurrency(inner, pLimit(100)), { sink: () => {}, pricing, now: () => 0 }),
);

describe("a model that hangs", () => {
  it("is given up after its time", async () => {
    const time = manualTime();
    const inner = deaf();
    const reply = withTimeout(inner, 60_000, time).ask(request(), NEVER);
    await time.pass(59_999);
    expect(time.armed).toBe(1);
    await time.pass(1);
    expect(await reply).toMatchObject({
      ok: false,
      fault: "timeout",
      retriable: true,
      message: "no answer within 60 s",
      latencyMs: 60_000,
      // It may have written all the while.
      usage: { input: 33, output: 100, estimated: true },
    });
  });

  it("is given up when its caller is", async () => {
    const time = manualTime();
    const giveUp = new AbortController();
    const reply = withTimeout(deaf(), 60_000, time).ask(request(), giveUp.signal);
    await time.pass(10);
    giveUp.abort();
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
      ["without a word", faults.hang()],
      ["in the middle of a reply", faults.hangMidBody()],
    ])("%s", async (_how, hangs) => {
      const server = await served(() => hangs);
      const asking = request({ model: MODEL[provider] });

      const time = manualTime();
      const late = withTimeout(speaking({ provider, server }), 5_000, time).ask(asking, NEVER);
      await server.arrived(1);
      await time.pass(5_000);
      expect(await late).toMatchObject({ fault: "timeout", retriable: true });

      const giveUp = new AbortController();
      const reply = speaking({ provider, server }).ask(asking, giveUp.signal);
      await server.arrived(2);
      giveUp.abort(new Error("enough"));
      expect(await reply).toMatchObject({ fault: "cancelled", retriable: false });
    });
  });
});

describe("calls at once", () => {
  /** A model whose answers come when a test says so. */
  const held = () => {
    const waiting: { readonly prompt: string; readonly end: () => void }[] = [];
    const model = scripted(
      ({ prompt }) =>
        new Promise((resolve) => waiting.push({ prompt, end: () => resolve(answer()) })),
    );
    return { model, waiting, begun: () => waiting.map(({ prompt }) => prompt) };
  };

  it("are never more than allowed, and each that ends makes room for the next", async () => {
    const { model: inner, waiting, begun } = held();
    const slots = pLimit(2);
    const [one, other] = [limitConcurrency(inner, slots), limitConcurrency(inner, slots)];
    const replies = ["a", "b", "c", "d"].map((prompt, n) =>
      (n % 2 === 0 ? one : other).ask(request({ prompt }), NEVER),
    );
    await settled();
    expect(begun()).toEqual(["a", "b"]);
    waiting[1]?.end();
    await settled();
    expect(begun()).toEqual(["a", "b", "c"]);
    waiting[0]?.end();
    await settled();
    for (const { end } of waiting) end();
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
  });

  it("that were sent and are given up may be billed all the same", async () => {
    const giveUp = new AbortController();
    const reply = limitConcurrency(deaf(), pLimit(1)).ask(request(), giveUp.signal);
    await settled();
    giveUp.abort();
    expect(await reply).toMatchObject({ usage: { input: 33, output: 0, estimated: true } });
  });

  it("are left at once by whoever gives up", async () => {
    const { model: inner, waiting, begun } = held();
    const model = limitConcurrency(inner, pLimit(1));
    const giveUp = new AbortController();
    const first = model.ask(request({ prompt: "a" }), NEVER);
    const second = model.ask(request({ prompt: "b" }), giveUp.signal);
    const third = model.ask(request({ prompt: "c" }), NEVER);
    await settled();
    giveUp.abort();
    expect(await second).toMatchObject({ fault: "cancelled", usage: NO_TOKENS });
    waiting[0]?.end();
    await settled();
    expect(begun()).toEqual(["a", "c"]);
    waiting[1]?.end();
    expect([await first, await third]).toMatchObject([{ ok: true }, { ok: true }]);
  });
});
