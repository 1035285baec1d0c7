import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf } from "../attack/arena.ts";
import { emptyFolder, jsonOf, makeRun, sim } from "../support/sim.ts";

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
  agents: z.array(
    z.looseObject({ id: z.string(), scrip: count, income: z.record(z.string(), count) }),
  ),
  alarms: z.array(z.looseObject({ alarm: z.string(), share: z.number() })),
});
type Report = z.infer<typeof report>;

const folder = emptyFolder();
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** What was called with success, by artifact and method. */
const callsIn = (run: string): ReadonlySet<string> => {
  const done = eventsOf(folder, run, "--kind", "action_completed");
  return new Set(done.map(({ target, method }) => `${target}.${method}`));
};

describe.each([1, 2])("ten minutes of the shipped population, seed %i", (seed) => {
  const name = `seed-${seed}`;
  let figures: Report;
  beforeAll(() => {
    makeRun(folder, { name, seconds: 600 }, "--seed", String(seed));
    figures = report.parse(jsonOf(folder, "report", name));
  });

  it("makes money at the mint and trades in at least three ways", () => {
    expect(figures.economy.scrip_minted).toBeGreaterThan(0);
    const { service, sale, loan, task } = figures.trades_by_kind;
    expect([service > 0, sale > 0, loan > 0 || task > 0]).toEqual([true, true, true]);
    expect(sum(Object.values(figures.trades_by_kind))).toBe(figures.economy.trades);
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
    expect(Math.max(...wealth) / sum(wealth)).toBeLessThan(0.6);
  });

  it("has frozen agents, most of which buy model budget and continue", () => {
    const { freezes, thaws, bankruptcies } = figures.lives;
    expect(freezes).toBeGreaterThan(0);
    expect(thaws).toBeGreaterThan(freezes / 2);
    expect(bankruptcies).toBeLessThan(3);
  });

  it("has no alarm for more than a third of the time", () => {
    for (const { alarm, share } of figures.alarms) {
      expect(share, alarm).toBeLessThanOrEqual(1 / 3);
    }
  });

  it("uses what the world offers: mint, escrow, credit, votes, the board", () => {
    const calls = callsIn(name);
    const used = [
      ...["mint.bid", "mint.solve", "mint.post_task", "escrow.deposit", "escrow.purchase"],
      ...["ledger.grant", "debt_contract.issue", "voting.vote", "board.post", "board.read"],
    ];
    expect(used.filter((call) => !calls.has(`genesis_${call}`))).toEqual([]);
  });

  it("passes sim verify", () => {
    expect(sim(folder, "verify", name).code).toBe(0);
  });

  it("prints the same as text", () => {
    const { out } = sim(folder, "report", name);
    expect(out).toContain(`${figures.economy.scrip_minted} minted`);
    expect(out).toContain(`service ${figures.trades_by_kind.service}`);
    expect(out).toContain(`${figures.lives.bankruptcies} bankrupt`);
  });
});
