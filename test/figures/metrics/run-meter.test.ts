import { describe, expect, it } from "vitest";
import { SAMPLES_MAX } from "../../../src/figures/metrics/timeline.ts";
import type { Event } from "../../../src/kernel/index.ts";
import {
  burns,
  calls,
  changes,
  collects,
  comes,
  ends,
  figuresOf,
  freezes,
  type Happens,
  holds,
  mints,
  moves,
  releasesHold,
  shares,
  spendsHold,
  thaws,
  writes,
} from "../../support/run-events.ts";

const pays = (amount: number, how: Parameters<typeof moves>[2] = {}): Happens =>
  moves(["ann", "bob"], amount, how);

describe("money", () => {
  it("adds up: the start, plus minted, minus burned", () => {
    const { money, principals } = figuresOf(
      comes("ann", 50),
      comes("bob", 20),
      mints("ann", 10),
      burns("bob", 5),
      pays(7),
    );
    expect(money).toMatchObject({
      supply: 75,
      minted: 10,
      burned: 5,
      minted_by: { task: 10 },
      burned_by: { "genesis_ledger.transfer": 5 },
    });
    expect(principals.map(({ id, wealth, burned }) => [id, wealth, burned])).toEqual([
      ["ann", 53, 0],
      ["bob", 22, 5],
    ]);
  });

  it("that is held belongs to its owner until it is paid or burned", () => {
    const past = [...comes("ann", 50), ...comes("bob", 0), holds("ann", 30)];
    const wealth = (...after: readonly Happens[]) =>
      figuresOf(past, after).principals.map((each) => each.wealth);
    const { money } = figuresOf(past, spendsHold(["ann", null], 12));
    expect(money).toMatchObject({ burned: 12, burned_by: { purse: 12 } });
    expect(wealth()).toEqual([50, 0]);
    expect(wealth(spendsHold(["ann", "bob"], 12))).toEqual([38, 12]);
    expect(wealth(spendsHold(["ann", null], 12), releasesHold("ann"))).toEqual([38, 0]);
  });

  it("has the velocity at which the average scrip changes hands", () => {
    // 100 scrip for half a minute, then 300: on average 200; 50 paid in one minute.
    const { money } = figuresOf(
      comes("ann", 100),
      comes("bob", 0),
      pays(50, { at_ms: 10_000 }),
      mints("ann", 200, { at_ms: 30_000 }),
      ends(60_000),
    );
    expect(money).toMatchObject({ turnover: 50, payments: 1 });
    expect(money.velocity_per_min).toBeCloseTo(50 / 200, 12);
  });

  it("that endows a child is not turnover", () => {
    const { money, network } = figuresOf(
      comes("ann", 100),
      comes("bob", 0),
      pays(50, { reason: "spawn" }),
    );
    expect([money.turnover, network.edge_count]).toEqual([0, 0]);
  });

  it("that is paid at the mint is not turnover, and stays in the world until it is burned", () => {
    const past = [...comes("ann", 100), ...comes("bob", 0), holds("ann", 30), collects("ann", 20)];
    const shared = [...past, shares("bob", 12)];
    const { money, network, principals } = figuresOf(shared);
    const waiting = { undistributed_at_start: 0, undistributed: 8 };
    const proceeds = { collected: 20, shared: 12, burned: 0, ...waiting };
    expect(money).toMatchObject({ supply: 100, burned: 0, turnover: 0, proceeds });
    expect(network.edge_count).toBe(0);
    expect(principals).toMatchObject([
      { id: "ann", wealth: 80, given_by: { mint_price: 20 } },
      { id: "bob", wealth: 12, income: { proceeds: 12 }, received_by: { proceeds: 12 } },
    ]);
    const burned: Event = { kind: "proceeds_burned", at_ms: 0, principal: null, amount: 8 };
    expect(figuresOf(shared, burned).money).toMatchObject({
      supply: 92,
      burned: 8,
      burned_by: { proceeds: 8 },
      proceeds: { ...proceeds, burned: 8, undistributed: 0 },
    });
  });

  it("that passes through the escrow is paid by the buyer", () => {
    const { money, network } = figuresOf(
      comes("ann", 100),
      comes("bob", 0),
      moves(["ann", "genesis_escrow"], 9, { reason: "attached" }),
      moves(["genesis_escrow", "bob"], 7, { reason: "pay", by: "ann" }),
      moves(["genesis_escrow", "ann"], 2, { reason: "pay", by: "ann" }),
    );
    expect(money.turnover).toBe(7);
    expect(network.edges).toEqual([{ from: "ann", to: "bob", payments: 1, amount: 7 }]);
  });
});

