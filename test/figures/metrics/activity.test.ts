import { describe, expect, it } from "vitest";
import { ActivityCounter } from "../../../src/figures/index.ts";
import { asId, type Event } from "../../../src/kernel/index.ts";

const talliedFrom = (...events: readonly Event[]) => {
  const sheet = new ActivityCounter();
  for (const event of events) sheet.count(event);
  return sheet.total();
};

const USAGE = { calls: 1, input_tokens: 7, output_tokens: 3, cost_micros: 20, api_cost_micros: 5 };
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
