import { describe, expect, it } from "vitest";
import { type ModelForParts, modelFor } from "../../src/model/model-for.ts";
import type { ModelRequest } from "../../src/model/port/model.ts";
import { VECTORS } from "../../src/model/port/vectors.ts";
import type { RecordedCall } from "../../src/model/recording/recording.ts";
import { faults } from "../support/model-server/faults.ts";
import type { Script } from "../support/model-server/model-server.ts";
import { OVERFLOW } from "../support/model-server/overflows.ts";
import { manualTime, settled } from "./manual-time.ts";
import { GREETING, NEVER, request } from "./requests.ts";
import { llmAt, MODEL, PROVIDERS, served, settingsAt } from "./sdk-bench.ts";

const ENV = {
  GOOGLE_KEY: "google-one,google-two",
  ANTHROPIC_KEY: "anthropic-one",
  OPENAI_KEY: "openai-one",
};

const UNLIMITED = {
  budgetMicros: Number.POSITIVE_INFINITY,
  seed: 1,
  spentMicros: 0,
  attempts: [],
  replay: null,
  resumed: [],
  durable: async () => true,
  clock: { held: false, turn: async () => {} },
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
    env: ENV,
    ...UNLIMITED,
    now: () => 5,
    sink: (call) => calls.push(call),
    ...rest,
  });
  const ask = (rest: Partial<ModelRequest> = {}, signal = NEVER) =>
    made.model.ask(request({ model: MODEL.google, ...rest }), signal);
  return { ...made, ask, server, calls };
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
    const { ask, calls, server } = await run(() => ({ text: '{"kind": "none"}' }));
    const reply = await ask({ model: MODEL[provider], form: GREETING });
    expect(reply).toMatchObject({ ok: true, servedBy: MODEL[provider] });
    // Ten tokens each way, 3 and 15 micro-dollars each.
    expect(calls).toMatchObject([{ costMicros: 180, priced: false, atMs: 5 }]);
    expect(server.calls).toHaveLength(1);
    expect(JSON.stringify(calls)).not.toMatch(/google-one|anthropic-one|openai-one/);
  });

  it("send a question at once and deliver its answer at a turn", async () => {
    const clock = pacing();
    const time = manualTime();
    const { ask, calls, server } = await run(() => ({ text: "hello" }), { clock, time });
    const delivered: unknown[] = [];
    const asking = ask().then((reply) => delivered.push(reply));
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
    const { ask, server } = await run(() => ({ text: "hello" }), { clock });
    const asking = ask();
    await clock.isWaitedFor;
    const vectors = { model: MODEL.openai, form: VECTORS, prompt: '["one"]' };
    expect(await ask(vectors)).toMatchObject({ ok: true });
    expect(server.calls).toMatchObject([{ texts: ["one"] }]);
    clock.comes();
    expect(await asking).toMatchObject({ ok: true, text: "hello" });
    expect(server.calls).toHaveLength(2);
  });

  it("hold a question that waited for another call when the pause began", async () => {
    const [clock, answered] = [pacing(), Promise.withResolvers<undefined>()];
    const { ask, server } = await run(() => answered.promise, { clock }, { max_concurrency: 1 });
    const [first, second] = [ask(), ask()];
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
    const { ask, calls, server } = await run(() => ({ text: "hello" }), { clock });
    const abort = new AbortController();
    const answered = ask({}, abort.signal);
    await clock.isWaitedFor;
    clock.held = true;
    const unasked = ask({}, abort.signal);
    await settled();
    abort.abort();
    expect(await answered).toMatchObject({ ok: false, fault: "cancelled", usage: { output: 10 } });
    expect(await unasked).toMatchObject({ ok: false, fault: "cancelled" });
    expect(calls).toHaveLength(1);
    expect(server.calls).toHaveLength(1);
  });

  it("use the next key if one is refused", async () => {
    const { ask, server } = await run(({ key }) =>
      key === "google-one" ? faults.badKey400() : { text: "hello" },
    );
    for (const model of Array(2).fill("gemini/gemini-3-flash-preview")) {
      expect(await ask({ model })).toMatchObject({ ok: true, servedBy: MODEL.google });
    }
    expect(server.calls.map(({ key }) => key)).toEqual(["google-one", "google-two", "google-two"]);
  });

  it("use the next key after a reply that ends with an error", async () => {
    const { ask, server } = await run(({ key }) =>
      key === "google-one" ? { text: "hel", ending: "error" } : { text: "hello" },
    );
    expect(await ask()).toMatchObject({ ok: true, text: "hello" });
    expect(server.calls.map(({ key }) => key)).toEqual(["google-one", "google-two"]);
  });

  it("use no other key for a prompt that is too long, and the same key next time", async () => {
    const { ask, server } = await run(({ n }) => (n === 1 ? OVERFLOW.google : { text: "hello" }));
    expect(await ask()).toMatchObject({ ok: false, fault: "context_overflow" });
    expect(await ask()).toMatchObject({ ok: true });
    expect(server.calls.map(({ key }) => key)).toEqual(["google-one", "google-one"]);
  });

  it("use the fallback model if all keys have no credit", async () => {
    const profiles = { "gemini/gemini-3-flash-preview": [MODEL.anthropic] };
    const limits = { cooldown_initial_s: 1, cooldown_max_s: 60, attempts_max: 4 };
    const script: Script = ({ provider }) =>
      provider === "anthropic" ? { text: "hello" } : faults.noCredit();
    const { ask, server } = await run(script, {}, { failover: { ...limits, profiles } });
    expect(await ask()).toMatchObject({ ok: true, servedBy: MODEL.anthropic });
    const keys = ["google-one", "google-two", "anthropic-one"];
    expect(server.calls.map(({ key }) => key)).toEqual(keys);
  });

  it("repeat a request at once if its form is refused", async () => {
    const { ask, server } = await run(({ body }) =>
      JSON.stringify(body).includes("oneOf") ? faults.badSchema() : { text: "{}" },
    );
    expect(await ask({ form: GREETING })).toMatchObject({ ok: true, text: "{}" });
    expect(server.calls).toHaveLength(2);
  });

  it("refuse a request to a model that cannot be called", async () => {
    const { ask } = await run(() => undefined, { env: { GOOGLE_KEY: "k" } });
    const bad = { ok: false, fault: "bad_request" };
    expect(await ask({ model: MODEL.openai })).toMatchObject(bad);
    expect(await ask({ model: "x" })).toMatchObject(bad);
  });

  it("time out and retry a call that hangs, then fail", async () => {
    const time = manualTime();
    const { ask, server } = await run(() => faults.hang(), { time });
    const reply = ask({ model: MODEL.openai });
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
    const google = settingsAt(server.baseUrl("google"), {
      api_key_env: "GOOGLE_KEY",
      requests_per_minute: 2,
    });
    const providers = { ...llmAt(server).providers, google };
    const ended = (key: number, agoMs: number) => {
      return { model: MODEL.google, key, tokens: 9, endedMs: time.wallMs() - agoMs };
    };
    // The calls of another key and of another provider do not count.
    const attempts = [ended(0, 50_000), ended(1, 1_000), { ...ended(0, 0), model: MODEL.openai }];
    const { model } = modelFor({
      settings: llmAt(server, { providers }),
      env: { GOOGLE_KEY: "google-one" },
      ...UNLIMITED,
      now: () => 0,
      sink: () => {},
      time,
      attempts,
    });
    const asking = request({ model: MODEL.google });
    expect(await model.ask(asking, NEVER)).toMatchObject({ ok: true });
    const second = model.ask(asking, NEVER);
    await time.pass(9_999);
    expect(server.calls).toHaveLength(1);
    await time.pass(1_002);
    expect(await second).toMatchObject({ ok: true });
  });
});
