import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Dice } from "../../src/kernel/core/dice.ts";
import { asId, type Json, type MarketListing, type View } from "../../src/kernel/index.ts";
import type { Mind } from "../../src/mind/index.ts";
import { NO_DUTIES } from "../../src/policy/duties/duty-memory.ts";
import { buyBargain } from "../../src/policy/duties/escrow.ts";
import { offeringWith, viewWith } from "../support/view.ts";
import { recipe, shipped } from "./library/shipped.ts";
import {
  type Decided,
  decide,
  invocation,
  live,
  mind,
  recipeBook,
  THOUGHT_MICROS,
} from "./thinkers.ts";

const callOf = (decided: Decided | undefined) =>
  invocation(decided?.action ?? null) ?? expect.fail("not a call");

/** Such as `genesis_mint.bid` for a call; the kind of action for another action. */
const named = (action: Json): string => {
  const call = invocation(action);
  if (call !== undefined) return `${call.artifact_id}.${call.method}`;
  return Object.keys(z.looseObject({}).parse(action))[0] ?? "";
};

/** Its decisions over some turns; `results` has the result of some actions. */
const decisionsOf = (
  thinker: Mind,
  seen: Partial<Parameters<typeof live>[1]>,
  results: { readonly [action: string]: unknown } = {},
): readonly Decided[] =>
  live(thinker, { turns: 12, now: 100_000, ...seen }, (action) => {
    return { acted: true, lastResult: JSON.stringify(results[named(action)] ?? null) };
  });

const all = (thoughts: readonly Decided[], name: string): readonly Decided[] =>
  thoughts.filter(({ action }) => named(action) === name);

const names = (thoughts: readonly Decided[]): readonly string[] =>
  thoughts.map(({ action }) => named(action));

const mine = (about: Partial<MarketListing> = {}): MarketListing =>
  offeringWith({
    id: asId("me_gini_1"),
    owner: asId("me"),
    price: 5,
    revenue: 80,
    calls_by_others: 16,
    description: "something that is sold",
    ...about,
  });

const GINI_TASK: View["tasks"][number] = {
  id: "task_gini",
  poster: null,
  reward: 20,
  description: "How unequally something is shared: the Gini coefficient of a list of amounts.",
  public_tests: [{ args: [[5, 5]], result: 0 }],
  hidden_tests: 2,
  posted_at_ms: 0,
};

describe("a worker", () => {
  it("writes the program that a task describes, then submits it", () => {
    const first = decide(mind("policy/worker"), viewWith({ tasks: [GINI_TASK] }));
    const wrote = z
      .object({ write_artifact: z.looseObject({ artifact_id: z.string(), code: z.string() }) })
      .parse(first.action).write_artifact;
    const gini = recipe("gini");
    expect(wrote.code).toBe(gini.code);
    const owned = [mine({ id: asId(wrote.artifact_id), description: gini.description })];
    const view = viewWith({ tasks: [GINI_TASK], owned, mind: first.memory });
    const second = decide(mind("policy/worker"), view);
    const solve = { method: "solve", args: ["task_gini", wrote.artifact_id] };
    expect(second.action).toEqual({ invoke_artifact: { artifact_id: "genesis_mint", ...solve } });
  });

  it("tries another program when the tests fail, and gives up after three", () => {
    const owned = shipped.map(({ name, description }) =>
      mine({ id: asId(`me_${name}`), description, revenue: 0 }),
    );
    const done = decisionsOf(mind("policy/worker", { consumes: 0 }), { tasks: [GINI_TASK], owned });
    const tried = all(done, "genesis_mint.solve").map(({ action }) => JSON.stringify(action));
    expect(tried.length).toBeGreaterThan(0);
    expect(tried.length).toBeLessThanOrEqual(3);
    expect(new Set(tried).size).toBe(tried.length);
  });

  it("sleeps until there is work", () => {
    const { action, sleep } = decide(mind("policy/worker", { sleep_s: 7 }), viewWith());
    expect(action).toEqual({ noop: {} });
    expect(sleep).toEqual({ for_ms: 7_000, until: [{ event: "task_posted" }] });
  });
});

