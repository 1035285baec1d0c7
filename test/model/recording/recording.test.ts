import { describe, expect, it } from "vitest";
import { asId } from "../../../src/kernel/index.ts";
import {
  chatForm,
  type ModelReply,
  type ModelRequest,
  type ReplyDelta,
} from "../../../src/model/port/model.ts";
import { ModelCosts, pricingFrom } from "../../../src/model/providers/pricing.ts";
import { type RecordedCall, recording, replaying } from "../../../src/model/recording/recording.ts";

import { answer, failure, GREETING, NEVER, request, scripted, tokens } from "../requests.ts";

const pricing = pricingFrom({ tiny: { input: 1, output: 2 } }, { input: 3, output: 15 });

const recorded = async (asks: readonly ModelRequest[], inner = scripted(() => answer())) => {
  const calls: RecordedCall[] = [];
  const now = () => 100 * (calls.length + 1);
  const model = recording(inner, { sink: (call) => calls.push(call), pricing, now });
  for (const each of asks) await model.ask(each, NEVER);
  return calls;
};

describe("a recording", () => {
  it("holds request, reply, cost and time", async () => {
    const [call] = await recorded([request({ form: GREETING, temperature: 0.3 })]);
    expect(call).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      request: { ...request(), form: "greeting", temperature: 0.3 },
      reply: answer(),
      costMicros: 20,
      priced: true,
      atMs: 100,
    });
    expect(JSON.parse(JSON.stringify(call))).toEqual(call);
  });

  it("holds failures, and cancelled calls that reached a provider", async () => {
    const sent = { fault: "cancelled" as const, usage: tokens({ input: 7 }) };
    const replies: readonly ModelReply[] = [
      failure(),
      failure({ fault: "cancelled" }),
      { ...failure(), ...sent },
      answer({ servedBy: "openai/x" }),
    ];
    const inner = scripted((_asked, n) => replies[n - 1] ?? answer());
    const calls = await recorded([request(), request(), request(), request()], inner);
    expect(calls.map(({ reply, priced }) => [reply.ok, priced])).toEqual([
      [false, true],
      [false, true],
      [true, false],
    ]);
    expect(calls[1]?.reply).toMatchObject(sent);
    const { model, counts } = replaying({ calls: calls.slice(1, 2) }, null);
    expect(await model.ask(request(), NEVER)).toMatchObject({ fault: "not_recorded" });
    expect(counts().left).toBe(0);
  });
});

