import { describe, expect, it } from "vitest";
import { type ModelForParts, modelFor } from "../../../src/mind/model/model-for.ts";
import type { RecordedCall } from "../../../src/mind/model/recording.ts";
import { VECTORS } from "../../../src/mind/model/vectors.ts";
import { faults } from "../../support/model-server/faults.ts";
import type { Script } from "../../support/model-server/model-server.ts";
import { manualTime, settled } from "./manual-time.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { llmAt, MODEL, PROVIDERS, served } from "./sdk-bench.ts";

const ENV = {
  GOOGLE_KEY: "google-one,google-two",
  ANTHROPIC_KEY: "anthropic-one",
  OPENAI_KEY: "openai-one",
};

const run = async (
  script: Script,
  rest: Partial<ModelForParts> = {},
  llm: Parameters<typeof llmAt>[1] = {},
) => {
  const server = await served(script);
  const calls: RecordedCall[] = [];
  const made = modelFor({
    settings: llmAt(server, llm),
    models: [MODEL.google],
    env: ENV,
    budgetMicros: null,
    now: () => 5,
    sink: (call) => calls.push(call),
    ...rest,
  });
  return { ...made, server, calls };
};

const WHOLE_DAY_MS = 86_400_000;

/** A clock that gives a turn when `comes` is called. */
const pacing = () => {
  const [waited, turn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    held: false,
    isWaitedFor: waited.promise,
    comes: turn.resolve,
    turn: (): Promise<void> => {
      waited.resolve();
      return turn.promise;
    },
  };
};

