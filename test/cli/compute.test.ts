import { describe, expect, it } from "vitest";
import { eventsOf, persona, type Seen } from "../attack/arena.ts";
import { mindWith, NOOP } from "../support/persona-lab.ts";
import { jsonOf, setFlags, sim } from "../support/sim.ts";
import { folderWith } from "../support/temporary-folder.ts";

/** A thought costs one lot, and each agent starts with two. */
const SETS = [
  "policy.thought_micros=10000",
  "resources.stock.llm_budget_usd=0.02",
  "compute.lot_micros=10000",
  "compute.supply_micros_per_period=20000",
  "compute.period_s=10",
  "compute.proceeds=burn",
  "compute.posted_price=4",
  "virtual.think_ms.policy=[100,100]",
  "mint.tasks=[]",
];

type Entry = { readonly [word: string]: unknown };
type Sold = {
  readonly sale: "auction" | "posted" | "equal" | "none";
  readonly seconds: number;
  /** The first standing order of ann. */
  readonly compute?: { readonly limit_price: number };
  /** The scrip that ann starts with. */
  readonly scrip?: number;
  /** What bob does. The thoughts of scripts cost nothing. */
  readonly bob?: readonly Entry[];
};

/** An agent that has stopped buys nothing. */
const STAYS: readonly Entry[] = [{ wait: 99 }, { noop: {} }];

const ask = (method: string, ...args: readonly number[]): Entry => ({
  invoke_artifact: { artifact_id: "genesis_compute", method, args },
});

/** Ann thinks as often as she can pay for. Returns what happened to her and to the sale. */
const sold = ({ sale, seconds, compute, scrip = 30, bob = [] }: Sold) => {
  const folder = folderWith({ "agents/ann/mind.ts": mindWith(NOOP) });
  persona(folder, "ann", { mind: "./mind.ts", starting_scrip: scrip, compute });
  persona(folder, "bob", { mind: "script", script: [...bob, ...STAYS], starting_scrip: 100 });
  const sets = setFlags(...SETS, `compute.sale=${sale}`);
  const flags = ["--clock", "virtual", "--duration", String(seconds), "--name", "run", ...sets];
  expect(sim(folder, "run", ...flags)).toMatchObject({ code: 0 });
  const report = jsonOf(folder, "report", "run");
  expect(sim(folder, "verify", "run").code).toBe(0);
  const events = eventsOf(folder, "run");
  const of = (kind: string): readonly Seen[] => events.filter((event) => event.kind === kind);
  const scripOf = (id: string): number => {
    const agents: readonly { readonly id: string; readonly scrip: number }[] = report.agents;
    return Number(agents.find((agent) => agent.id === id)?.scrip);
  };
  const ofAnn = (kind: string) => of(kind).filter(({ principal }) => principal === "ann");
  return { folder, report, of, ofAnn, scripOf };
};

/** What bob was told, in order: an answer, or the code and the message of a refusal. */
const answersTo = ({ of }: ReturnType<typeof sold>): readonly unknown[] =>
  [...of("action_completed"), ...of("action_refused")]
    .filter(({ principal }) => principal === "bob")
    .sort((a, b) => a.seq - b.seq)
    .map((each) => (each.kind === "action_completed" ? JSON.parse(String(each.result)) : each));

const timesOf = (events: readonly Seen[]): readonly number[] => events.map(({ at_ms }) => at_ms);

