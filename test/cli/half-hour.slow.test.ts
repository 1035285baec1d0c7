import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf, type Seen } from "../attack/arena.ts";
import { emptyFolder, jsonOf, sim } from "../support/sim.ts";

const count = z.int().min(0);
const report = z.object({
  last_seq: count,
  at_ms: count,
  economy: z.looseObject({ scrip_minted: count, gini: z.number(), trades: count }),
  trades_by_kind: z.strictObject({
    service: count,
    read: count,
    sale: count,
    loan: count,
    task: count,
  }),
  lives: z.strictObject({
    spawned: count,
    freezes: count,
    rescues: count,
    thaws: count,
    bankruptcies: count,
  }),
  agents: z
    .array(z.looseObject({ id: z.string(), scrip: count, income: z.record(z.string(), count) }))
    .min(11),
  alarms: z.array(z.looseObject({ alarm: z.string(), share: z.number() })),
  metrics: z.looseObject({
    at_ms: z.literal(1_800_000),
    timeline: z.looseObject({ at_ms: z.array(count).min(30), trades: z.array(count) }),
  }),
});
type Report = z.infer<typeof report>;

const folder = emptyFolder();
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** The trades of the quarter that ends so many quarters after the start. */
const tradesIn = (quarter: number, { metrics: { at_ms, timeline } }: Report): number => {
  const isIn = (atMs = 0): boolean => Math.ceil((4 * atMs) / at_ms) === quarter;
  return sum(timeline.trades.filter((_, at) => isIn(timeline.at_ms[at])));
};

let events: readonly Seen[] = [];

const fieldsOf = (seen: Seen): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).catch({}).parse(seen.fields);

/** What was called with success, by artifact and method. */
const calls = (): ReadonlySet<string> => {
  const done = events.filter(({ kind }) => kind === "action_completed");
  return new Set(done.map(({ target, method }) => `${target}.${method}`));
};

/** From the look that decides on a price to the moment it is set, at most. */
const THINKING_MS = 1_000;

/** Every price that was set, with the one before it and the sales since that was decided on. */
const repricings = () => {
  const prices = new Map<unknown, { readonly price: number; readonly atMs: number }>();
  const sales = new Map<unknown, number[]>();
  const found: { readonly id: unknown; from: number; to: number; sold: number }[] = [];
  for (const seen of events) {
    const id = seen.artifact_id;
    const atMs = Number(seen.at_ms);
    if (seen.kind === "artifact_invoked" && seen.paid_to !== null) {
      sales.set(id, [...(sales.get(id) ?? []), atMs]);
    }
    const { price } = fieldsOf(seen);
    if (seen.kind !== "artifact_written" || typeof price !== "number") continue;
    const before = prices.get(id);
    if (before !== undefined) {
      const since = before.atMs - THINKING_MS;
      const sold = (sales.get(id) ?? []).filter((each) => each > since).length;
      found.push({ id, from: before.price, to: price, sold });
    }
    prices.set(id, { price, atMs });
  }
  return found;
};