const LOAN = {
  ...{ n: 1, debt_id: "debt_1", debtor: "ann", creditor: null, lender: null, status: "offered" },
  ...{ amount: 40, owed: 0, due_at_ms: null, rate_percent_per_day: 900 },
};
const ANNS = offeringWith({ id: asId("ann_tool"), owner: asId("ann"), revenue: 60 });

describe("a lender", () => {
  /** Too little model budget to sell any of it. */
  const NO_FUEL = { llmBudgetMicros: 100 * THOUGHT_MICROS };
  const answers = (debts: readonly unknown[], loans: readonly unknown[]) => ({
    "genesis_debt_contract.list_all": { debts: loans, next: null },
    "genesis_debt_contract.list_debts": debts,
  });

  it("lends to an agent whose programs earn", () => {
    const seen = { ...NO_FUEL, scrip: 200, market: [ANNS] };
    const done = decisionsOf(mind("policy/lender"), seen, answers([], [LOAN]));
    const lent = all(done, "genesis_debt_contract.accept")[0];
    expect(callOf(lent)).toMatchObject({ args: ["debt_1"], attach: { scrip: 40 } });
  });

  const OWED = { ...LOAN, debt_id: "debt_0", creditor: "me", status: "active", owed: 41 };
  const CLAIMS = [{ ...OWED, due_at_ms: 900_000 }];

  it.each([
    ["to an agent that earns nothing", { scrip: 200, market: [] }, LOAN, []],
    ["more than it can spare", { scrip: 60, market: [ANNS] }, LOAN, []],
    ["to itself", { scrip: 200, market: [ANNS] }, { ...LOAN, debtor: "me" }, []],
    ["twice to the same debtor", { scrip: 900, market: [ANNS] }, LOAN, CLAIMS],
  ])("does not lend %s", (_, about, loan, claims) => {
    const seen = { ...NO_FUEL, ...about };
    // It reads its claims before it reads about the new loan.
    const read = decisionsOf(mind("policy/lender"), { ...seen, turns: 4 }, answers(claims, []));
    const later = { ...seen, mind: read.at(-1)?.memory ?? null, turns: 30 };
    const done = decisionsOf(mind("policy/lender"), later, answers(claims, [loan]));
    expect(names(done)).toContain("genesis_debt_contract.list_all");
    expect(names(done)).not.toContain("genesis_debt_contract.accept");
  });

  it("collects an overdue debt", () => {
    const overdue = { ...LOAN, creditor: "me", status: "active", owed: 41, due_at_ms: 50_000 };
    const seen = { ...NO_FUEL, scrip: 10, turns: 30 };
    const done = decisionsOf(mind("policy/lender"), seen, answers([overdue], []));
    expect(names(done)).toContain("genesis_debt_contract.collect");
  });

  it.each([
    ["gives model budget to a debtor that cannot think, once per look", 0, 1],
    ["keeps its model budget if its debtor can think", THOUGHT_MICROS, 0],
  ])("%s", (_, llm_budget_micros, gifts) => {
    const seen = { scrip: 10, owned: [mine({ type: "fuel", calls_by_others: 0 })], turns: 18 };
    const done = decisionsOf(mind("policy/lender"), seen, {
      ...answers(CLAIMS, []),
      "genesis_ledger.get_budget": { id: "ann", llm_budget_micros },
    });
    const looks = all(done, "genesis_ledger.get_budget").map((each) => callOf(each).args);
    expect(looks).toEqual([["ann"]]);
    const given = all(done, "genesis_ledger.transfer_budget").map((each) => callOf(each).args);
    expect(given.filter(([to]) => to === "ann")).toEqual(
      Array.from({ length: gifts }, () => ["ann", 10 * THOUGHT_MICROS]),
    );
  });

  it("sells model budget through a program that it refills", () => {
    const [opens] = decisionsOf(mind("policy/lender", { fuel_price: 9 }), { turns: 1 });
    const pump = { has_standing: true, artifact_type: "fuel", price: 9 };
    expect(opens?.action).toMatchObject({ write_artifact: pump });
    const owned = [mine({ type: "fuel", id: asId("me_fuel_0"), calls_by_others: 0 })];
    const [fills, ...later] = decisionsOf(mind("policy/lender"), { owned });
    expect(named(fills?.action ?? null)).toBe("genesis_ledger.transfer_budget");
    expect(callOf(fills).args).toEqual(["me_fuel_0", 2 * 40 * THOUGHT_MICROS]);
    expect(names(later)).not.toContain("genesis_ledger.transfer_budget");
  });
});

