import { describe, expect, it } from "vitest";
import { asId, type Physics, viewOf } from "../../../src/kernel/index.ts";
import {
  bidsForCompute,
  buysCompute,
  freezes,
  saleAt,
  sellingBy,
  sells,
  standsFor,
} from "../../support/compute.ts";
import { changesState } from "../../support/iterations.ts";
import { freeAndHeld } from "../../support/mint.ts";
import { NOW } from "../../support/physics.ts";
import { agent, consumed, givenIn, type Past, type Scenario } from "../../support/scenario.ts";
import { WIDE_VIEW } from "../../support/view.ts";

const poor = (id: string, { micros = 0, scrip = 20 } = {}) => agent(id, { scrip, micros });

const budgets = (scene: Scenario): object =>
  Object.fromEntries(
    [...scene.state.accounts.rows()].map(({ id, llmBudgetMicros }) => [id, llmBudgetMicros]),
  );

const world = (scene: Scenario) => scene.state.world.get("world");

/** Bids of 8 and 4 lots for the ten lots that the world sells. */
const RIVALS: readonly Past[] = [
  ...[poor("ann", { scrip: 60 }), poor("bob"), poor("cyd")],
  bidsForCompute("ann", 8, 7),
  bidsForCompute("bob", 4, 5),
  bidsForCompute("cyd", 1, 3),
];

describe("an auction", () => {
  it("fills the highest limits at one price and refunds the rest", () => {
    const scene = givenIn(sellingBy(), ...RIVALS);
    const bought = { kind: "compute_bought", price: 5 } as const;
    scene
      .when(sells())
      .thenHappened([
        { kind: "compute_sold", sale: 0, price: 5, offered: 10, asked: 13, sold: 10 },
        { ...bought, buyer: "ann", lots: 8, micros: 800 },
        { ...bought, buyer: "bob", lots: 2, micros: 200 },
        ...["hold_released", "hold_released", "hold_released"].map(() => "hold_released" as const),
      ]);
    expect(budgets(scene)).toEqual({ ann: 800, bob: 200, cyd: 0 });
    expect(["ann", "bob", "cyd"].map((id) => freeAndHeld(scene.state, id))).toEqual([
      [20, 0],
      [10, 0],
      [20, 0],
    ]);
    expect(scene.state.computeBids.size).toBe(0);
    // No family has acted, so the proceeds wait.
    const budget = { endowed: 0, issued: 1_000, spent: 0 };
    expect(world(scene)).toMatchObject({ undistributed: 50, budget });
  });

  it.each([
    [RIVALS, 50],
    [[poor("ann")], 0],
  ])("tells all agents what was paid", (past, amount) => {
    const scene = givenIn(sellingBy(), ...past);
    scene.when(sells());
    const { events } = viewOf(scene.state, asId("ann"), { now: saleAt(0), bounds: WIDE_VIEW });
    expect(events.filter(({ kind }) => kind === "compute_sold")).toMatchObject([{ amount }]);
  });

  it("shares what was paid among active families, also those that paid", () => {
    const scene = givenIn(sellingBy(), ...RIVALS, consumed("ann", {}), consumed("cyd", {}));
    scene.when(sells());
    expect(scene.balances()).toEqual({ ann: 45, bob: 10, cyd: 45 });
    expect(world(scene)).toMatchObject({ undistributed: 0 });
  });

  it("burns what was paid if the configuration says so", () => {
    const scene = givenIn(sellingBy({ proceeds: "burn" }), ...RIVALS, consumed("ann", {}));
    scene.when(sells());
    expect(world(scene)).toMatchObject({ undistributed: 0, supply: { burned: 50 } });
  });

  it("sells at the minimum price if there is enough for all", () => {
    const scene = givenIn(sellingBy(), poor("ann"), bidsForCompute("ann", 2, 9));
    scene
      .when(sells())
      .thenHappened(
        { kind: "compute_sold", price: 2, sold: 2 },
        { kind: "compute_bought", lots: 2, price: 2 },
        "hold_released",
      );
    expect(freeAndHeld(scene.state, "ann")).toEqual([16, 0]);
  });

  it("happens once per period, and late if the clock is late", () => {
    const scene = givenIn(sellingBy());
    scene.when(sells(0, saleAt(0) + 7)).thenHappened({ kind: "compute_sold", sale: 0 });
    scene.when(sells(0, saleAt(1) - 1)).thenRefused("invalid_argument");
    scene.when(sells(1, saleAt(3) + 1)).thenHappened({ kind: "compute_sold", sale: 1 });
    const view = viewOf(givenIn(sellingBy(), poor("ann")).state, asId("ann"), {
      now: NOW,
      bounds: WIDE_VIEW,
    });
    expect(view.compute).toMatchObject({ sale: "auction", next_sale_at_ms: saleAt(0), lots: 10 });
  });

  it("sells nothing to an agent that has stopped", () => {
    const past = [poor("ann"), bidsForCompute("ann", 2, 9), changesState("ann", "stopped", null)];
    const scene = givenIn(sellingBy(), ...past);
    const ended = { kind: "compute_bid_cancelled", bidder: "ann", reason: "stopped" } as const;
    scene
      .when(sells())
      .thenHappened(ended, "hold_released", { kind: "compute_sold", asked: 0, sold: 0 });
    expect(freeAndHeld(scene.state, "ann")).toEqual([20, 0]);
  });

  it("issues no more than the sum of all budgets can hold", () => {
    const rich = (room: number) =>
      agent("rex", { scrip: 20, micros: Number.MAX_SAFE_INTEGER - room });
    const bids = [bidsForCompute("rex", 1, 9), bidsForCompute("ann", 8, 2)];
    const ann = { kind: "compute_bought", buyer: "ann" } as const;
    const refunds = ["hold_released", "hold_released"] as const;
    givenIn(sellingBy(), rich(1_000), poor("ann"), ...bids)
      .when(sells())
      .thenHappened(
        { kind: "compute_sold", offered: 10, sold: 9 },
        { kind: "compute_bought", buyer: "rex", lots: 1 },
        { ...ann, lots: 8 },
        ...refunds,
      );
    givenIn(sellingBy(), rich(350), poor("ann"), ...bids)
      .when(sells())
      .thenHappened(
        { kind: "compute_sold", offered: 3, asked: 9, sold: 3 },
        { kind: "compute_bought", buyer: "rex", lots: 1 },
        { ...ann, lots: 2 },
        ...refunds,
      );
  });
});