describe("an auction of model budget", () => {
  it("frees a frozen agent with scrip at each sale, without an order of its own", () => {
    const run = sold({ sale: "auction", seconds: 35 });
    const sales = [10_000, 20_000, 30_000];
    expect(timesOf(run.of("compute_sold"))).toEqual(sales);
    const bought = { buyer: "ann", lots: 1, price: 1, micros: 10_000 };
    expect(run.of("compute_bought")).toMatchObject(sales.map((at_ms) => ({ at_ms, ...bought })));
    const freed = run.of("agent_unfrozen");
    expect(freed).toMatchObject(sales.map((at_ms) => ({ at_ms, agent: "ann", principal: null })));
    // Two thoughts with the first budget, and one more at each sale.
    const thoughts = timesOf(run.ofAnn("thought_completed"));
    expect(thoughts.slice(2)).toEqual(sales);
    expect(thoughts).toHaveLength(5);
    expect(run.of("agent_frozen")).toHaveLength(4);
    expect(run.scripOf("ann")).toBe(27);
    expect(run.report.lives).toMatchObject({ freezes: 4, thaws: 3, rescues: 0, bankruptcies: 0 });
    expect(run.report.compute).toMatchObject({ sales: 3, sold: 3, paid: 3, last_price: 1 });
  });

  it("bids all the scrip of a frozen agent whose limit is below the last price", () => {
    // Bob wants three lots at each sale. There are two, so the price is his limit.
    const bids = { repeat: 2, do: [ask("bid", 3, 5), { wait: 10 }] };
    const compute = { limit_price: 2 };
    const run = sold({ sale: "auction", seconds: 25, compute, bob: [bids] });
    expect(run.of("compute_sold")).toMatchObject([
      { at_ms: 10_000, price: 5, offered: 2, asked: 4, sold: 2 },
      { at_ms: 20_000, price: 5, offered: 2, asked: 4, sold: 2 },
    ]);
    expect(run.of("compute_bought")).toMatchObject([
      { at_ms: 10_000, buyer: "bob", lots: 2 },
      { at_ms: 20_000, buyer: "ann", lots: 1, price: 5 },
      { at_ms: 20_000, buyer: "bob", lots: 1 },
    ]);
    expect(timesOf(run.of("agent_unfrozen"))).toEqual([20_000]);
    expect(timesOf(run.ofAnn("thought_completed")).at(-1)).toBe(20_000);
    expect([run.scripOf("ann"), run.scripOf("bob")]).toEqual([25, 85]);
  });

  it("sells nothing to an agent with a limit of 0, which goes bankrupt with its scrip", () => {
    const run = sold({ sale: "auction", seconds: 75, compute: { limit_price: 0 } });
    expect(run.of("compute_bought")).toEqual([]);
    const [frozen] = run.of("agent_frozen");
    const at_ms = Number(frozen?.at_ms) + 60_000;
    expect(run.of("agent_bankrupt")).toMatchObject([{ at_ms, offer: 0, price: 1, scrip: 30 }]);
  });

  it("returns what a bid does not pay, and has no fixed price to buy at", () => {
    const bob = [ask("bid", 1, 9), { wait: 12 }, ask("status"), ask("buy", 1)];
    const run = sold({ sale: "auction", seconds: 15, bob });
    const [placed, status, refused] = answersTo(run);
    expect(placed).toEqual({ lots: 1, limit_price: 9, held: 9, sale_at_ms: 10_000 });
    expect(status).toMatchObject({ sale: "auction", next_sale_at_ms: 20_000, bid: null });
    expect(refused).toMatchObject({ code: "not_found", message: /buy/ });
    expect(run.scripOf("bob")).toBe(99);
  });
});

describe("a posted sale of model budget", () => {
  it("first serves standing orders, then sells the rest to those who come first", () => {
    const bob = [{ wait: 12 }, ask("buy", 1), ask("buy", 1), { wait: 10 }, ask("buy", 2)];
    const run = sold({ sale: "posted", seconds: 21, bob });
    expect(run.of("compute_sold")).toMatchObject([
      { at_ms: 10_000, price: 4, offered: 2, asked: 1, sold: 1 },
      { at_ms: 20_000, price: 4 },
    ]);
    const [first] = run.of("compute_bought");
    expect(first).toMatchObject({ at_ms: 10_000, buyer: "ann", lots: 1, price: 4 });
    expect(timesOf(run.of("agent_unfrozen"))).toEqual([10_000, 20_000]);
    const [bought, refused] = answersTo(run);
    expect(bought).toEqual({ lots: 1, price: 4, paid: 4, micros: 10_000 });
    expect(refused).toMatchObject({ code: "quota_exceeded", message: /0 lots are left/ });
  });

  it("sells to a frozen agent as long as its scrip pays the price, even above its limit", () => {
    const run = sold({ sale: "posted", seconds: 85, compute: { limit_price: 3 }, scrip: 11 });
    expect(run.of("compute_bought")).toMatchObject([
      { at_ms: 10_000, buyer: "ann", price: 4 },
      { at_ms: 20_000, buyer: "ann", price: 4 },
    ]);
    expect(run.of("agent_bankrupt")).toMatchObject([{ scrip: 3, offer: 3, price: 4 }]);
  });
});

describe("an equal division of model budget", () => {
  it("gives the same to each agent, without payment, and frees those that it is enough for", () => {
    const run = sold({ sale: "equal", seconds: 25, bob: [ask("bid", 1, 5)] });
    const each = (at_ms: number) => ["ann", "bob"].map((to) => ({ at_ms, to, micros: 10_000 }));
    expect(run.of("compute_granted")).toMatchObject([...each(10_000), ...each(20_000)]);
    expect(timesOf(run.of("agent_unfrozen"))).toEqual([10_000, 20_000]);
    expect(run.of("compute_bought")).toEqual([]);
    expect([run.scripOf("ann"), run.scripOf("bob")]).toEqual([30, 100]);
    expect(answersTo(run)).toMatchObject([{ code: "not_found" }]);
  });
});

describe("a world that sells no model budget", () => {
  it("has no sales, so that an agent without budget goes bankrupt", () => {
    const run = sold({ sale: "none", seconds: 75, bob: [ask("status"), ask("buy", 1)] });
    expect(run.of("compute_sold")).toEqual([]);
    expect(run.ofAnn("thought_completed")).toHaveLength(2);
    expect(run.of("agent_bankrupt")).toMatchObject([{ frozen_ms: 60_000, scrip: 30, price: null }]);
    const [status, refused] = answersTo(run);
    expect(status).toMatchObject({ sale: "none", next_sale_at_ms: null });
    expect(refused).toMatchObject({ code: "not_found" });
  });
});