describe("a trader", () => {
  const listing = (about = {}) => ({
    ...{ n: 1, artifact: "ann_tool", seller: "ann", price: 10, buyer: null },
    ...{ expires_at_ms: 600_000, description: "a tool", revenue: 100, created_at: 0 },
    ...about,
  });
  const trades = (one: unknown) => {
    const results = { "genesis_escrow.list_active": { listings: [one], next: null } };
    return decisionsOf(mind("policy/trader"), { scrip: 100 }, results);
  };

  it("buys a program that should earn more than it costs", () => {
    const bought = all(trades(listing()), "genesis_escrow.purchase")[0];
    expect(callOf(bought)).toMatchObject({ args: ["ann_tool"], attach: { scrip: 10 } });
  });

  it.each([
    ["never earned anything", listing({ revenue: 0 })],
    ["is its own", listing({ seller: "me" })],
    ["is reserved for another buyer", listing({ buyer: "bob" })],
    ["costs more than its stake", listing({ price: 60 })],
  ])("does not buy a program that %s", (_, one) => {
    const done = names(trades(one));
    expect(done).toContain("genesis_escrow.list_active");
    expect(done).not.toContain("genesis_escrow.purchase");
  });

  it("does not buy a program that another agent now owns", () => {
    const one = listing();
    const results = { "genesis_escrow.list_active": { listings: [one], next: null } };
    const bought = (owner: string) => {
      const market = [offeringWith({ id: asId("ann_tool"), owner: asId(owner) })];
      const made = decisionsOf(mind("policy/trader"), { scrip: 100, market }, results);
      return names(made).includes("genesis_escrow.purchase");
    };
    expect(bought("genesis_escrow")).toBe(true);
    expect(bought("bob")).toBe(false);
  });

  it("does not buy by an old answer of the escrow", () => {
    const seen = { ...NO_DUTIES, listings: [listing()] };
    const memory = (askedAt: number) => ({ ...seen, askedAt: { listings: askedAt } });
    const view = viewWith({ id: "me", scrip: 100, now: 100_000 });
    const move = (askedAt: number) =>
      buyBargain(0.5)({
        ...{ view, memory: memory(askedAt), thoughtMicros: 1 },
        ...{ dice: Dice.of(1, "me"), recipeBook },
      });
    expect(move(95_000)?.why).toContain("ann_tool has earned 100");
    expect(move(80_000)).toBeNull();
  });

  it("sets prices by demand between two reviews", () => {
    const owned = [mine({ price: 10, calls_by_others: 16 })];
    const unsold = decisionsOf(mind("policy/trader"), { owned, turns: 30 });
    const [lowered] = all(unsold, "genesis_store.set_price");
    expect(callOf(lowered)).toMatchObject({ args: ["me_gini_1", 8] });
  });

  it("sells the program that earns least when it needs money", () => {
    const owned = [mine(), mine({ id: asId("me_old"), revenue: 3 })];
    const done = decisionsOf(mind("policy/trader"), { scrip: 20, owned });
    const sold = all(done, "genesis_escrow.deposit").map((each) => callOf(each).attach.artifacts);
    expect(sold).toEqual([["me_old"], ["me_gini_1"]]);
  });
});