describe("the models of a run", () => {
  it.each(PROVIDERS)("record the calls of %s without keys", async (provider) => {
    const { model, calls, server } = await run(() => ({ text: '{"kind": "none"}' }));
    const asking = request({ model: MODEL[provider], form: GREETING });
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true, servedBy: MODEL[provider] });
    // Ten tokens each way, 3 and 15 micro-dollars each.
    expect(calls).toMatchObject([{ costMicros: 180, priced: false, atMs: 5 }]);
    expect(server.calls).toHaveLength(1);
    expect(JSON.stringify(calls)).not.toMatch(/google-one|anthropic-one|openai-one/);
  });

  it("send a question at once and deliver its answer at a turn", async () => {
    const clock = pacing();
    const time = manualTime();
    const { model, calls, server } = await run(() => ({ text: "hello" }), { clock, time });
    const delivered: unknown[] = [];
    const asking = model
      .ask(request({ model: MODEL.google }), NEVER)
      .then((reply) => delivered.push(reply));
    await clock.isWaitedFor;
    // The wait for the turn is not part of the call and does not end it.
    await time.pass(WHOLE_DAY_MS);
    expect(server.calls).toHaveLength(1);
    expect(calls).toMatchObject([{ reply: { ok: true, text: "hello" } }]);
    expect(delivered).toEqual([]);
    clock.comes();
    await asking;
    expect(delivered).toMatchObject([{ ok: true, text: "hello" }]);
  });

  it("send only requests for vectors while the run is paused", async () => {
    const clock = pacing();
    clock.held = true;
    const { model, server } = await run(() => ({ text: "hello" }), { clock });
    const asking = model.ask(request({ model: MODEL.google }), NEVER);
    await clock.isWaitedFor;
    const vectors = { model: MODEL.openai, form: VECTORS, prompt: '["one"]' };
    expect(await model.ask(request(vectors), NEVER)).toMatchObject({ ok: true });
    expect(server.calls).toMatchObject([{ texts: ["one"] }]);
    clock.comes();
    expect(await asking).toMatchObject({ ok: true, text: "hello" });
    expect(server.calls).toHaveLength(2);
  });

  it("hold a question that waited for another call when the pause began", async () => {
    const [clock, answered] = [pacing(), Promise.withResolvers<undefined>()];
    const { model, server } = await run(() => answered.promise, { clock }, { max_concurrency: 1 });
    const [first, second] = [1, 2].map(() => model.ask(request({ model: MODEL.google }), NEVER));
    await server.arrived(1);
    clock.held = true;
    answered.resolve(undefined);
    await clock.isWaitedFor;
    await settled();
    expect(server.calls).toHaveLength(1);
    clock.comes();
    expect(await Promise.all([first, second])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(server.calls).toHaveLength(2);
  });

  it("can be aborted during a pause, before the question and before the answer", async () => {
    const clock = pacing();
    const { model, calls, server } = await run(() => ({ text: "hello" }), { clock });
    const abort = new AbortController();
    const answered = model.ask(request({ model: MODEL.google }), abort.signal);
    await clock.isWaitedFor;
    clock.held = true;
    const unasked = model.ask(request({ model: MODEL.google }), abort.signal);
    await settled();
    abort.abort();
    expect(await answered).toMatchObject({ ok: false, fault: "cancelled", usage: { output: 10 } });
    expect(await unasked).toMatchObject({ ok: false, fault: "cancelled" });
    expect(calls).toHaveLength(1);
    expect(server.calls).toHaveLength(1);
  });

  it("use the next key if one is refused", async () => {
    const { model, server } = await run(({ key }) =>
      key === "google-one" ? faults.badKey400() : { text: "hello" },
    );
    for (const _ of [1, 2]) {
      const reply = await model.ask(request({ model: "gemini/gemini-3-flash-preview" }), NEVER);
      expect(reply).toMatchObject({ ok: true, servedBy: MODEL.google });
    }
    expect(server.calls.map(({ key }) => key)).toEqual(["google-one", "google-two", "google-two"]);
  });

  it("use the fallback model if all keys have no credit", async () => {
    const profiles = { "gemini/gemini-3-flash-preview": [MODEL.anthropic] };
    const limits = { cooldown_initial_s: 1, cooldown_max_s: 60, attempts_max: 4 };
    const { model, server } = await run(
      ({ provider }) => (provider === "anthropic" ? { text: "hello" } : faults.noCredit()),
      {},
      { failover: { ...limits, profiles } },
    );
    const reply = await model.ask(request({ model: MODEL.google }), NEVER);
    expect(reply).toMatchObject({ ok: true, servedBy: MODEL.anthropic });
    const keys = ["google-one", "google-two", "anthropic-one"];
    expect(server.calls.map(({ key }) => key)).toEqual(keys);
  });

  it("repeat a request at once if its form is refused", async () => {
    const { model, server } = await run(({ body }) =>
      JSON.stringify(body).includes("oneOf") ? faults.badSchema() : { text: "{}" },
    );
    const asking = request({ model: MODEL.google, form: GREETING });
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true, text: "{}" });
    expect(server.calls).toHaveLength(2);
  });

  it("report problems before the first request", async () => {
    const { problems, model } = await run(() => undefined, {
      models: [MODEL.google, MODEL.openai, "x"],
      env: { GOOGLE_KEY: "k" },
    });
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain("OPENAI_KEY");
    const reply = await model.ask(request({ model: MODEL.openai }), NEVER);
    expect(reply).toMatchObject({ ok: false, fault: "bad_request" });
    expect(await model.ask(request({ model: "x" }), NEVER)).toMatchObject({ fault: "bad_request" });
  });

  it("time out and retry a call that hangs, then fail", async () => {
    const time = manualTime();
    const { model, server } = await run(() => faults.hang(), { time });
    const reply = model.ask(request({ model: MODEL.openai }), NEVER);
    for (const attempt of [1, 2, 3, 4]) {
      await server.arrived(attempt);
      await time.pass(60_000);
      await time.pass(10_000);
    }
    expect(await reply).toMatchObject({ ok: false, fault: "timeout", latencyMs: 240_000 });
    expect(server.calls).toHaveLength(4);
  });

  it("count the calls of an earlier process against the limits of a key", async () => {
    const time = manualTime();
    const server = await served(() => ({ text: "hello" }));
    const { google, ...others } = llmAt(server).providers;
    const providers = { ...others, google: { ...google, requests_per_minute: 2 } };
    const ended = (key: number, agoMs: number) => {
      return { model: MODEL.google, key, tokens: 9, endedMs: time.wallMs() - agoMs };
    };
    const { model } = modelFor({
      settings: llmAt(server, { providers }),
      models: [MODEL.google],
      env: { GOOGLE_KEY: "google-one" },
      budgetMicros: null,
      now: () => 0,
      time,
      // The calls of another key and of another provider do not count.
      attempts: [ended(0, 50_000), ended(1, 1_000), { ...ended(0, 0), model: MODEL.openai }],
    });
    const asking = request({ model: MODEL.google });
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true });
    const second = model.ask(asking, NEVER);
    await time.pass(9_999);
    expect(server.calls).toHaveLength(1);
    await time.pass(1_002);
    expect(await second).toMatchObject({ ok: true });
  });

  it("stop at the budget of the run", async () => {
    const { model, spentMicros } = await run(() => ({ text: "hello" }), { budgetMicros: 3_600 });
    const asking = request({ model: MODEL.openai });
    // Ten tokens each way cost 180 micro-dollars, but could cost some 2,600 each time.
    const replies = await Promise.all(Array.from({ length: 30 }, () => model.ask(asking, NEVER)));
    const answered = replies.filter(({ ok }) => ok).length;
    expect(answered).toBeGreaterThan(1);
    expect(spentMicros()).toBe(180 * answered);
    expect(spentMicros()).toBeLessThanOrEqual(3_600);
    expect(replies.at(-1)).toMatchObject({ ok: false, fault: "over_budget" });
  });
});

it("a replay gives the recorded replies without a provider", async () => {
  const first = await run(({ n }) => (n === 2 ? faults.refusal() : { text: `answer ${n}` }));
  const asks = [MODEL.google, MODEL.google, MODEL.openai].map((model) => request({ model }));
  const replies = [];
  for (const each of asks) replies.push(await first.model.ask(each, NEVER));
  const second = await run(() => undefined, {
    replay: { calls: first.calls, otherwise: "fail" },
    env: {},
  });
  expect(second.problems).toEqual([]);
  const again = [];
  for (const each of asks) again.push(await second.model.ask(each, NEVER));
  expect(again).toEqual(replies);
  expect(second.calls).toEqual(first.calls);
  expect(second.replayed()).toEqual({ hits: 3, misses: 0, left: 0 });
  expect(second.server.calls).toEqual([]);
});