describe("a standing order", () => {
  it("buys what is missing, from free scrip, at each sale", () => {
    const scene = givenIn(sellingBy(), poor("ann", { micros: 130 }), standsFor("ann", 3, 4));
    const bought = { kind: "compute_bought", buyer: "ann", lots: 2, price: 2, hold: null } as const;
    scene.when(sells()).thenHappened("compute_sold", bought);
    expect(scene.account("ann")).toMatchObject({ scrip: 16, llmBudgetMicros: 330 });
    scene.when(sells(1)).thenHappened({ kind: "compute_sold", asked: 0 });
  });

  it("rests while there is a bid", () => {
    const scene = givenIn(sellingBy(), poor("ann"), standsFor("ann", 3, 4));
    scene.when(bidsForCompute("ann", 1, 2));
    scene
      .when(sells())
      .thenHappened("compute_sold", { kind: "compute_bought", lots: 1 }, "hold_released");
    scene.when(sells(1)).thenHappened("compute_sold", { kind: "compute_bought", lots: 2 });
  });

  it.each<readonly [string, number, number | null, number, object]>([
    ["the limit for as many lots as the scrip pays", 14, 6, 3, { lots: 2, limit: 6 }],
    ["all scrip for one lot, if it is less than the limit", 5, 6, 3, { lots: 1, limit: 5 }],
    ["an equal part of the scrip per lot without a limit", 14, null, 3, { lots: 3, limit: 4 }],
    ["1 scrip per lot if there is less, and so nothing", 2, null, 3, { lots: 0, limit: 1 }],
  ])("bids %s", (_, scrip, limit, lots, expected) => {
    const rival = agent("rex", { scrip: 1_000, micros: 0 });
    const scene = givenIn(
      sellingBy(),
      poor("ann", { scrip }),
      standsFor("ann", lots, limit),
      rival,
    );
    const { lots: gets, limit: most } = expected as { lots: number; limit: number };
    const bought = (atPrice: number): number => {
      const again = givenIn(
        sellingBy(),
        poor("ann", { scrip }),
        standsFor("ann", lots, limit),
        rival,
      );
      again.when(bidsForCompute("rex", 10, atPrice));
      again.when(sells());
      return again.account("ann").llmBudgetMicros / 100;
    };
    scene.when(sells());
    expect(scene.account("ann").llmBudgetMicros).toBe(gets * 100);
    if (gets === 0) return;
    expect(bought(most - 1)).toBe(gets);
    expect(bought(most + 1)).toBe(0);
  });

  it("unfreezes an agent, even without an order of its own", () => {
    const scene = givenIn(sellingBy(), poor("ann", { micros: 10 }), freezes("ann", 250));
    scene
      .when(sells())
      .thenHappened(
        { kind: "compute_sold", asked: 3, sold: 3 },
        { kind: "compute_bought", buyer: "ann", lots: 3 },
        { kind: "agent_unfrozen", agent: "ann", principal: null },
        { kind: "agent_state_changed", agent: "ann", to: "running", due_at_ms: saleAt(0) },
      );
    expect(scene.agent("ann")).toMatchObject({ state: "running", needs: null });
  });

  it("of a frozen agent bids all its scrip if its limit is below the last price", () => {
    const past = [poor("ann", { scrip: 18 }), poor("bob", { scrip: 99 }), standsFor("ann", 5, 1)];
    const scene = givenIn(sellingBy(), ...past, freezes("ann", 150), bidsForCompute("bob", 8, 9));
    scene
      .when(sells())
      .thenHappened(
        { kind: "compute_sold", asked: 10, sold: 10, price: 2 },
        { kind: "compute_bought", buyer: "ann", lots: 2, price: 2 },
        { kind: "agent_unfrozen", agent: "ann" },
        { kind: "agent_state_changed", to: "running" },
        { kind: "compute_bought", buyer: "bob", lots: 8 },
        "hold_released",
      );
  });

  it("can keep a frozen agent from buying", () => {
    const scene = givenIn(sellingBy(), poor("ann"), standsFor("ann", 5, 0), freezes("ann", 250));
    scene.when(sells()).thenHappened({ kind: "compute_sold", asked: 0 });
  });

  it("buys for an agent without an own order only while it is frozen", () => {
    const scene = givenIn(sellingBy(), poor("ann"));
    scene.when(sells()).thenHappened({ kind: "compute_sold", asked: 0 });
  });
});

