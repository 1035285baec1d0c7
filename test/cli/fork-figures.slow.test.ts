import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, makeRun, sim } from "../support/sim.ts";

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
const json = (...args: readonly string[]): unknown => jsonOf(folder, ...args);

type Summary = z.infer<typeof summary>;
let [first, fork]: readonly (Summary | undefined)[] = [];

beforeAll(() => {
  const begin = ["run", "--clock", "virtual", "--duration", "60", "--name", "first"];
  first = summary.parse(json(...begin));
  fork = summary.parse(json("fork", "first", "--at", "900", "--name", "fork"));
});

describe("figures of a fork", () => {
  it("count from the fork and name the parent run", () => {
    expect(first?.counted_from).toEqual({ run: null, seq: 0, at_ms: 0 });
    expect(fork?.counted_from).toMatchObject({ run: "first" });
    const { seq, at_ms } = fork?.counted_from ?? { seq: 0, at_ms: 0 };
    expect(seq).toBeGreaterThanOrEqual(900);
    expect(fork).toMatchObject({ from_s: at_ms / 1_000, duration_s: 60 });
    expect(fork?.events).toBe((fork?.last_seq ?? 0) - seq);
    const line = `forked from first at event ${seq}, ${at_ms / 1_000} s; figures count from there`;
    expect(said("report", "fork")).toContain(line);
    expect(said("state", "fork", "ada")).toContain(line);
    expect(said("report", "first")).not.toContain("forked");
  });

  it("are the same in every verb", () => {
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

const PROGRAM = { code: "function run(a) { return a }" };

it("the report of a fork counts programs written and deleted since the fork", () => {
  const folder = emptyFolder();
  const makes = (id: string) => ({ write_artifact: { artifact_id: id, ...PROGRAM } });
  const deletes = (id: string) => ({
    invoke_artifact: { artifact_id: "genesis_store", method: "delete", args: [id] },
  });
  const script = [makes("one"), makes("two"), { wait: 10 }, makes("three")];
  const ended = [deletes("one"), { wait: 10 }, deletes("two")];
  writePersonas(join(folder, "agents"), { ann: { mind: "script", script: [...script, ...ended] } });
  makeRun(folder, { name: "old", seconds: 60 }, "--stop-after", "5");
  const fork = (name: string, stop: string): string => {
    const flags = ["--name", name, "--stop-after", stop, "--quiet"];
    expect(sim(folder, "fork", "old", ...flags).code).toBe(0);
    return sim(folder, "report", name).out;
  };
  const written = "Agents wrote 3 programs, 1 of them since the fork.";
  expect(fork("new", "50")).toContain(`${written} 2 of them no longer exist.`);
  expect(fork("short", "9")).toContain(`${written} 1 of them no longer exists.`);
});

const paid = z.object({
  seq: z.number(),
  kind: z.string(),
  at_ms: z.number(),
  amount: z.number().optional(),
  lots: z.number().optional(),
  price: z.number().optional(),
});

/** Returns the last event before a moment at which scrip waits for a sharing, and this scrip. */
const waitingIn = (lines: readonly string[]): readonly [seq: number, scrip: number] => {
  let waiting = 0;
  const sums = lines.map((line) => {
    const { seq, kind, at_ms, amount = 0, lots = 0, price = 0 } = paid.parse(JSON.parse(line));
    if (kind === "proceeds_collected") waiting += amount;
    if (kind === "compute_bought") waiting += lots * price;
    if (kind === "proceeds_shared" || kind === "proceeds_burned") waiting -= amount;
    return { seq, at_ms, waiting };
  });
  const found = sums.find(
    ({ waiting, at_ms }, at) => waiting > 0 && (sums[at + 1]?.at_ms ?? at_ms) > at_ms,
  );
  return [found?.seq ?? 0, found?.waiting ?? 0];
};

it("the report of a fork says what became of proceeds, with those that waited at the fork", () => {
  makeRun(folder, { name: "shares", seconds: 100 });
  const [seq, waiting] = waitingIn(said("events", "shares", "--json").trimEnd().split("\n"));
  expect(waiting).toBeGreaterThan(0);
  const { code } = sim(
    folder,
    "fork",
    "shares",
    "--at",
    `event:${seq}`,
    "--name",
    "later",
    "--quiet",
  );
  expect(code).toBe(0);
  const line = (run: string): string => /^proceeds .*$/m.exec(said("report", run))?.[0] ?? "";
  expect(line("later")).toContain(` scrip + ${waiting} that waited at the start: shared `);
  const [collected = 0, before = 0, ...ends] = line("later").match(/\d+/g)?.map(Number) ?? [];
  expect(ends).toHaveLength(3);
  expect(collected + before).toBe(ends.reduce((sum, scrip) => sum + scrip, 0));
  expect(line("shares")).toMatch(/^proceeds {2}\d+ scrip: shared /);
});
