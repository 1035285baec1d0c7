/**
 * The figures of `sim report --json` against those that anyone can compute from what
 * `sim events --json` prints: here by the plainest arithmetic, and by nothing of `src/read`.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/figures/index.ts";
import { emptyFolder, jsonOf, makeRun, setFlags, sim } from "../support/sim.ts";

/** A line of the export: which of these fields there are depends on the kind. */
type Line = {
  readonly seq: number;
  readonly at_ms: number;
  readonly kind: string;
  readonly principal: string | null;
  readonly id: string;
  readonly agent: string;
  readonly artifact_id: string;
  readonly method: string;
  readonly caller: string;
  readonly depth: number;
  readonly price: number;
  readonly buyer: string;
  readonly lots: number;
  readonly sold: number;
  readonly micros: number;
  readonly paid_to: string | null;
  readonly owner: string;
  readonly fields: { readonly code?: string | null };
  readonly from: string;
  readonly to: string | null;
  readonly amount: number;
  readonly scrip: number;
  readonly reason: string;
  readonly hold: string;
  readonly into: string;
  readonly code: string;
  readonly usage: { readonly cost_micros: number; readonly api_cost_micros: number };
};

const folder = emptyFolder();
let events: readonly Line[];
let report: Report;

/** Little money for thinking, so that some freeze, some are rescued and some go bankrupt. */
const SETS = ["resources.stock.llm_budget_usd=0.25", "agent.loop.bankrupt_after_s=30"];

beforeAll(() => {
  makeRun(folder, { name: "r", seconds: 240 }, ...setFlags(...SETS));
  const lines = sim(folder, "events", "r", "--json").out.trim().split("\n");
  events = lines.map((line) => JSON.parse(line));
  report = jsonOf(folder, "report", "r");
});

const of = (...kinds: readonly string[]): readonly Line[] =>
  events.filter(({ kind }) => kinds.includes(kind));
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
const amountOf = (rows: readonly { readonly amount: number }[]): number =>
  sum(rows.map(({ amount }) => amount));
const isGenesis = (id: string): boolean => /^(genesis|handbook)[_.-]/.test(id);
const agents = (): readonly string[] => of("agent_created").map(({ id }) => id);
const endMs = (): number => events.at(-1)?.at_ms ?? 0;
const minutes = (): number => endMs() / 60_000;

/** Whose money each sum set aside is. */
const holders = (): ReadonlyMap<string, string> => {
  const owners = new Map<string, string>();
  for (const event of events) {
    if (event.kind === "scrip_held") owners.set(event.hold, event.from);
    if (event.kind === "hold_split") owners.set(event.into, owners.get(event.hold) ?? "");
  }
  return owners;
};

/** Where proceeds wait until they are shared. */
const POOL = "proceeds";

/** Every step of scrip from one to another; no one is the mint, the fire and the beginning. */
const steps = (): readonly { from: string; to: string; amount: number; event: Line }[] => {
  const owners = holders();
  return events.flatMap((event) => {
    const { kind, amount } = event;
    const [from, to] = [event.from, event.to ?? ""];
    if (kind === "principal_created")
      return [{ from: "", to: event.id, amount: event.scrip, event }];
    if (kind === "scrip_transferred") return [{ from, to, amount, event }];
    if (kind === "scrip_minted") return [{ from: "", to, amount, event }];
    if (kind === "scrip_burned") return [{ from, to: "", amount, event }];
    if (kind === "compute_bought") {
      const cost = event.lots * event.price;
      return [{ from: event.buyer, to: POOL, amount: cost, event }];
    }
    if (kind === "proceeds_shared") return [{ from: POOL, to, amount, event }];
    if (kind === "proceeds_burned") return [{ from: POOL, to: "", amount, event }];
    if (kind === "proceeds_collected")
      return [{ from: owners.get(event.hold) ?? "", to: POOL, amount, event }];
    if (kind !== "hold_spent") return [];
    return [{ from: owners.get(event.hold) ?? "", to, amount, event }];
  });
};

const wealthOf = (id: string, upToMs = Number.POSITIVE_INFINITY): number => {
  const past = steps().filter(({ event }) => event.at_ms <= upToMs);
  const received = past.filter(({ to }) => to === id);
  return amountOf(received) - amountOf(past.filter(({ from }) => from === id));
};