describe("a replay", () => {
  it("shows each reply at once, and a call that shows its reply is the same call", async () => {
    const shown: ReplyDelta[] = [];
    const onDelta = (delta: ReplyDelta): void => void shown.push(delta);
    const blocks = [
      { type: "text", text: "I look around." },
      { type: "tool_call", id: "c1", name: "look", args: {}, meta: { google: "x" } },
    ];
    const asks = [request(), request({ form: chatForm("step", []) })];
    const inner = scripted(({ form }) =>
      answer(form === null ? {} : { text: JSON.stringify(blocks) }),
    );
    const calls = await recorded(asks, inner);
    expect(await recorded(asks.map((ask) => ({ ...ask, onDelta, onRetry: () => {} })))).toEqual(
      await recorded(asks),
    );
    const { model } = replaying({ calls }, null);
    for (const ask of asks) await model.ask({ ...ask, onDelta }, NEVER);
    expect(shown).toEqual([
      { type: "text", text: "good day" },
      { type: "text", text: "I look around." },
      { type: "tool_call", id: "c1", name: "look", args: {} },
    ]);
  });

  it("answers equal requests in recorded order", async () => {
    const asks = ["a", "b", "a"].map((prompt) => request({ prompt }));
    asks.push(request({ prompt: "a", agent: asId("alice") }));
    const inner = scripted((_asked, n) =>
      n === 2 ? failure({ fault: "reply_cut_off" }) : answer({ text: `reply ${n}`, latencyMs: n }),
    );
    const calls = await recorded(asks, inner);
    const read: readonly RecordedCall[] = JSON.parse(JSON.stringify(calls));
    const { model, counts } = replaying({ calls: read }, null);
    // Agents may ask in another order.
    const order = [3, 0, 1, 2];
    const again = order.map((index) => model.ask(asks[index] ?? request(), NEVER));
    expect(await Promise.all(again)).toEqual(order.map((index) => calls[index]?.reply));
    expect(counts()).toEqual({ hits: 4, changed: 0, misses: 0, left: 0 });
  });

  it("fails for a request that is not recorded", async () => {
    const { model, counts } = replaying({ calls: await recorded([request()]) }, null);
    expect(await model.ask(request({ prompt: "other" }), NEVER)).toMatchObject({
      ok: false,
      fault: "not_recorded",
      retriable: false,
      message: 'the recording has no reply for this "decide" call of the run',
    });
    expect(await model.ask(request(), NEVER)).toMatchObject({ ok: true });
    expect(await model.ask(request(), NEVER)).toMatchObject({ fault: "not_recorded" });
    expect(counts()).toEqual({ hits: 1, changed: 0, misses: 2, left: 0 });
  });

  const CHANGES: readonly (readonly [what: string, Partial<ModelRequest>])[] = [
    ["agent", { agent: asId("bob") }],
    ["purpose", { purpose: "repair" }],
    ["model", { model: "openai/x" }],
    ["system", { system: "x" }],
    ["prompt", { prompt: "x" }],
    ["form", { form: GREETING }],
    ["temperature", { temperature: 0 }],
    ["token limit", { maxTokens: 101 }],
    ["reasoning", { reasoning: "low" }],
  ];

  it.each(CHANGES)("does not answer a request with another %s", async (_what, change) => {
    const { model } = replaying({ calls: await recorded([request()]) }, null);
    expect(await model.ask(request(change), NEVER)).toMatchObject({ fault: "not_recorded" });
  });

  it("asks the live model for other requests", async () => {
    const live = scripted(() => answer({ text: "live" }));
    const { model, counts } = replaying({ calls: await recorded([request()]) }, live);
    expect(await model.ask(request({ prompt: "another" }), NEVER)).toMatchObject({ text: "live" });
    expect(await model.ask(request(), NEVER)).not.toMatchObject({ text: "live" });
    expect(counts()).toEqual({ hits: 1, changed: 0, misses: 1, left: 0 });
  });

  it("in order answers a changed request with the agent's next reply", async () => {
    const asks = ["at 1 s", "at 2 s", "at 3 s"].map((prompt) => request({ prompt }));
    const calls = await recorded(
      asks,
      scripted((_asked, n) => answer({ text: `reply ${n}` })),
    );
    const { model, counts } = replaying({ calls, inOrder: true }, null);
    const texts = [];
    for (const prompt of ["at 2 s", "at 1.5 s", "at 3.5 s", "at 4 s"]) {
      const reply = await model.ask(request({ prompt }), NEVER);
      texts.push(reply.ok ? reply.text : reply.fault);
    }
    expect(texts).toEqual(["reply 2", "reply 1", "reply 3", "not_recorded"]);
    expect(counts()).toEqual({ hits: 3, changed: 2, misses: 1, left: 0 });
    const others = [{ agent: asId("bob") }, { purpose: "repair" }, { model: "openai/x" }];
    const again = replaying({ calls, inOrder: true }, null);
    for (const other of others) {
      expect(await again.model.ask(request(other), NEVER)).toMatchObject({ ok: false });
    }
  });

  it("does not answer an aborted request", async () => {
    const { model, counts } = replaying({ calls: await recorded([request()]) }, null);
    expect(await model.ask(request(), AbortSignal.abort())).toMatchObject({ fault: "cancelled" });
    expect(counts()).toEqual({ hits: 0, changed: 0, misses: 0, left: 1 });
  });
});

it("costs are summed by agent, purpose and model", async () => {
  const alice = asId("alice");
  const cached = { cachedInput: 1, cacheWrite: 2 };
  const usage = tokens({ input: 4, ...cached, output: 3, reasoning: 2, estimated: true });
  const replies = [answer(), answer({ usage, servedBy: "openai/x" }), failure()];
  const calls = await recorded(
    [request({ agent: alice }), request({ agent: alice, purpose: "repair" }), request()],
    scripted((_asked, n) => replies[n - 1] ?? answer()),
  );
  const costs = new ModelCosts();
  for (const call of calls) costs.add(call);
  // 10 × 1 + 5 × 2 for the first, 4 × 3 + 3 × 15 for the second, nothing for the third.
  const counted = { input: 14, ...cached, output: 8, reasoning: 2, costMicros: 77 };
  expect(costs.total).toEqual({ calls: 3, failures: 1, ...counted, estimated: 1, unpriced: 1 });
  expect(costs.byAgent.get(alice)).toMatchObject({ calls: 2, costMicros: 77 });
  expect(costs.byAgent.get(null)).toMatchObject({ calls: 1, failures: 1, costMicros: 0 });
  expect(costs.byPurpose.get("repair")).toMatchObject({ calls: 1, input: 4, costMicros: 57 });
  expect([...costs.byModel.keys()]).toEqual(["openai-compatible/tiny", "openai/x"]);
});