describe("the price index", () => {
  const sale = (artifact: string, price: number, seller = "bob"): readonly Happens[] => [
    moves(["ann", seller], price, { artifact }),
    calls(artifact, { by: "ann", to: seller, price }),
  ];

  it("is 1 while all programs sell at their first price", () => {
    expect(figuresOf(sale("a", 5), sale("b", 2), sale("a", 5)).money.price_index).toBe(1);
  });

  it("follows the price of a single program", () => {
    const { price_index } = figuresOf(sale("a", 4), sale("a", 8), sale("a", 2)).money;
    expect(price_index).toBeCloseTo(0.5, 12);
  });

  it("weights a price change by the program's share of spending", () => {
    // a has 10 + 20 of the 40 spent when its price doubles.
    const { price_index } = figuresOf(sale("a", 10), sale("b", 10), sale("a", 20)).money;
    expect(price_index).toBeCloseTo(2 ** (30 / 40), 12);
  });

  it("is the product of what its programs did to it", () => {
    const sales = [sale("a", 10), sale("b", 10), sale("a", 20), sale("b", 4), sale("c", 7)];
    const { price_index, price_movers } = figuresOf(...sales).money;
    expect(price_movers.map(({ artifact, factor }) => [artifact, factor > 1])).toEqual([
      ["a", true],
      ["b", false],
    ]);
    expect(price_movers[0]).toMatchObject({ first_price: 10, last_price: 20, sales: 2 });
    const product = price_movers.reduce((all, { factor }) => all * factor, 1);
    expect(product).toBeCloseTo(price_index, 12);
  });

  it("ignores free calls", () => {
    const { money, services } = figuresOf(sale("a", 4), calls("a", { by: "ann" }), sale("a", 4));
    expect(money.price_index).toBe(1);
    const sales = { sales: 2, revenue: 8, customers: 1, first_price: 4, last_price: 4 };
    expect(services).toEqual([{ artifact: "a", seller: "bob", ...sales }]);
  });

  it("lists one row for each seller of a program", () => {
    const { services } = figuresOf(sale("a", 4), sale("a", 8, "cleo"), sale("a", 5, "cleo"));
    expect(services.map(({ seller, sales, revenue }) => [seller, sales, revenue])).toEqual([
      ["cleo", 2, 13],
      ["bob", 1, 4],
    ]);
  });
});

describe("capital", () => {
  const inner = (artifact: string, by: string, depth: number) =>
    calls(artifact, { by, depth, principal: "zoe" });

  it("is as deep as the longest chain of calls", () => {
    const { capital } = figuresOf(
      [
        writes("ann", "top"),
        writes("ann", "middle"),
        writes("bob", "left"),
        writes("bob", "right"),
      ],
      inner("left", "middle", 2),
      inner("middle", "top", 1),
      inner("right", "top", 1),
      calls("top", { by: "zoe" }),
      calls("left", { by: "zoe" }),
    );
    expect(capital).toMatchObject({
      programs: 4,
      reused: 4,
      calls: 5,
      calls_by_others: 5,
      calls_by_programs: 3,
      depth: 3,
      longest_chain: ["top", "middle", "left"],
    });
  });

  it("does not join two separate calls", () => {
    const written = [writes("ann", "one"), writes("ann", "two")];
    const separate = [calls("one", { by: "zoe" }), calls("two", { by: "zoe" })];
    const { capital } = figuresOf(written, separate);
    expect(capital).toMatchObject({ depth: 1, longest_chain: ["one"] });
  });

  it("ignores programs of genesis, also between two programs", () => {
    const { capital } = figuresOf(
      [writes("ann", "front"), writes("ann", "back")],
      inner("back", "genesis_voting", 2),
      inner("genesis_voting", "front", 1),
      calls("front", { by: "zoe" }),
    );
    expect(capital.longest_chain).toEqual(["front", "back"]);
    expect(capital.programs).toBe(2);
  });

  it("is not reused by a call of its owner", () => {
    const { capital } = figuresOf(writes("ann", "tool"), calls("tool", { by: "ann" }));
    expect(capital).toMatchObject({ calls: 1, calls_by_others: 0, reused: 0, reuse_share: 0 });
  });
});