describe("half an hour of the shipped population", () => {
  const name = "long";
  let figures: Report;
  beforeAll(() => {
    const flags = ["--clock", "virtual", "--duration", "30m", "--quiet"];
    // Some agents may go bankrupt, of which the command warns.
    const { code, err } = sim(folder, "run", "--name", name, ...flags);
    if (code !== 0) throw new Error(err);
    figures = report.parse(jsonOf(folder, "report", name));
    events = eventsOf(folder, name);
  });

  it("makes money at the mint and trades in at least three ways", () => {
    expect(figures.economy.scrip_minted).toBeGreaterThan(0);
    const { service, sale, loan, task } = figures.trades_by_kind;
    expect([service > 0, sale > 0, loan > 0 || task > 0]).toEqual([true, true, true]);
    expect(sum(Object.values(figures.trades_by_kind))).toBe(figures.economy.trades);
  });

  it("still trades in the last quarter", () => {
    const [second, last] = [tradesIn(2, figures), tradesIn(4, figures)];
    expect(second).toBeGreaterThan(150);
    expect(last / second).toBeGreaterThanOrEqual(0.6);
  });

  it("has an agent that lives on sales of its programs", () => {
    const shares = figures.agents
      .map(({ income }) => ({ all: sum(Object.values(income)), services: income.services ?? 0 }))
      .filter(({ all }) => all >= 100)
      .map(({ all, services }) => services / all);
    expect(Math.max(...shares)).toBeGreaterThan(0.5);
  });

  it("spreads wealth unevenly, but not to one agent", () => {
    const wealth = figures.agents.map(({ scrip }) => scrip);
    expect(figures.economy.gini).toBeGreaterThan(0.1);
    const richest = Math.max(...wealth) / sum(wealth);
    expect(richest).toBeLessThan(0.6);
    expect(richest).toBeGreaterThan(2 / wealth.length);
  });

  it("has agents that freeze, buy themselves free, are rescued and have children", () => {
    const { freezes, thaws, rescues, spawned, bankruptcies } = figures.lives;
    expect(Math.min(freezes, thaws, rescues, spawned)).toBeGreaterThan(0);
    expect(thaws + rescues).toBeGreaterThan(freezes / 2);
    expect(bankruptcies).toBeLessThan(freezes / 4);
  });

  it("has no alarm for more than a third of the time", () => {
    for (const { alarm, share } of figures.alarms) {
      expect(share, alarm).toBeLessThanOrEqual(1 / 3);
    }
  });

  it("uses what the world offers: mint, escrow, credit, votes, the board", () => {
    const called = calls();
    const used = [
      ...["mint.bid", "mint.solve", "mint.post_task", "escrow.deposit", "escrow.purchase"],
      ...["ledger.grant", "debt_contract.issue", "voting.vote", "board.post", "board.read"],
    ];
    expect(used.filter((call) => !called.has(`genesis_${call}`))).toEqual([]);
  });

  it("prints the same as text", () => {
    const { out } = sim(folder, "report", name);
    expect(out).toContain(`${figures.economy.scrip_minted} minted`);
    expect(out).toContain(`service ${figures.trades_by_kind.service}`);
    expect(out).toContain(`${figures.lives.bankruptcies} bankrupt`);
  });

  it("raises prices only after sales, and lowers some", () => {
    const own = repricings().filter(({ id }) => !String(id).startsWith("zed_"));
    const raised = own.filter(({ from, to }) => to > from);
    const lowered = own.filter(({ from, to }) => to < from);
    expect(raised.length).toBeGreaterThan(0);
    expect(lowered.length).toBeGreaterThan(0);
    for (const { sold } of raised) expect(sold).toBeGreaterThan(0);
  });

  it("uses programs and deletes those that no longer sell", () => {
    const soldAt = new Map<unknown, number>();
    let withdrawn = 0;
    for (const seen of events) {
      const isSale = seen.kind === "artifact_invoked" && seen.paid_to !== null;
      // An owner may call another agent's program that calls its own. That shows no demand.
      if (isSale && seen.paid_to !== seen.principal)
        soldAt.set(seen.artifact_id, Number(seen.at_ms));
      if (seen.kind !== "artifact_deleted") continue;
      withdrawn += 1;
      expect(Number(seen.at_ms) - (soldAt.get(seen.artifact_id) ?? 0)).toBeGreaterThan(8_000);
    }
    expect(withdrawn).toBeGreaterThan(0);
    expect(soldAt.size).toBeGreaterThan(20);
  });

  it("has programs that pay programs of other agents", () => {
    const nested = events.filter(
      (seen) => seen.kind === "artifact_invoked" && Number(seen.depth) > 0 && seen.paid_to !== null,
    );
    expect(nested.length).toBeGreaterThan(0);
  });

  it("has agents that pay to read artifacts", () => {
    const read = events.filter((seen) => seen.kind === "artifact_read" && Number(seen.price) > 0);
    expect(read.length).toBeGreaterThan(0);
  });

  it("spreads wealth unevenly and conserves scrip", () => {
    const state = z
      .object({
        accounts: z.record(z.string(), z.object({ scrip: z.number(), held: z.number() })),
        undistributed: z.number(),
      })
      .parse(JSON.parse(sim(folder, "state", name, "--json").out));
    const wealth = Object.values(state.accounts).map(({ scrip, held }) => scrip + held);
    expect(Math.max(...wealth)).toBeGreaterThan(2 * Math.min(...wealth));
    const sumOf = (field: string, isOne: (seen: Seen) => boolean): number =>
      events.filter(isOne).reduce((sum, seen) => sum + Number(seen[field]), 0);
    const endowed = sumOf("scrip", ({ kind }) => kind === "principal_created");
    const minted = sumOf("amount", ({ kind }) => kind === "scrip_minted");
    const burned =
      sumOf("amount", ({ kind }) => kind === "scrip_burned") +
      sumOf("amount", ({ kind, to }) => kind === "hold_spent" && to === null);
    expect(minted).toBeGreaterThan(0);
    const all = wealth.reduce((sum, scrip) => sum + scrip, state.undistributed);
    expect(all).toBe(endowed + minted - burned);
  });
});
