import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyFolder, sim } from "../support/sim.ts";

const base = z.object({ run: z.string().nullable(), seq: z.number(), at_ms: z.number() });
const summary = z.object({
  counted_from: base,
  duration_s: z.number(),
  from_s: z.number(),
  events: z.number(),
  last_seq: z.number(),
  actions: z.object({ total: z.number(), failed: z.number() }),
  economy: z.object({ scrip_minted: z.number(), trades: z.number() }),
  agents: z.array(z.object({ id: z.string(), actions: z.number() })),
});
const folder = emptyFolder();
const said = (...args: readonly string[]): string => sim(folder, ...args).out;
const json = (...args: readonly string[]): unknown => JSON.parse(said(...args, "--json"));

type Summary = z.infer<typeof summary>;
let [first, fork]: readonly (Summary | undefined)[] = [];

beforeAll(() => {
  const begin = ["run", "--clock", "virtual", "--duration", "60", "--name", "first"];
  first = summary.parse(json(...begin));
  fork = summary.parse(json("fork", "first", "--at", "900", "--name", "fork"));
});

describe("figures of a fork", () => {
  it("count from where it was forked, and say so", () => {
    expect(first?.counted_from).toEqual({ run: null, seq: 0, at_ms: 0 });
    expect(fork?.counted_from).toMatchObject({ run: "first" });
    const { seq, at_ms } = fork?.counted_from ?? { seq: 0, at_ms: 0 };
    expect(seq).toBeGreaterThanOrEqual(900);
    expect(fork).toMatchObject({ from_s: at_ms / 1_000, duration_s: 60 });
    expect(fork?.events).toBe((fork?.last_seq ?? 0) - seq);
    const line = `forked from first at event ${seq}, ${at_ms / 1_000} s; figures count from there`;
    for (const args of [
      ["report", "fork"],
      ["artifact", "fork", "ada"],
    ]) {
      expect(said(...args)).toContain(line);
    }
    expect(said("report", "first")).not.toContain("forked");
  });

  it("are the same on every screen", () => {
    const { actions, economy, agents } = fork as Summary;
    expect(agents.reduce((sum, agent) => sum + agent.actions, 0)).toBe(actions.total);
    expect(actions.total).toBeLessThan(first?.actions.total ?? 0);
    const report = summary.pick({ economy: true, agents: true }).parse(json("report", "fork"));
    expect(report).toEqual({ economy, agents });
    const { figures } = z
      .object({ figures: z.array(z.object({ name: z.string(), values: z.array(z.number()) })) })
      .parse(json("compare", "first", "fork"));
    const own = new Map(figures.map(({ name, values }) => [name, values[1]]));
    expect(own.get("actions")).toBe(actions.total);
    expect(own.get("refused")).toBe(actions.failed);
    expect(own.get("trades")).toBe(economy.trades);
    expect(own.get("scrip_minted")).toBe(economy.scrip_minted);
    for (const { name, values } of figures) expect([name, values[0]]).toEqual([name, values[1]]);
    const runs = z
      .array(z.object({ run_id: z.string(), from_s: z.number(), events: z.number() }))
      .parse(json("runs"));
    expect(runs).toContainEqual({ run_id: "fork", from_s: fork?.from_s, events: fork?.events });
  });
});