describe("a posted sale", () => {
  const POSTED = sellingBy({ sale: "posted" });

  it("sells at once to those who come first, until the supply of the period is gone", () => {
    const scene = givenIn(POSTED, poor("ann"), poor("bob", { scrip: 50 }));
    const sale = { buyer: "ann", lots: 2, price: 3, micros: 200, hold: null } as const;
    scene
      .when(buysCompute("ann", 2))
      .thenHappened({ kind: "compute_bought", principal: "ann", ...sale })
      .thenAnswered({ lots: 2, price: 3, paid: 6, micros: 200 });
    scene.when(buysCompute("ann", 9)).thenRefused("quota_exceeded", /8 lots are left.*5 s/);
    scene.when(buysCompute("ann", 5)).thenRefused("insufficient_funds", /15 scrip, but ann has 14/);
    scene.when(buysCompute("bob", 8));
    scene.when(buysCompute("ann", 1)).thenRefused("quota_exceeded");
    scene.when(sells());
    scene.when(buysCompute("ann", 1, saleAt(0))).thenHappened("compute_bought");
    expect(budgets(scene)).toEqual({ ann: 300, bob: 800 });
  });

  it("first serves standing orders when a period begins", () => {
    const past = [poor("ann"), poor("bob", { scrip: 90 }), standsFor("ann", 4, 3)];
    const scene = givenIn(POSTED, ...past);
    scene
      .when(sells())
      .thenHappened(
        { kind: "compute_sold", price: 3, offered: 10, asked: 4, sold: 4 },
        { kind: "compute_bought", buyer: "ann", lots: 4 },
      );
    scene.when(buysCompute("bob", 7, saleAt(0))).thenRefused("quota_exceeded", /6 lots are left/);
  });

  it("shares or burns the price of each purchase", () => {
    const buyers = [poor("ann"), poor("bob"), consumed("ann", {}), consumed("bob", {})];
    const scene = givenIn(POSTED, ...buyers);
    scene
      .when(buysCompute("ann", 1))
      .thenHappened(
        "compute_bought",
        { kind: "proceeds_shared", to: "ann", amount: 1, payer: null },
        { kind: "proceeds_shared", to: "bob", amount: 1 },
      );
    givenIn(sellingBy({ sale: "posted", proceeds: "burn" }), ...buyers)
      .when(buysCompute("ann", 1))
      .thenHappened("compute_bought", { kind: "proceeds_burned", amount: 3 });
  });
});

describe("an equal division", () => {
  const EQUAL = sellingBy({ sale: "equal", supply_micros: 1_001 });

  it("gives the same to every agent that has not stopped, in whole micro-dollars", () => {
    const agents = [poor("ann"), poor("bob"), poor("cyd"), poor("dee")];
    const past = [changesState("cyd", "stopped", null), freezes("ann", 300), freezes("bob", 400)];
    const scene = givenIn(EQUAL, ...agents, ...past);
    const granted = { kind: "compute_granted", micros: 333 } as const;
    scene.when(sells()).thenHappened([
      { kind: "compute_sold", price: null, offered: 0, asked: 0, sold: 0 },
      { ...granted, to: "ann" },
      { kind: "agent_unfrozen", agent: "ann", principal: null },
      { kind: "agent_state_changed", agent: "ann", to: "running" },
      { ...granted, to: "bob" },
      { ...granted, to: "dee" },
    ]);
    expect(world(scene)).toMatchObject({ budget: { endowed: 0, issued: 999, spent: 0 } });
  });

  it("refunds the bids for an auction that the new settings do not have", () => {
    const bid = [poor("ann"), bidsForCompute("ann", 2, 4)];
    const amends = { kind: "amend_physics", at_ms: NOW, physics: EQUAL } as const;
    const scene = givenIn(sellingBy(), ...bid);
    const cancelled = { kind: "compute_bid_cancelled", reason: "no_auction" } as const;
    scene.when(amends).thenHappened("physics_amended", cancelled, "hold_released");
    expect(freeAndHeld(scene.state, "ann")).toEqual([20, 0]);
    givenIn(sellingBy(), ...bid)
      .when({ ...amends, physics: sellingBy({ minimum_price: 9 }) })
      .thenHappened("physics_amended");
  });
});

