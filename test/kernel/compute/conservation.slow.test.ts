import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Command, Event } from "../../../src/kernel/index.ts";
import { pays } from "../../support/commands.ts";
import {
  bidsForCompute,
  buysCompute,
  cancelsBid,
  freezes,
  sellingBy,
  sells,
  standsFor,
} from "../../support/compute.ts";
import { FREE, thinks } from "../../support/iterations.ts";
import { at } from "../../support/mint.ts";
import { NOW } from "../../support/physics.ts";
import { agent, consumed, givenIn, type Scenario } from "../../support/scenario.ts";

const WHO = ["ann", "bob", "cyd"] as const;

const who = fc.constantFrom(...WHO);
const lots = fc.integer({ min: 0, max: 8 });
const limit = fc.constantFrom(null, 0, 2, 3, 5);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("sell") }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("bid", "stand"), who, lots, limit }) },
  fc.record({ do: fc.constantFrom("cancel", "freeze", "pay"), who }),
  fc.record({ do: fc.constant("buy"), who, lots }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant("think"), who, micros: fc.nat(500) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const commandOf = (step: Step, now: number): Command => {
  switch (step.do) {
    case "sell":
      return sells(0, now);
    case "bid":
      return bidsForCompute(step.who, step.lots, step.limit ?? 1, now);
    case "stand":
      return standsFor(step.who, step.lots, step.limit, now);
    case "cancel":
      return cancelsBid(step.who, now);
    case "freeze":
      return freezes(step.who, 150, now);
    case "pay":
      return pays(at("rex", now), step.who, 3);
    case "buy":
      return buysCompute(step.who, step.lots, now);
    case "think": {
      const usage = { ...FREE, cost_micros: step.micros };
      return thinks(step.who, { at_ms: now, usage });
    }
  }
};

/** The world's scrip and model budget, from the events alone. */
const booksOf = (events: readonly Event[]) => {
  let [waiting, issued] = [0, 0];
  for (const event of events) {
    if (event.kind === "compute_bought") waiting += event.lots * event.price;
    if (event.kind === "proceeds_shared" || event.kind === "proceeds_burned")
      waiting -= event.amount;
    if (event.kind === "compute_bought" || event.kind === "compute_granted") issued += event.micros;
  }
  return { waiting, issued };
};

const perform = (scene: Scenario, steps: readonly Step[]): readonly Event[] => {
  let now = NOW;
  return steps.flatMap((each) => {
    if (each.do === "sell") now += 5_000;
    // `when` checks every invariant.
    const { decision } = scene.when(commandOf(each, now));
    return decision.kind === "accepted" ? decision.events : [];
  });
};

describe.each([
  ["auction", "redistribute"],
  ["auction", "burn"],
  ["posted", "redistribute"],
  ["posted", "burn"],
  ["equal", "redistribute"],
] as const)("any sequence of orders and sales by %s, with proceeds to %s", (sale, proceeds) => {
  it("keeps every invariant, and accounts for each scrip and each micro-dollar", () => {
    const kinds = new Map<string, number>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
        const agents = WHO.map((id) => agent(id, { scrip: 30, micros: 200 }));
        const rich = agent("rex", { scrip: 500, micros: 0 });
        const acted = [consumed("ann", {}), consumed("rex", {})];
        const scene = givenIn(sellingBy({ sale, proceeds }), ...agents, rich, ...acted);
        const events = perform(scene, steps);
        for (const { kind } of events) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const { waiting, issued } = booksOf(events);
        const world = scene.state.world.get("world");
        expect(world).toMatchObject({ undistributed: waiting, budget: { endowed: 600, issued } });
        if (proceeds === "burn") expect(waiting).toBe(0);
        expect(boughtAbove(events)).toEqual([]);
      }),
      { numRuns: 60 },
    );
    const expected = {
      auction: ["compute_bought", "compute_bid_cancelled", "standing_order_set", "agent_unfrozen"],
      posted: ["compute_bought", "standing_order_set", "agent_unfrozen"],
      equal: ["compute_granted", "agent_unfrozen"],
    };
    for (const kind of expected[sale]) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });
});

/** Purchases by a bid above the limit of this bid. */
const boughtAbove = (events: readonly Event[]) => {
  const limits = new Map<string, number>();
  return events.flatMap((event) => {
    if (event.kind === "compute_bid_placed") limits.set(event.hold, event.limit_price);
    if (event.kind !== "compute_bought" || event.hold === null) return [];
    const limit = limits.get(event.hold) ?? 0;
    return event.price > limit ? [{ buyer: event.buyer, limit }] : [];
  });
};
