import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyFolder, jsonOf, sim } from "../support/sim.ts";

const count = z.int().min(0);
const report = z.object({
  lives: z.looseObject({ spawned: count, freezes: count, rescues: count, thaws: count }),
  agents: z.array(z.looseObject({ id: z.string(), scrip: count })).min(11),
  alarms: z.array(z.looseObject({ alarm: z.string(), share: z.number() })),
  metrics: z.looseObject({
    at_ms: z.literal(3_600_000),
    timeline: z.looseObject({ at_ms: z.array(count).min(60), trades: z.array(count) }),
  }),
});
type Report = z.infer<typeof report>;

const folder = emptyFolder();
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** The trades of the quarter that ends so many minutes after the start. */
const tradesUntil = (minute: number, { metrics: { timeline } }: Report): number => {
  const endMs = minute * 60_000;
  const isIn = (atMs = 0): boolean => atMs > endMs - 15 * 60_000 && atMs <= endMs;
  return sum(timeline.trades.filter((_, at) => isIn(timeline.at_ms[at])));
};

describe.each([1, 2])("an hour of the shipped population, seed %i", (seed) => {
  let figures: Report;
  beforeAll(() => {
    const name = `seed-${seed}`;
    const flags = ["--seed", String(seed), "--clock", "virtual", "--duration", "1h", "--quiet"];
    const { code, err } = sim(folder, "run", "--name", name, ...flags);
    // Some agents go bankrupt, of which the command warns.
    if (code !== 0) throw new Error(err);
    figures = report.parse(jsonOf(folder, "report", name));
  });

  it("still trades in the last quarter", () => {
    const [second, last] = [tradesUntil(30, figures), tradesUntil(60, figures)];
    expect(second).toBeGreaterThan(300);
    expect(last / second).toBeGreaterThanOrEqual(0.6);
  });

  it("has agents that freeze, buy themselves free, are rescued and have children", () => {
    const { freezes, thaws, rescues, spawned } = figures.lives;
    expect(Math.min(freezes, thaws, rescues, spawned)).toBeGreaterThan(0);
    expect(thaws + rescues).toBeGreaterThan(freezes / 2);
  });

  it("spreads wealth unevenly, but not to one agent", () => {
    const wealth = figures.agents.map(({ scrip }) => scrip);
    const richest = Math.max(...wealth) / sum(wealth);
    expect(richest).toBeLessThanOrEqual(0.6);
    expect(richest).toBeGreaterThan(2 / wealth.length);
  });

  it("has no alarm for more than a third of the time", () => {
    const loud = figures.alarms.filter(({ share }) => share > 1 / 3);
    expect(loud).toEqual([]);
  });
});
