import { describe, expect, it } from "vitest";
import { asId, type Event, type State } from "../../../src/kernel/index.ts";
import { whenIdle } from "../../../src/run/course/stop-rule.ts";
import { bids, cancels, failsScoring, resolves, scores } from "../../support/mint.ts";
import { NOW, PHYSICS } from "../../support/physics.ts";
import { agent, given, type Past, program } from "../../support/scenario.ts";

const ANN = agent("ann");
const STOPPED: Event = {
  at_ms: NOW,
  principal: asId("ann"),
  kind: "agent_state_changed",
  agent: asId("ann"),
  from: "running",
  to: "stopped",
  reason: "its script is done",
  due_at_ms: null,
};
const BID: readonly Past[] = [ANN, program("tool", "ann"), bids("ann", "tool")];

/** What the rule says when only the latest event is told to it. */
const said = (state: State, kind: Event["kind"]) =>
  whenIdle([{ ...STOPPED, kind } as Event], state);

describe("a run", () => {
  it("is idle when all agents have stopped", () => {
    expect(said(given(ANN).state, "agent_state_changed")).toBeNull();
    expect(said(given(ANN, STOPPED).state, "agent_state_changed")).toBe("idle");
  });

  it("is not idle before the last entry of its schedule, unless its horizon comes first", () => {
    const resumes = { kind: "resume", agent: asId("ann") } as const;
    const planned = (at_ms: number): Past => {
      const entries = [{ at_ms, change: resumes }];
      return { kind: "plan_schedule", at_ms: 0, entries, settings: {} };
    };
    expect(said(given(planned(NOW), ANN, STOPPED).state, "agent_state_changed")).toBeNull();
    const { horizon_ms } = PHYSICS;
    const late = given(planned(horizon_ms), ANN, STOPPED).state;
    expect(said(late, "agent_state_changed")).toBe("idle");
    expect(said(given(ANN, STOPPED).state, "schedule_executed")).toBe("idle");
  });

  it("is not idle before its bids are resolved and scored", () => {
    expect(said(given(...BID, STOPPED).state, "agent_state_changed")).toBeNull();
    expect(said(given(...BID, STOPPED, resolves()).state, "auction_resolved")).toBeNull();
  });

  it.each<readonly [Event["kind"], readonly Past[]]>([
    ["artifact_scored", [STOPPED, resolves(), scores("tool:1")]],
    ["scoring_failed", [STOPPED, resolves(), failsScoring("tool:1")]],
    ["bid_cancelled", [STOPPED, cancels("ann", "tool:1")]],
  ])("is idle when the mint has no submissions left: %s", (kind, past) => {
    expect(said(given(...BID, ...past).state, kind)).toBe("idle");
  });

  it("is idle when the only bid has lost", () => {
    const rival = [agent("bob"), program("gadget", "bob"), bids("bob", "gadget", { scrip: 9 })];
    const past = [...BID, ...rival, STOPPED, { ...STOPPED, agent: asId("bob") }, resolves()];
    expect(said(given(...past).state, "auction_resolved")).toBeNull();
    expect(said(given(...past, scores("gadget:2")).state, "artifact_scored")).toBe("idle");
  });
});
