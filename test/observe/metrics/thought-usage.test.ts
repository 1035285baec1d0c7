import { describe, expect, it } from "vitest";
import { asId, type Event, encodeEvent, type Json } from "../../../src/kernel/index.ts";
import { usageOfThought } from "../../../src/observe/metrics/thought-usage.ts";

const USAGE = { calls: 1, input_tokens: 7, output_tokens: 3, cost_micros: 20, api_cost_micros: 5 };
const OTHER = { calls: 9, input_tokens: 9, output_tokens: 9, cost_micros: 9, api_cost_micros: 9 };

const usedBy = (mind: Json, reasoning = "") => {
  const thought: Event = {
    kind: "thought_completed",
    at_ms: 1,
    principal: asId("ann"),
    action: { noop: {} },
    reasoning,
    mind: { to: mind },
    usage: USAGE,
    act_at_ms: 2,
    sleep: { for_ms: 5, until: [{ event: "task_posted" }] },
  };
  return usageOfThought({ ...encodeEvent(thought), seq: 1, hash: "" });
};

describe("what a thought has used", () => {
  it("is read beside whatever a mind keeps and says", () => {
    const tail = `"usage":${JSON.stringify(OTHER)},"act_at_ms":2,"sleep":null}`;
    expect(usedBy(null)).toEqual(USAGE);
    expect(usedBy({ usage: OTHER, act_at_ms: 2, sleep: null })).toEqual(USAGE);
    expect(usedBy(tail, tail)).toEqual(USAGE);
    expect(usedBy({ [tail]: tail })).toEqual(USAGE);
  });

  it("is read also where the body is in another order", () => {
    const { at_ms, principal, kind } = { at_ms: 1, principal: "ann", kind: "thought_completed" };
    const body = JSON.stringify({ usage: USAGE, mind: { usage: OTHER }, action: null });
    expect(usageOfThought({ seq: 1, atMs: at_ms, kind, principal, body, hash: "" })).toEqual(USAGE);
  });
});