describe("the figures about money", () => {
  it("give the supply, and what was minted and burned by reason", () => {
    const minted = of("scrip_minted");
    const fees = of("scrip_burned");
    const prices = of("hold_spent").filter(({ to }) => to === null);
    const burned = amountOf([...fees, ...prices]);
    const endowed = sum(of("principal_created").map(({ scrip }) => scrip));
    const supply = endowed + amountOf(minted) - burned;
    expect(report.metrics.money).toMatchObject({ supply, minted: amountOf(minted), burned });
    expect(report.economy).toMatchObject({ scrip_total: supply, scrip_burned: burned });
    for (const reason of ["mint", "task"]) {
      const each = minted.filter((event) => event.reason === reason);
      expect(report.metrics.money.minted_by[reason]).toBe(amountOf(each));
    }
    expect(report.metrics.money.burned_by.purse ?? 0).toBe(amountOf(prices));
    const [mint = 0, shared] = [of("proceeds_collected"), of("proceeds_shared")].map(amountOf);
    const compute = sum(of("compute_bought").map(({ lots, price }) => lots * price));
    const collected = { collected: mint + compute, collected_by: { mint, compute } };
    const waiting = { undistributed_at_start: 0, undistributed: wealthOf(POOL) };
    const proceeds = { ...collected, ...waiting, shared, burned: 0 };
    expect(Math.min(mint, compute)).toBeGreaterThan(0);
    expect(report.metrics.money.proceeds).toEqual(proceeds);
    expect(report.proceeds).toEqual(proceeds);
  });

  it("give the sales of model budget", () => {
    const bought = of("compute_bought");
    const sold = sum(bought.map(({ lots }) => lots));
    const paid = sum(bought.map(({ lots, price }) => lots * price));
    const { compute, timeline } = report.metrics;
    expect(sold).toBeGreaterThan(0);
    expect(compute).toMatchObject({
      sales: of("compute_sold").length,
      sold: sum(of("compute_sold").map((sale) => sale.sold)),
      last_price: of("compute_sold").at(-1)?.price,
      buyers: new Set(bought.map(({ buyer }) => buyer)).size,
      issued_micros: sum(bought.map(({ micros }) => micros)),
    });
    expect([compute.sold, compute.paid, compute.mean_price]).toEqual([sold, paid, paid / sold]);
    expect(timeline.compute_price.at(-1)).toBe(compute.last_price);
    expect(sum(timeline.compute_lots)).toBe(sold);
    expect(report.compute).toEqual(compute);
  });

  it("give the wealth of each agent and its distribution", () => {
    const wealth = agents().map((id) => wealthOf(id));
    const told = report.metrics.principals.filter(({ agent }) => agent);
    expect(told.map((each) => [each.id, each.wealth])).toEqual(
      agents().map((id, at) => [id, wealth[at]]),
    );
    for (const agent of report.agents) expect(agent.scrip + agent.held).toBe(wealthOf(agent.id));
    const apart = wealth.flatMap((a) => wealth.map((b) => Math.abs(a - b)));
    const gini = sum(apart) / (2 * wealth.length * sum(wealth));
    expect(report.metrics.wealth.gini).toBeCloseTo(gini, 9);
    expect(report.economy.gini).toBeCloseTo(gini, 3);
    const poorest = wealth.toSorted((a, b) => a - b);
    for (const [at, point] of report.metrics.wealth.lorenz.entries()) {
      expect(point.wealth).toBeCloseTo(sum(poorest.slice(0, at)) / sum(wealth), 9);
    }
  });

  it("give wealth and supply over time", () => {
    const { at_ms, wealth, supply } = report.metrics.timeline;
    for (const at of [0, 1, at_ms.length >> 1, at_ms.length - 2, at_ms.length - 1]) {
      for (const { id, scrip } of wealth.slice(0, 4)) {
        expect(scrip[at]).toBe(wealthOf(id, at_ms[at]));
      }
      const made = steps().filter(({ event }) => event.at_ms <= (at_ms[at] ?? 0));
      const came = amountOf(made.filter(({ from }) => from === ""));
      expect(supply[at]).toBe(came - amountOf(made.filter(({ to }) => to === "")));
    }
  });
});

