import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MoneyTrail } from "../../src/read/index.ts";
import { eventsOf } from "../attack/arena.ts";
import { copyMarketRun } from "../support/market-run.ts";
import { writePersonas } from "../support/model-run.ts";
import { type ModelServer, startModelServer } from "../support/model-server/model-server.ts";
import { emptyFolder, jsonOf, makeRun, setFlags, sim, startSim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();
const GIFT = JSON.stringify({
  thought_process: "Bob is my friend, and three scrip are what he needs.",
  action: {
    invoke_artifact: { artifact_id: "genesis_ledger", method: "transfer", args: ["bob", 3] },
  },
});
let server: ModelServer;

beforeAll(async () => {
  copyMarketRun(folder);
  server = await startModelServer(() => ({ text: GIFT }));
  const people = join(folder, "people");
  writePersonas(people, {
    ann: { mind: "llm", llm_model: "ollama/small" },
    bob: { mind: "policy/zero_intelligence" },
  });
  const sets = setFlags(
    `llm.providers.openai-compatible.base_url=${server.baseUrl("openai-compatible")}`,
    "virtual.think_ms.llm=[2000,2000]",
    "memory.embedder=hashed",
  );
  const asked = ["run", "--name", "asked", "--agents", people, "--clock", "virtual"];
  const ended = await startSim(folder, ...asked, "--duration", "12", "--quiet", ...sets).ended;
  expect(ended).toMatchObject({ code: 0, err: "" });
});
afterAll(() => server.close());

const explained = (...args: readonly string[]): MoneyTrail => jsonOf(folder, "explain", ...args);

describe("sim explain", () => {
  it("accounts for all that an agent has", () => {
    const { accounts } = jsonOf(folder, "state", "market");
    for (const agent of ["boole", "grace", "jun"]) {
      const { wealth, began_with, received, spent, streams } = explained("market", agent);
      expect(wealth).toBe(accounts[agent].scrip + accounts[agent].held);
      expect(began_with + received - spent).toBe(wealth);
      expect(streams.reduce((sum, { amount }) => sum + amount, 0)).toBe(received - spent);
    }
  });

  it("counts refused actions by their reason", () => {
    const refused = eventsOf(folder, "market").filter(
      ({ kind, principal }) => kind === "action_refused" && principal === "zed",
    );
    const { refusals } = explained("market", "zed");
    expect(refusals.reduce((sum, { times }) => sum + times, 0)).toBe(refused.length);
    const [first] = refusals;
    const said = sim(folder, "explain", "market", "zed").out;
    expect(said).toContain(`${refused.length} actions refused; most often:\n`);
    expect(said).toContain(`  ${first?.times} x ${first?.code}: `);
  });

  it("traces a payment to the call, the action and the thought in the events", () => {
    const events = new Map(eventsOf(folder, "market").map((event) => [event.seq, event]));
    const { steps } = explained("market", "boole", "--limit", "1000");
    const sales = steps.filter(({ reason, amount }) => reason === "price" && amount > 0);
    expect(sales.length).toBeGreaterThan(3);
    for (const { seq, amount, artifact, because } of sales) {
      const { use, mover, creation } = because;
      expect(events.get(seq)).toMatchObject({ kind: "scrip_transferred", to: "boole", amount });
      expect(use).toMatchObject({ kind: "artifact_invoked", artifact, price: amount });
      expect(events.get(use?.seq ?? 0)).toMatchObject({ artifact_id: artifact, paid_to: "boole" });
      const { action, thought } = mover ?? {};
      // A program of the agent that acts can be the payer.
      const principal = events.get(seq)?.principal;
      expect(events.get(action?.seq ?? 0)).toMatchObject({ kind: "action_completed", principal });
      const decided = events.get(thought?.seq ?? 0);
      expect(decided).toMatchObject({ kind: "thought_completed", principal });
      expect(thought).toMatchObject({ reasoning: decided?.reasoning, action: decided?.action });
      expect(use?.seq).toBeGreaterThanOrEqual(seq);
      expect(action?.seq).toBeGreaterThanOrEqual(use?.seq ?? Infinity);
      expect(creation).toMatchObject({ artifact, thought: { agent: "boole" } });
      expect(events.get(creation?.seq ?? 0)).toMatchObject({ artifact_id: artifact });
    }
  });

  it("traces a payment of the mint to its decision and the agent's action", () => {
    const { steps } = explained("market", "jun", "--limit", "1000");
    const task = steps.find(({ reason, amount }) => reason === "task" && amount > 0);
    expect(task?.because).toMatchObject({
      use: null,
      mint: { kind: "task_solved" },
      mover: { action: { principal: "jun", target: "genesis_mint", method: "solve" } },
      creation: { thought: { agent: "jun" } },
    });
  });

  it("shows the largest first, up to --limit, and only events up to --at", () => {
    const { steps } = explained("market", "grace", "--limit", "1000");
    const all = steps.map(({ amount }) => Math.abs(amount));
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(explained("market", "grace", "--limit", "2").steps.length).toBe(2);
    expect(explained("market", "grace").steps.length).toBe(5);
    const past = explained("market", "grace", "--at", "600", "--limit", "1000");
    const { accounts } = jsonOf(folder, "state", "market", "--at", "600");
    expect(past.seq).toBe(600);
    expect(past.wealth).toBe(accounts.grace.scrip + accounts.grace.held);
    expect(past.steps.length).toBeGreaterThan(0);
    for (const { seq } of past.steps) expect(seq).toBeLessThanOrEqual(600);
  });

  it("prints the same as text", () => {
    const [step] = explained("market", "boole", "--limit", "1").steps;
    const { out, code } = sim(folder, "explain", "market", "boole", "--limit", "1");
    expect(code).toBe(0);
    const all = explained("market", "boole", "--limit", "1000").steps.length;
    expect(out).toContain(`\nthe 1 largest movement of ${all}; --limit ${all} traces all\n`);
    const whole = sim(folder, "explain", "market", "boole", "--limit", String(all)).out;
    expect(whole).not.toContain("largest movement");
    expect(out).toContain(`scrip to ${step?.other} (${step?.what}), event ${step?.seq} at `);
    expect(out).toContain(`, event ${step?.because.mover?.thought?.seq} at `);
    expect(out).toContain(step?.because.mover?.thought?.reasoning);
  });

  it("sums up all movements by kind, also the small ones", () => {
    const trail = explained("market", "boole");
    expect(trail.streams.length).toBeGreaterThan(10);
    const { out } = sim(folder, "explain", "market", "boole", "--limit", "0");
    const [, kinds = [], streams = []] = out
      .trimEnd()
      .split("\n\n")
      .map((table) => table.split("\n").map((line) => line.split("\t")));
    const sumOf = (rows: readonly (readonly string[])[], sign: string): readonly number[] => {
      const signed = rows.filter(([scrip]) => scrip?.startsWith(sign));
      return [0, 1].map((at) => signed.reduce((sum, row) => sum + Number(row[at]), 0));
    };
    const times = (isIn: boolean): number =>
      trail.streams
        .filter(({ amount }) => amount > 0 === isIn)
        .reduce((sum, stream) => sum + stream.times, 0);
    const all = (row: readonly string[]): boolean => row[2]?.startsWith("all ") === true;
    for (const rows of [kinds.filter((row) => !all(row)), kinds.filter(all), streams]) {
      expect(sumOf(rows, "+")).toEqual([trail.received, times(true)]);
      expect(sumOf(rows, "-")).toEqual([-trail.spent, times(false)]);
    }
    const sold = trail.streams.filter(({ what }) => what === "calls sold");
    expect(trail.kinds.find(({ what }) => what === "calls sold")).toEqual({
      what: "calls sold",
      amount: sold.reduce((sum, { amount }) => sum + amount, 0),
      times: sold.reduce((sum, stream) => sum + stream.times, 0),
      others: new Set(sold.map(({ other }) => other)).size,
      artifacts: new Set(sold.map(({ artifact }) => artifact)).size,
    });
  });

  it("is suggested by the report for the richest agent with movements of scrip", () => {
    makeRun(folder, { name: "idle", seconds: 1 }, "--stop-after", "0.1");
    expect(sim(folder, "report", "idle").err).toMatch(/^next: sim dashboard idle$/m);
    const [, agent = ""] =
      /next: sim explain market (\S+)/.exec(sim(folder, "report", "market").err) ?? [];
    expect(explained("market", agent).streams.length).toBeGreaterThan(0);
  });

  it("suggests a similar name for an unknown agent", () => {
    expectRefusal(sim(folder, "explain", "market", "bole"), 2, /boole/);
  });
});

describe("sim explain of an agent on a model", () => {
  it("shows the prompt, the reply and the recalled memories", () => {
    const { steps } = explained("asked", "ann", "--limit", "100");
    const gifts = steps
      .filter(({ other, amount }) => other === "bob" && amount < 0)
      .toSorted((a, b) => a.seq - b.seq);
    expect(gifts.length).toBeGreaterThan(1);
    for (const { because } of gifts) {
      const thought = because.mover?.thought;
      expect(thought?.reasoning).toContain("Bob is my friend");
      expect(thought?.calls).toMatchObject([{ purpose: "decide", reply: GIFT, fault: null }]);
      const prompts = server.calls.map(({ body }) => JSON.stringify(body));
      const asked = JSON.stringify(thought?.calls[0]?.prompt).slice(1, -1);
      expect(prompts.some((prompt) => prompt.includes(asked))).toBe(true);
    }
    const [first, ...later] = gifts.map(({ because }) => because.mover?.thought?.memories ?? []);
    expect(first).toEqual([]);
    expect(later.at(-1)?.length).toBeGreaterThan(0);
    expect(later.at(-1)?.[0]?.text).toContain("genesis_ledger");
  });

  it("prints prompt and reply as text", () => {
    const { out } = sim(folder, "explain", "asked", "bob", "--limit", "1");
    expect(out).toMatch(/prompt to \S*small \(decide\): /);
    expect(out).toContain("    reply: ");
  });
});