describe("a producer", () => {
  const OPEN = { open: true, auction: 1 };

  it("bids a program that others use for less than the usual prize", () => {
    const results = [{ artifact: asId("x"), bidder: asId("y"), price: 4, score: 60, minted: 30 }];
    const view = viewWith({ owned: [mine()], mint: { ...OPEN, results } });
    const bid = decide(mind("policy/producer"), view);
    const { args, attach } = callOf(bid);
    expect([named(bid.action), args]).toEqual(["genesis_mint.bid", ["me_gini_1"]]);
    expect(attach.scrip).toBeGreaterThanOrEqual(1);
    expect(attach.scrip).toBeLessThan(30);
  });

  it.each([
    ["the auction is closed", [mine()], { open: false }],
    ["no agent uses its programs", [mine({ calls_by_others: 0 })], OPEN],
    ["its programs earned almost nothing", [mine({ revenue: 2 })], OPEN],
  ])("bids nothing when %s", (_, owned, mint) => {
    const done = decisionsOf(mind("policy/producer"), { owned, mint });
    expect(names(done)).not.toContain("genesis_mint.bid");
  });

  it("borrows when it is short of scrip and earns: first the grant, then the loan", () => {
    const seen = { scrip: 12, owned: [mine({ balance: 0 })], diskLeft: 0 };
    const done = names(decisionsOf(mind("policy/producer"), seen));
    const grant = done.indexOf("genesis_ledger.grant");
    expect(grant).toBeGreaterThanOrEqual(0);
    expect(done[grant + 1]).toBe("genesis_debt_contract.issue");
    expect(done.filter((name) => name === "genesis_debt_contract.issue")).toHaveLength(1);
  });

  it("repays a debt before it is due and keeps a reserve", () => {
    const debt = { ...LOAN, debtor: "me", creditor: "ivo", status: "active", owed: 41 };
    const short = { scrip: 12, owned: [mine({ balance: 0 })], diskLeft: 0, now: 50_000 };
    const borrowed =
      decisionsOf(mind("policy/producer"), { ...short, turns: 3 }).at(-1)?.memory ?? null;
    const seen = { scrip: 60, owned: [mine()], diskLeft: 0, now: 100_000, mind: borrowed };
    const done = decisionsOf(mind("policy/producer"), seen, {
      "genesis_debt_contract.list_debts": [{ ...debt, due_at_ms: 120_000 }],
    });
    const paid = all(done, "genesis_debt_contract.repay")[0];
    expect(callOf(paid)).toMatchObject({ args: ["debt_1"], attach: { scrip: 42 } });
  });

  it("buys model budget from the cheapest seller before it runs out", () => {
    const pumps = [
      { id: "dear", price: 20, description: "" },
      { id: "cheap", price: 8, description: "" },
    ];
    const poor = { llmBudgetMicros: 10 * THOUGHT_MICROS, thoughts: 100, owned: [mine()] };
    const results = { "genesis_store.list_by_type": pumps };
    const done = decisionsOf(mind("policy/producer"), poor, results);
    expect(names(done)).toContain("cheap.run");
    expect(names(done)).not.toContain("dear.run");
  });
});

describe("a rich agent", () => {
  const child = { id: "me_2", disk_bytes: 5_000, actions: 15, scrip: 100 };

  it.each(["producer", "trader", "worker"] as const)(
    "spawns a %s with a quarter of what it has",
    (kind) => {
      const mindOf = { mind: `policy/${kind}` } as const;
      const rich = { scrip: 400, diskLeft: 20_000, turns: 20 };
      const done = decisionsOf(mind(mindOf.mind, { rich_at: 300 }), rich);
      const born = all(done, "genesis_ledger.spawn_principal").map(callOf);
      const { id, scrip, ...given } = child;
      expect(born).toMatchObject([{ args: [id, mindOf, given], attach: { scrip } }]);
      const poor = decisionsOf(mind(mindOf.mind, { rich_at: 300 }), { ...rich, scrip: 290 });
      expect(all(poor, "genesis_ledger.spawn_principal")).toEqual([]);
    },
  );

  it("spawns another child after five minutes", () => {
    const seen = { scrip: 400, horizonMs: 3_600_000, turns: 40, turnMs: 10_000 };
    const done = decisionsOf(mind("policy/producer", { rich_at: 300 }), seen);
    const born = all(done, "genesis_ledger.spawn_principal").map((each) => callOf(each).args[0]);
    expect(born).toEqual(["me_2", "me_3"]);
  });
});

it("an explorer offers a reward for a program that is not on sale, with hidden tests", () => {
  const done = decisionsOf(mind("policy/explorer"), { scrip: 200, now: 100_000, turns: 20 });
  const posted = all(done, "genesis_mint.post_task");
  expect(posted).toHaveLength(1);
  const { args, attach } = callOf(posted[0]);
  expect(attach.scrip).toBeGreaterThan(0);
  expect(attach.scrip).toBeLessThanOrEqual(30);
  expect(args[1]).toHaveLength(1);
  expect(z.array(z.json()).parse(args[2]).length).toBeGreaterThan(0);
});