/** Who paid whom for something, as docs/report.md has it. */
const payments = (): readonly { from: string; to: string; amount: number }[] =>
  steps().flatMap(({ from, to, amount, event }) => {
    const isPaid = event.kind === "scrip_transferred" || event.kind === "hold_spent";
    if (!isPaid || to === "" || isGenesis(to) || from === "genesis_debt_contract") return [];
    if (event.reason === "spawn") return [];
    const payer = isGenesis(from) ? (event.principal ?? "") : from;
    return payer === to ? [] : [{ from: payer, to, amount }];
  });

describe("the figures about trade", () => {
  it("give the velocity of money", () => {
    const turnover = amountOf(payments());
    const moments = [...new Set(events.map(({ at_ms }) => at_ms))].sort((a, b) => a - b);
    const supplyAt = new Map<number, number>();
    let supply = 0;
    for (const { from, to, amount, event } of steps()) {
      if (from === "") supply += amount;
      if (to === "") supply -= amount;
      supplyAt.set(event.at_ms, supply);
    }
    let [now, scripMs] = [0, 0];
    for (const [at, moment] of moments.entries()) {
      now = supplyAt.get(moment) ?? now;
      scripMs += now * ((moments[at + 1] ?? moment) - moment);
    }
    expect(report.metrics.money.turnover).toBe(turnover);
    expect(report.metrics.money.velocity_per_min).toBeCloseTo((turnover * 60_000) / scripMs, 9);
  });

  it("count trades by kind", () => {
    const invoked = of("artifact_invoked");
    const brokered = (artifact: string, method: string): number =>
      invoked.filter((each) => each.artifact_id === artifact && each.method === method).length;
    const kinds = {
      service: invoked.filter(({ paid_to }) => paid_to !== null).length,
      read: of("artifact_read").filter(({ price }) => price > 0).length,
      sale: brokered("genesis_escrow", "purchase"),
      loan: brokered("genesis_debt_contract", "accept"),
      task: of("task_solved").length,
    };
    expect(report.metrics.trades).toEqual({ by_kind: kinds, total: sum(Object.values(kinds)) });
    expect(report.trades_by_kind).toEqual(kinds);
    expect(report.economy.trades).toBe(sum(Object.values(kinds)));
  });

  it("give the price index and the revenue of each service", () => {
    let [index, spent] = [1, 0];
    const revenue = new Map<string, number>();
    const last = new Map<string, number>();
    const sold = new Map<string, number>();
    for (const { artifact_id: id, price, paid_to } of of("artifact_invoked")) {
      if (paid_to === null || price === 0) continue;
      spent += price;
      revenue.set(id, (revenue.get(id) ?? 0) + price);
      index *= (price / (last.get(id) ?? price)) ** ((revenue.get(id) ?? 0) / spent);
      last.set(id, price);
      const key = `${id} of ${paid_to}`;
      sold.set(key, (sold.get(key) ?? 0) + price);
    }
    expect(index).not.toBe(1);
    expect(report.metrics.money.price_index).toBeCloseTo(index, 9);
    const told = report.metrics.services.map(
      ({ artifact, seller, revenue: got }) => [`${artifact} of ${seller}`, got] as const,
    );
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(sold));
    expect(sold.size).toBeGreaterThan(revenue.size);
  });

  it("give density, reciprocity and components of the trade network", () => {
    const flows = payments();
    const nodes = new Set([...agents(), ...flows.flatMap(({ from, to }) => [from, to])]);
    const pairs = new Set(flows.map(({ from, to }) => `${from} ${to}`));
    const back = [...pairs].filter((pair) => pairs.has(pair.split(" ").reverse().join(" ")));
    const parts: Set<string>[] = [];
    for (const node of nodes) {
      if (parts.some((part) => part.has(node))) continue;
      const part = new Set([node]);
      for (const here of part) {
        for (const { from, to } of flows) {
          if (from === here) part.add(to);
          if (to === here) part.add(from);
        }
      }
      parts.push(part);
    }
    const { network } = report.metrics;
    expect(network.edge_count).toBe(pairs.size);
    expect(network.density).toBeCloseTo(pairs.size / (nodes.size * (nodes.size - 1)), 9);
    expect(network.reciprocity).toBeCloseTo(back.length / pairs.size, 9);
    expect(network.components).toBe(parts.length);
    expect(network.largest_component).toBe(Math.max(...parts.map(({ size }) => size)));
  });
});