describe("a frozen agent whose time is over", () => {
  const END = NOW + 20_000;
  const bankruptcy = { kind: "declare_bankrupt", agent: asId("ann") } as const;
  /** Ann needs a lot, has this much scrip, bought nothing at the last sale, and has an order. */
  const judged = (physics: Physics, scrip: number, limit: number | null = null) => {
    const { sale } = physics.compute;
    // An equal share is not enough for Ann.
    const needs = sale === "equal" ? 2_500 : 100;
    const frozen = givenIn(physics, poor("ann", { scrip }), freezes("ann", needs));
    if (sale === "auction") frozen.when(standsFor("ann", 0, 0));
    if (sale !== "none") frozen.when(sells(0, END - 1));
    if (sale === "auction") frozen.when(standsFor("ann", 0, limit, END));
    return frozen.when({ ...bankruptcy, at_ms: END });
  };
  const bankrupt = { kind: "agent_bankrupt", frozen_ms: 20_000 } as const;
  const stopped = { kind: "agent_state_changed", to: "stopped", cause: "bankrupt" } as const;

  it("is bankrupt if its scrip buys no lot at the last price", () => {
    judged(sellingBy(), 1).thenHappened({ ...bankrupt, scrip: 1, offer: 1, price: 2 }, stopped);
    const posted = sellingBy({ sale: "posted" });
    judged(posted, 2).thenHappened({ ...bankrupt, scrip: 2, offer: 2, price: 3 }, stopped);
    judged(sellingBy({ sale: "none" }), 99).thenHappened(
      { ...bankrupt, scrip: 99, offer: 99, price: null },
      stopped,
    );
  });

  it("is bankrupt if its own order buys nothing", () => {
    const ended = { ...bankrupt, scrip: 90, offer: 0, price: 2 } as const;
    judged(sellingBy(), 90, 0).thenHappened(ended, stopped);
    judged(sellingBy(), 90, 1).thenHappened("bankruptcy_deferred");
  });

  it("waits for the next sale if it can buy, and is judged again", () => {
    const due_at_ms = 25_000;
    judged(sellingBy(), 2).thenHappened({ kind: "bankruptcy_deferred", due_at_ms });
    judged(sellingBy({ sale: "equal" }), 0).thenHappened({ kind: "bankruptcy_deferred" });
    const rich = [poor("ann", { scrip: 5 }), poor("bob", { scrip: 300 })];
    const scene = givenIn(sellingBy(), ...rich, freezes("ann", 100), standsFor("ann", 0, 2));
    scene.when(bidsForCompute("bob", 20, 4));
    scene.when(sells(0, END - 1));
    scene.when({ ...bankruptcy, at_ms: END }).thenHappened("bankruptcy_deferred");
    expect(scene.agent("ann").due).toEqual({ step: "think", atMs: due_at_ms });
    scene.when({ ...bankruptcy, at_ms: due_at_ms - 1 }).thenRefused("invalid_argument");
    scene.when(bidsForCompute("bob", 11, 9, END));
    scene.when(sells(1, due_at_ms));
    const ended = { ...bankrupt, frozen_ms: 24_000, scrip: 5, offer: 5, price: 9 } as const;
    scene.when({ ...bankruptcy, at_ms: due_at_ms }).thenHappened(ended, stopped);
    expect(scene.agent("ann")).toMatchObject({ state: "stopped", cause: "bankrupt", due: null });
    expect(scene.agent("ann").reason).toMatch(
      /frozen for 24 s: .* offers 5 of its 5 scrip for a lot at 9/,
    );
  });

  it("can also buy with held scrip", () => {
    const scene = givenIn(sellingBy(), poor("ann", { scrip: 4 }), bidsForCompute("ann", 2, 2));
    scene.when(freezes("ann", 250));
    scene.when({ ...bankruptcy, at_ms: END }).thenHappened("bankruptcy_deferred");
  });
});
