import { describe, expect, it } from "vitest";
import { asId, type Event } from "../../../src/kernel/index.ts";
import { TallySheet } from "../../../src/observe/index.ts";

const talliedFrom = (...events: readonly Event[]) => {
  const sheet = new TallySheet();
  for (const event of events) sheet.count(event);
  return sheet.total();
};

const USAGE = { calls: 1, input_tokens: 7, output_tokens: 3, cost_micros: 20, api_cost_micros: 20 };

const born = (id: string, principal: string): Event => ({
  kind: "agent_created",
  at_ms: 5_000,
  principal: asId(principal),
  id: asId(id),
  memory_artifact_id: asId(`${id}_memory`),
  order: 3,
  due_at_ms: 5_000,
});

describe("what is counted", () => {
  it("are thoughts that nobody waited for too, since they were paid for", () => {
    const about = { at_ms: 1, principal: asId("ann"), usage: USAGE } as const;
    const { thinking } = talliedFrom(
      { ...about, kind: "thought_dropped", reason: "its agent awaits no thought" },
      {
        ...about,
        kind: "thought_failed",
        reason: "llm_error",
        message: "no",
        next_at_ms: null,
        paused: false,
      },
    );
    expect(thinking).toEqual({
      calls: 2,
      failed: 1,
      dropped: 1,
      input_tokens: 14,
      output_tokens: 6,
      cost_usd: 0.000_04,
    });
  });

  it("are children as spawned, and not whom a person put into a world that went on", () => {
    expect(talliedFrom(born("child", "ann")).lives.spawned).toBe(1);
    expect(talliedFrom(born("newt", "newt")).lives.spawned).toBe(0);
  });

  it("is scrip as burned wherever it leaves the world", () => {
    const about = { at_ms: 1, principal: asId("ann") } as const;
    const from = asId("ann");
    const { supply } = talliedFrom(
      { ...about, kind: "scrip_burned", from, amount: 2, reason: "cost" },
      { ...about, kind: "hold_spent", hold: "h1" as never, to: null, amount: 3, reason: "burned" },
      { ...about, kind: "hold_spent", hold: "h1" as never, to: from, amount: 4, reason: "pay" },
      { ...about, kind: "scrip_minted", to: from, amount: 5, reason: "score" },
    );
    expect(supply).toEqual({
      minted: 5,
      burned: 5,
      minted_by: { score: 5 },
      burned_by: { cost: 2, mint_price: 3 },
    });
  });
});