describe("an agent", () => {
  it("has a frozen share of its time", () => {
    const { lives, principals } = figuresOf(
      comes("ann", 0),
      comes("bob", 0),
      freezes("ann", 20_000),
      thaws("ann", 30_000),
      ends(40_000),
    );
    expect(principals.map(({ frozen_share }) => frozen_share)).toEqual([0.25, 0]);
    expect(lives).toMatchObject({ freezes: 1, rescues: 1, frozen_share: 0.125 });
  });

  it("that is bankrupt is no longer alive", () => {
    const [agent] = comes("ann", 0).slice(1);
    const stopped = { from: "frozen", to: "stopped", cause: "bankrupt" } as const;
    const bankrupt = changes("ann", 30_000, stopped);
    const past = [agent ?? [], freezes("ann", 20_000), bankrupt, ends(100_000)];
    const { lives, principals } = figuresOf(...past);
    expect(lives.frozen_share).toBeCloseTo(10 / 30, 12);
    expect(principals[0]?.state).toBe("bankrupt");
  });
});

it("a network of payments has all agents, their payments and the reciprocity", () => {
  const { network } = figuresOf(
    ["ann", "bob", "cy"].flatMap((id) => comes(id, 50)),
    pays(3),
    pays(4),
    moves(["bob", "ann"], 1),
  );
  const shape = { edge_count: 2, density: 2 / 6, reciprocity: 1 };
  expect(network).toMatchObject({ ...shape, components: 2, largest_component: 2 });
  expect(network.edges[0]).toEqual({ from: "ann", to: "bob", payments: 2, amount: 7 });
  expect(network.nodes).toEqual([
    { id: "ann", agent: true, paid: 7, received: 1, partners: 1 },
    { id: "bob", agent: true, paid: 1, received: 7, partners: 1 },
    { id: "cy", agent: true, paid: 0, received: 0, partners: 0 },
  ]);
});

/** One payment a second, for so many seconds. */
const busy = (seconds: number) => [
  ...comes("ann", 100_000),
  ...comes("bob", 0),
  ...Array.from({ length: seconds }, (_, at) => pays(1, { at_ms: (at + 1) * 1_000 })),
];

describe("a timeline", () => {
  const LENGTHS = [1, 59, 60, 61, 3_000, 40_000];
  it.each(LENGTHS)("of %i s has a bounded size and the full sums", (seconds) => {
    const { timeline, money } = figuresOf(busy(seconds));
    expect(timeline.at_ms.length).toBeLessThanOrEqual(SAMPLES_MAX + 1);
    expect(timeline.at_ms.at(-1)).toBe(seconds * 1_000);
    expect(timeline.turnover.reduce((sum, each) => sum + each, 0)).toBe(money.turnover);
    const wealth = Object.fromEntries(timeline.wealth.map(({ id, scrip }) => [id, scrip.at(-1)]));
    expect(wealth).toEqual({ ann: 100_000 - seconds, bob: seconds });
  });

  it("has the values of each moment", () => {
    const { timeline } = figuresOf(busy(3_000));
    const paid = timeline.wealth.find(({ id }) => id === "bob")?.scrip ?? [];
    expect(paid.length).toBeGreaterThan(100);
    for (const [at, moment] of timeline.at_ms.entries()) {
      expect(paid[at]).toBe(Math.floor(moment / 1_000));
    }
  });

  it("has a bounded size after a year without events", () => {
    const { timeline } = figuresOf(comes("ann", 7), ends(365 * 24 * 3_600_000));
    expect(timeline.at_ms.length).toBeLessThanOrEqual(SAMPLES_MAX + 1);
    expect(timeline.supply).toEqual(timeline.at_ms.map(() => 7));
  });

  it("has null for an agent before it exists", () => {
    const { timeline } = figuresOf(comes("ann", 5), comes("kid", 3, 10_000), ends(20_000));
    const kid = timeline.at_ms.map((moment) => (moment < 10_000 ? null : 3));
    expect(timeline.wealth.find(({ id }) => id === "kid")?.scrip).toEqual(kid);
  });
});

it("the metrics have the periods of each alarm", () => {
  const body = { alarm: "no_trade", cause: "nothing was sold" };
  const { alarms } = figuresOf(
    { note: "alarm_raised", at_ms: 1_000, body },
    { note: "alarm_cleared", at_ms: 4_000, body },
    { note: "alarm_raised", at_ms: 9_000, body },
  );
  expect(alarms).toEqual([
    { ...body, from_ms: 1_000, to_ms: 4_000 },
    { ...body, from_ms: 9_000, to_ms: null },
  ]);
});
