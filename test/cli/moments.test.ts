import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { MoneyTrail, ShownMoment } from "../../src/read/index.ts";
import { calls, coderFolder, publishes } from "../support/coding-agents.ts";
import type { Step } from "../support/fake-coding-agent/plan.ts";
import { copyMarketRun } from "../support/market-run.ts";
import { writePersonas } from "../support/model-run.ts";
import { emptyFolder, jsonOf, makeRun, setFlags, sim, startSim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const folder = emptyFolder();

type Shown = ShownMoment & { readonly why?: string };
type Answer = { readonly total: number; readonly moments: readonly Shown[] };

const moments = (...args: readonly string[]): Answer =>
  jsonOf(folder, "moments", ...args, "--json");

const linesOf = (...args: readonly string[]) =>
  sim(folder, "moments", ...args)
    .out.trim()
    .split("\n");

beforeAll(() => {
  copyMarketRun(folder);
  const mock = ["--agents", "agents-llm", "--only", "toolsmith,analyst", "--model", "mock"];
  makeRun(folder, { name: "tools", seconds: 30 }, ...mock, ...setFlags("memory.backend=none"));
});

describe("sim moments", () => {
  it("shows what agents did, in order, each with an id of its own", () => {
    const { total, moments: all } = moments("market");
    expect(total).toBeGreaterThan(200);
    expect(all.length).toBe(total);
    expect(new Set(all.map(({ id }) => id)).size).toBe(total);
    const seqs = all.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    const ended = new Map<number, { readonly kind: string }>(
      sim(folder, "events", "market", "--json")
        .out.trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map((event) => [event.seq, event]),
    );
    for (const { seq, actor, at_ms } of all) {
      expect(ended.get(seq)).toMatchObject({ principal: actor, at_ms });
      expect(ended.get(seq)?.kind).toMatch(/^(?:action_completed|action_refused|thought_failed)$/);
    }
  });

  it("accounts for all scrip that an agent's actions have moved", () => {
    const trail: MoneyTrail = jsonOf(folder, "explain", "market", "jun", "--limit", "1000");
    const { moments: all } = moments("market", "jun");
    const moved = all.flatMap(({ money }) => money.map(({ amount }) => amount));
    const own = trail.steps.filter(({ because: { mover } }) => mover?.action.principal === "jun");
    expect(own.length).toBeGreaterThan(0);
    expect(moved.reduce((sum, amount) => sum + amount, 0)).toBe(
      own.reduce((sum, { amount }) => sum + amount, 0),
    );
  });

  it("shows one agent between two times, or the latest moments", () => {
    const some = moments("market", "boole", "--from", "10s", "--to", "20s");
    expect(some.total).toBeGreaterThan(1);
    for (const { actor, at_ms } of some.moments) {
      expect(actor).toBe("boole");
      expect(at_ms).toBeGreaterThanOrEqual(10_000);
      expect(at_ms).toBeLessThanOrEqual(20_000);
    }
    const last = moments("market", "--limit", "3");
    expect(last.moments.map(({ id }) => id)).toEqual(
      moments("market")
        .moments.slice(-3)
        .map(({ id }) => id),
    );
    const after = moments("market", "--from", "event:500");
    expect(after.moments.every(({ seq }) => seq >= 500)).toBe(true);
  });

  it("names which moments led to an artifact, as sim explain does", () => {
    const trail: MoneyTrail = jsonOf(folder, "explain", "market", "boole", "--limit", "1000");
    const made = trail.steps.flatMap(({ because: { creation } }) => creation ?? []);
    expect(made.length).toBeGreaterThan(3);
    for (const { artifact, action, moment } of made.slice(0, 2)) {
      const { moments: led } = moments("market", "--about", artifact);
      const wrote = led.findLast(({ why }) => /^(?:created|version) /.test(why ?? ""));
      expect(wrote).toMatchObject({ id: moment, seq: action.seq, actor: action.principal });
    }
    const all = new Map(moments("market").moments.map((each) => [each.seq, each]));
    for (const { because } of trail.steps) {
      if (because.mover === null) continue;
      const { action, moment, thought } = because.mover;
      expect(all.get(action.seq)).toMatchObject({ id: moment, thought: thought?.seq });
    }
  });

  it("follows an artifact back through the artifacts that it needs", () => {
    const composed = moments("market").moments.find(({ written }) =>
      written.some(({ depends_on }) => depends_on.length > 1),
    );
    const [write] = composed?.written ?? [];
    const { moments: led } = moments("market", "--about", write?.artifact ?? "");
    expect(led.at(-1)?.seq).toBeGreaterThanOrEqual(composed?.seq ?? Infinity);
    for (const part of write?.depends_on ?? []) {
      expect(led.map(({ why }) => why)).toContain(`needs ${part}: created ${part}`);
    }
    expect(
      led.some(({ why, actor }) => why?.startsWith("used ") && actor === composed?.actor),
    ).toBe(true);
  });

  it("finds moments by meaning, the best first", () => {
    const { moments: found, total } = moments(
      "market",
      "--search",
      "who owes what",
      "--limit",
      "5",
    );
    expect(total).toBeGreaterThan(5);
    expect(found.length).toBe(5);
    expect(found[0]?.prose).toContain("who owes what");
  });

  it("shows the turns of agents with tools, with their work in the workspace", () => {
    const { moments: all } = moments("tools", "toolsmith");
    expect(all.some(({ type }) => type === "COMPLETION")).toBe(true);
    const [published] = all.flatMap(({ written }) => written).filter(({ created }) => created);
    const { moments: led } = moments("tools", "--about", published?.artifact ?? "");
    expect(led.at(-1)?.why).toBe(`created ${published?.artifact}`);
    const before = led.slice(0, -1);
    expect(before.map(({ why }) => why)).toContain("earlier in the turn");
    expect(before.map(({ prose }) => prose).join("\n")).toContain("🔧 write_file(");
    const all_seqs = new Set(all.map(({ seq }) => seq));
    expect(all.every(({ previous }) => previous === null || all_seqs.has(previous))).toBe(true);
  });

  it("prints a table, and says how many moments it leaves out", () => {
    const { out, err } = sim(folder, "moments", "market", "boole", "--limit", "2");
    const [head, first, ...more] = out.trim().split("\n");
    expect(head).toBe("event\ttime (s)\tagent\tmoment\tspace\tabout\tscrip\twhat");
    expect(first?.split("\t").length).toBe(8);
    expect(more.length).toBe(1);
    const { total } = moments("market", "boole");
    expect(err).toContain(`2 moments of ${total}; --limit ${total} prints all`);
    const made = moments("market").moments.flatMap(({ written }) => written);
    const [led] = linesOf("market", "--about", made[0]?.artifact ?? "");
    expect(led).toContain("\twhy\t");
  });

  it("prints the graph, one node or link per line", () => {
    const records = linesOf("market", "boole", "--jsonl").map((line) => JSON.parse(line));
    const nodes = records.flatMap(({ node }) => node ?? []);
    const links = records.flatMap(({ link }) => link ?? []);
    const ids = new Set(nodes.map(({ id }) => id));
    expect(ids.size).toBe(nodes.length);
    expect(links.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
    const keys = links.map(({ from, verb, to }) => JSON.stringify([from, verb, to]));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("explains money with moments, as text", () => {
    const { steps }: MoneyTrail = jsonOf(folder, "explain", "market", "boole", "--limit", "1");
    const moment = steps[0]?.because.mover?.moment;
    expect(moment).toMatch(/^WORK_/);
    const { out } = sim(folder, "explain", "market", "boole", "--limit", "1");
    expect(out).toContain(`    moment ${moment}\n`);
  });

  it("begins with the fork of a run, and follows artifacts from before it no further", () => {
    const fork = ["fork", "market", "--at", "30s", "--duration", "20", "--name", "branch"];
    expect(sim(folder, ...fork, "--quiet").code).toBe(0);
    const { moments: all } = moments("branch");
    expect(all.length).toBeGreaterThan(10);
    expect(all.every(({ at_ms }) => at_ms >= 30_000)).toBe(true);
    const used = all.find(({ things, paid }) => things.length > 0 && paid > 0)?.things[0] ?? "";
    expect(sim(folder, "moments", "branch", "--about", used).code).toBe(0);
    const [first] = all;
    expect(first?.previous).toBeNull();
  });

  it("refuses what it does not know, and says what it knows", () => {
    expectRefusal(sim(folder, "moments", "market", "bool"), 2, /no agent "bool".*boole/);
    expectRefusal(
      sim(folder, "moments", "market", "--about", "nothing_here"),
      2,
      /no such artifact/,
    );
    expectRefusal(sim(folder, "moments", "market", "--json", "--jsonl"), 2, /not both/);
    expectRefusal(sim(folder, "moments", "market", "--from", "2h"), 2, /--from/);
    expectRefusal(sim(folder, "moments", "market", "--limit", "0"), 2, /--limit/);
  });
});

it("shows scripts that write to each other, from message to message", () => {
  const people = `${folder}/people`;
  const send = (to: string, text: string) => ({
    invoke_artifact: { artifact_id: "genesis_messenger", method: "send", args: [to, text] },
  });
  const waits = Array.from({ length: 20 }, () => ({ noop: {} }));
  writePersonas(people, {
    ann: { mind: "script", script: [send("bob", "Write me a poem."), { noop: {} }] },
    bob: {
      mind: "script",
      script: [{ write_artifact: { artifact_id: "bob_poem", content: "Roses." } }, ...waits],
    },
  });
  makeRun(folder, { name: "letters", seconds: 20 }, "--agents", people);
  const { moments: all } = moments("letters");
  const shown = all.map(({ actor, space, narratives }) => [actor, space, narratives]);
  expect(shown.toSorted()).toEqual([
    ["ann", "messenger", [{ kind: "thread", id: "1" }]],
    ["bob", "bob_workspace", []],
  ]);
});

it("shows the turn of a coding agent of the host, up to its end", async () => {
  const steps: readonly Step[] = [
    { does: "think", text: "People need doubled numbers." },
    publishes("coder_double"),
    calls("send_message", { to: "operator", text: "done" }),
    { does: "say", text: "I sell coder_double." },
  ];
  const cwd = coderFolder({ steps });
  const run = startSim(cwd, "run", "--name", "live", "--duration", "36000");
  onTestFinished(async () => {
    run.kill("SIGTERM");
    await run.ended;
  });
  await run.until(/message 1 from coder/);
  const own = (): readonly Shown[] => jsonOf(cwd, "moments", "live", "coder", "--json").moments;
  await expect.poll(() => own().some(({ type }) => type === "COMPLETION")).toBe(true);
  const turn = own().slice(0, own().findIndex(({ type }) => type === "COMPLETION") + 1);
  expect(turn.map(({ type, space }) => [type, space])).toEqual([
    ["CONVERSATION", "coder_workspace"],
    ["CONVERSATION", "messenger"],
    ["COMPLETION", "coder_workspace"],
  ]);
  expect(turn[0]?.prose).toMatch(/^💭 People need doubled numbers\.\n/);
  expect(turn[2]?.prose).toContain("I sell coder_double.");
  const { moments: led } = jsonOf(cwd, "moments", "live", "--about", "coder_double", "--json");
  expect(led[0]).toMatchObject({ why: "created coder_double", actor: "coder" });
});
