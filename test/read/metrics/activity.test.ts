import { describe, expect, it } from "vitest";
import { asId, type Event, type Json } from "../../../src/kernel/index.ts";
import { ActivityCounter } from "../../../src/read/index.ts";
import { countedEvent, usageOfThought } from "../../../src/read/metrics/activity.ts";
import { encodeEvent } from "../../../src/world/journal/wire-codec.ts";

const talliedFrom = (...events: readonly Event[]) => {
  const sheet = new ActivityCounter();
  for (const event of events) sheet.count(event);
  return sheet.total();
};

const USAGE = { calls: 1, input_tokens: 7, output_tokens: 3, cost_micros: 20, api_cost_micros: 5 };
const OTHER = { calls: 9, input_tokens: 9, output_tokens: 9, cost_micros: 9, api_cost_micros: 9 };
const about = { at_ms: 1, principal: asId("ann") } as const;

describe("the activity of a run", () => {
  it("counts dropped and failed thoughts, since they were paid for", () => {
    const paid = { ...about, usage: USAGE };
    const failure = { reason: "llm_error", message: "no", next_at_ms: null } as const;
    const { thinking } = talliedFrom(
      { ...paid, kind: "thought_dropped", reason: "the agent was not waiting for a thought" },
      { ...paid, kind: "thought_failed", ...failure },
      { ...paid, kind: "thought_failed", ...failure, fault: "timeout" },
    );
    const failed_by = { llm_error: 1, timeout: 1 };
    const tokens = { input_tokens: 21, output_tokens: 9, cost_usd: 0.000_015 };
    expect(thinking).toEqual({ calls: 3, failed: 2, failed_by, dropped: 1, ...tokens });
  });

  it.each([
    ["the child of an agent", "ann", 1],
    ["not an agent that an operator adds", "child", 0],
  ])("counts %s as spawned", (_, principal, spawned) => {
    const created: Event = {
      kind: "agent_created",
      at_ms: 5_000,
      principal: asId(principal),
      id: asId("child"),
      memory_artifact_id: asId("child_memory"),
      group: null,
      order: 3,
      due_at_ms: 5_000,
    };
    expect(talliedFrom(created).lives.spawned).toBe(spawned);
  });
});

describe("the usage of a thought", () => {
  const tail = `"usage":${JSON.stringify(OTHER)},"act_at_ms":2,"sleep":null}`;
  it.each<readonly [Json, string]>([
    [null, ""],
    [{ usage: OTHER, act_at_ms: 2, sleep: null }, ""],
    [tail, tail],
    [{ [tail]: tail }, ""],
  ])("cannot be forged by the mind's state %j", (mind, reasoning) => {
    const thought: Event = {
      ...about,
      kind: "thought_completed",
      action: { noop: {} },
      reasoning,
      mind: { to: mind },
      usage: USAGE,
      act_at_ms: 2,
      sleep: { for_ms: 5, until: [{ event: "task_posted" }] },
    };
    expect(usageOfThought({ ...encodeEvent(thought), seq: 1, hash: "" })).toEqual(USAGE);
  });

  it("is read from a body with its fields in another order", () => {
    const body = JSON.stringify({ usage: USAGE, mind: { usage: OTHER }, action: null });
    const row = { seq: 1, atMs: 1, kind: "thought_completed", principal: "ann", body, hash: "" };
    expect(usageOfThought(row)).toEqual(USAGE);
  });
});

describe("an event for the counters", () => {
  const counted = (body: object) => {
    const row = { seq: 1, atMs: 1, kind: "action_completed", principal: "ann", hash: "" };
    return countedEvent({ ...row, body: JSON.stringify(body) });
  };
  const done = { ...about, kind: "action_completed", action: "invoke_artifact" };

  it("has only the kind of a completed action, without its result", () => {
    const result = '{"action":"forged","target":1}';
    expect(counted({ action: "invoke_artifact", target: "shop", result })).toEqual(done);
  });

  it("is whole if its fields have another order", () => {
    const body = { result: null, action: "invoke_artifact" };
    expect(counted(body)).toEqual({ ...done, result: null });
  });
});