/** What everyone received, by source, as docs/report.md has it. */
const incomes = (): ReadonlyMap<string, { [source: string]: number }> => {
  const names: { readonly [reason: string]: string } = {
    price: "services",
    read_price: "reads",
    access: "fees",
    task: "tasks",
  };
  const brokers: { readonly [id: string]: string } = {
    genesis_escrow: "sales",
    genesis_debt_contract: "credit",
  };
  const found = new Map<string, { [source: string]: number }>();
  const add = (id: string, source: string, amount: number): void => {
    const mine = found.get(id) ?? {};
    found.set(id, { ...mine, [source]: (mine[source] ?? 0) + amount });
  };
  for (const { from, to, amount, event } of steps()) {
    const { kind, reason } = event;
    if (kind === "principal_created" || to === "" || reason === "spawn") continue;
    if (to === POOL) continue;
    if (kind === "scrip_minted") add(to, reason === "task" ? "tasks" : "mint", amount);
    else if (from === POOL) add(to, "proceeds", amount);
    else {
      const brokered = kind === "hold_spent" ? null : brokers[from];
      add(to, names[reason] ?? brokered ?? "other", amount);
    }
    const broker = kind === "scrip_transferred" ? brokers[to] : undefined;
    if (broker !== undefined) add(from, broker, -amount);
  }
  for (const mine of found.values()) {
    for (const source of Object.values(brokers)) mine[source] = Math.max(0, mine[source] ?? 0);
  }
  return found;
};

const SOURCES = ["services", "reads", "fees", "mint", "proceeds", "tasks", "sales", "credit"];

const entropy = (amounts: readonly number[]): number => {
  const shares = amounts.filter((amount) => amount > 0).map((amount) => amount / sum(amounts));
  return -sum(shares.map((share) => share * Math.log(share)));
};

describe("the figures about income", () => {
  it("give income by source and the concentration of revenue", () => {
    const found = incomes();
    for (const { id, income: told } of report.metrics.principals) {
      if (isGenesis(id)) continue;
      const income: { readonly [source: string]: number } = told;
      const mine = found.get(id) ?? {};
      for (const source of [...SOURCES, "other"]) {
        expect([id, source, income[source]]).toEqual([id, source, mine[source] ?? 0]);
      }
    }
    const revenue = [...found]
      .filter(([id]) => !isGenesis(id))
      .map(
        ([, { services = 0, reads = 0, fees = 0, sales = 0 }]) => services + reads + fees + sales,
      );
    const hhi = sum(revenue.map((each) => (each / sum(revenue)) ** 2));
    expect(report.metrics.revenue.total).toBe(sum(revenue));
    expect(report.metrics.revenue.hhi).toBeCloseTo(hhi, 9);
  });

  it("give specialisation and division of labour", () => {
    const sources = [...SOURCES, "other"];
    const rows = [...incomes()]
      .filter(([id]) => !isGenesis(id))
      .map(([id, mine]) => ({ id, amounts: sources.map((source) => mine[source] ?? 0) }))
      .filter(({ amounts }) => sum(amounts) > 0);
    for (const { id, amounts } of rows) {
      const told = report.metrics.principals.find((each) => each.id === id);
      expect(told?.specialisation).toBeCloseTo(1 - entropy(amounts) / Math.log(sources.length), 9);
    }
    const all = sum(rows.flatMap(({ amounts }) => amounts));
    const columns = sources.map((_, at) => sum(rows.map(({ amounts }) => amounts[at] ?? 0)));
    const left = sum(rows.map(({ amounts }) => (sum(amounts) / all) * entropy(amounts)));
    const division = (entropy(columns) - left) / entropy(columns);
    expect(report.metrics.revenue.division_of_labour).toBeCloseTo(division, 9);
  });
});

/** The owner of every program of agents, as it is at each event. */
const programs = (): {
  readonly known: ReadonlySet<string>;
  readonly ownerAt: (id: string, seq: number) => string | null | undefined;
} => {
  const known = new Set<string>();
  const turns: { readonly seq: number; readonly id: string; readonly owner: string | null }[] = [];
  for (const { kind, seq, artifact_id: id, fields, owner, to } of events) {
    const isWritten = kind === "artifact_written" && typeof fields.code === "string";
    if (isWritten && !isGenesis(id)) {
      known.add(id);
      turns.push({ seq, id, owner });
    } else if (kind === "ownership_transferred") turns.push({ seq, id, owner: to });
  }
  const ownerAt = (id: string, seq: number) =>
    turns.findLast((turn) => turn.id === id && turn.seq < seq)?.owner;
  return { known, ownerAt };
};

describe("the figures about work", () => {
  it("count programs, their reuse and their depth", () => {
    const { known, ownerAt } = programs();
    const invoked = of("artifact_invoked").filter(({ artifact_id }) => known.has(artifact_id));
    const byOthers = invoked.filter(
      ({ artifact_id, seq, principal }) => ownerAt(artifact_id, seq) !== principal,
    );
    const reused = new Set(byOthers.map(({ artifact_id }) => artifact_id)).size;
    expect(report.metrics.capital).toMatchObject({
      programs: known.size,
      reused,
      calls: invoked.length,
      calls_by_others: byOthers.length,
      calls_by_programs: invoked.filter(({ caller }) => known.has(caller)).length,
    });
    expect(report.metrics.capital.reuse_share).toBeCloseTo(reused / known.size, 9);
    // Genesis calls no programs of agents here, so that the depth of a call is its place.
    expect(report.metrics.capital.depth).toBe(1 + Math.max(...invoked.map(({ depth }) => depth)));
  });

  it("count actions, errors, thoughts and costs", () => {
    const refused = of("action_refused");
    const done = of("action_completed").length;
    const thoughts = of("thought_completed", "thought_failed", "thought_dropped");
    const { work } = report.metrics;
    expect(work).toMatchObject({
      actions: done + refused.length,
      succeeded: done,
      thoughts: thoughts.length,
      cost_micros: sum(thoughts.map(({ usage }) => usage.cost_micros)),
      api_cost_micros: sum(thoughts.map(({ usage }) => usage.api_cost_micros)),
    });
    expect(work.success_rate).toBeCloseTo(done / (done + refused.length), 9);
    expect(work.actions_per_min).toBeCloseTo((done + refused.length) / minutes(), 9);
    expect(work.thoughts_per_min).toBeCloseTo(thoughts.length / minutes(), 9);
    const errors = Map.groupBy(refused, ({ code }) => code);
    const times = [...errors].map(([code, events]) => ({ code, times: events.length }));
    expect(new Set(work.top_errors)).toEqual(new Set(times));
    for (const { id, cost_micros, thoughts: many } of report.metrics.principals) {
      const mine = thoughts.filter(({ principal }) => principal === id);
      const cost = sum(mine.map(({ usage }) => usage.cost_micros));
      expect([many, cost_micros]).toEqual([mine.length, cost]);
    }
  });

  it("give the share of time that agents were frozen", () => {
    const end = endMs();
    const spans = agents().map((id) => {
      const mine = events.filter(({ kind, agent, principal }) => {
        return (/^agent_(unfrozen|state_changed)$/.test(kind) ? agent : principal) === id;
      });
      const birth = of("agent_created").find((event) => event.id === id)?.at_ms ?? 0;
      const death = mine.find(({ kind }) => kind === "agent_bankrupt")?.at_ms ?? end;
      const ends = mine.filter((event) => event.from === "frozen");
      const frozen = mine
        .filter(({ kind }) => kind === "agent_frozen")
        .map(({ seq, at_ms }) => (ends.find((event) => event.seq > seq)?.at_ms ?? end) - at_ms);
      return { aliveMs: death - birth, frozenMs: sum(frozen) };
    });
    const frozenMs = sum(spans.map((span) => span.frozenMs));
    const aliveMs = sum(spans.map((span) => span.aliveMs));
    expect(frozenMs).toBeGreaterThan(0);
    expect(report.metrics.lives.frozen_share).toBeCloseTo(frozenMs / aliveMs, 9);
    expect(report.lives).toMatchObject({
      freezes: of("agent_frozen").length,
      rescues: of("agent_unfrozen").filter(({ principal }) => principal !== null).length,
      thaws: of("agent_unfrozen").filter(({ principal }) => principal === null).length,
      bankruptcies: of("agent_bankrupt").length,
    });
  });

  it("add up over the timeline to the totals", () => {
    const { timeline, money, work, trades } = report.metrics;
    for (const [told, total] of [
      [timeline.minted, money.minted],
      [timeline.burned, money.burned],
      [timeline.turnover, money.turnover],
      [timeline.trades, trades.total],
      [timeline.actions, work.actions],
      [timeline.thoughts, work.thoughts],
      [timeline.cost_micros, work.cost_micros],
    ] as const) {
      expect(sum(told)).toBe(total);
    }
  });
});
