import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readCalls } from "../../src/model/index.ts";
import { runPaths } from "../../src/run/index.ts";
import { Journal } from "../../src/world/index.ts";
import { emptyFolder, type SimResult, setFlags, sim } from "../support/sim.ts";
import { expectRefusal } from "./refusal.ts";

const report = z.object({
  state_hash: z.string(),
  economy: z.object({ trades: z.number(), scrip_minted: z.number() }),
  agents: z.array(z.object({ id: z.string(), actions: z.number(), succeeded: z.number() })),
});

const folder = emptyFolder();

const started = (name: string, ...flags: readonly string[]): SimResult => {
  const virtual = ["--clock", "virtual", "--name", name, "--json"];
  const model = ["--agents", "agents-llm", "--model", "mock"];
  const sets = setFlags("memory.embedder=hashed");
  return sim(folder, "run", ...model, ...virtual, ...sets, ...flags);
};

const ranAs = (name: string, ...flags: readonly string[]) => {
  const { code, out, err } = started(name, ...flags);
  expect(code, err).toBe(0);
  return report.parse(JSON.parse(out));
};

let town: z.infer<typeof report>;
beforeAll(() => {
  town = ranAs("town", "--duration", "70", "--seed", "3");
});

const eventsOf = (run: string, kind: string): readonly string[] => {
  const { out } = sim(folder, "events", run, "--kind", kind, "--json");
  return out.split("\n").filter((line) => line !== "");
};

const modelCallsOf = (run: string) => {
  const shape = z.object({ calls: z.number(), failures: z.number() });
  return shape.parse(JSON.parse(sim(folder, "report", run, "--json").out).model_calls);
};

describe("sim run --model mock", () => {
  it("shows trades, wins at the mint and few refusals, without a key", () => {
    expect(town.economy.trades).toBeGreaterThan(10);
    expect(town.economy.scrip_minted).toBeGreaterThan(0);
    expect(eventsOf("town", "artifact_scored").length).toBeGreaterThan(0);
    const actions = town.agents.reduce((sum, each) => sum + each.actions, 0);
    const succeeded = town.agents.reduce((sum, each) => sum + each.succeeded, 0);
    expect(actions).toBeGreaterThan(60);
    expect(succeeded / actions).toBeGreaterThan(0.9);
    expect(modelCallsOf("town").failures).toBe(0);
  });

  it("gives the same run for the same seed, and another for another seed", () => {
    const short = ["--duration", "5"];
    const [first, again, other] = [
      ranAs("one", ...short),
      ranAs("two", ...short),
      ranAs("three", ...short, "--seed", "2"),
    ];
    expect(again.state_hash).toBe(first.state_hash);
    expect(other.state_hash).not.toBe(first.state_hash);
    const replayed = ranAs("replayed", ...short, "--replay-models", "one");
    expect(replayed.state_hash).toBe(first.state_hash);
  });

  it("can fail and take its time", () => {
    const sets = setFlags(
      "llm.providers.mock.fault_share=0.7",
      "llm.providers.mock.latency_ms=[1,3]",
      "llm.failover.cooldown_initial_s=0.001",
      "llm.failover.cooldown_max_s=0.001",
    );
    ranAs("faulty", "--duration", "10", ...sets);
    const { calls, failures } = modelCallsOf("faulty");
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeLessThan(calls);
    const messages = eventsOf("faulty", "thought_failed").join("\n");
    expect(messages).toContain("the mock model refuses to answer");
  });

  it("judges at the mint, extracts facts and compares memories", () => {
    const sets = setFlags("mint.scorer=llm", "memory.infer=true", "memory.embedder=mock/vectors");
    ranAs("all", "--duration", "62", "--only", "alpha,beta", ...sets);
    const { out } = sim(folder, "report", "all");
    for (const purpose of ["decide", "score", "infer", "embed"]) {
      expect(out).toMatch(new RegExp(`^for\\t${purpose}\\t\\d+\\t0\\t`, "m"));
    }
  });

  it("costs what `llm.pricing` says, so that budgets can be tried", () => {
    const priced = setFlags("llm.pricing.mock.input=100", "llm.pricing.mock.output=100");
    const { out } = started("paid", "--duration", "60", "--max-cost", "0.5", ...priced);
    expect(JSON.parse(out)).toMatchObject({ stopped_by: "max_cost" });
    const { out: estimate } = sim(
      folder,
      "run",
      "--agents",
      "agents-llm",
      "--model",
      "mock",
      "--estimate",
    );
    expect(estimate).toMatch(/^alpha\tmock\t.*\t0\.0000$/m);
  });

  it("says at the start, and in the estimate, if no call fits into the cost limit", () => {
    const paid = ["--only", "alpha", ...setFlags("llm.pricing.mock.input=10"), "--duration", "5"];
    const model = ["--agents", "agents-llm", "--model", "mock", "--estimate"];
    const what = "the run stops at the first call of alpha: a call may cost \\$([\\d.]+)";
    const limit = "more than the limit of \\$0\\.0100 \\(--max-cost\\)";
    const cure =
      "raise --max-cost to at least \\1 \\(for one call\\), or lower llm\\.max_tokens or";
    const note = new RegExp(`^note: ${what}, ${limit}; ${cure}`, "m");
    const estimated = sim(folder, "run", ...model, ...paid, "--max-cost", "0.01");
    const [, least = ""] = note.exec(estimated.err) ?? [];
    const poor = started("poor", "--max-cost", "0.01", ...paid);
    expect(poor.err).toMatch(note);
    expect(JSON.parse(poor.out)).toMatchObject({ stopped_by: "max_cost" });
    const enough = started("enough", "--max-cost", least, ...paid);
    expect(enough.err).not.toContain("note: the run stops");
    const { calls, failures } = modelCallsOf("enough");
    expect(calls - failures).toBeGreaterThan(0);
  });

  it("refuses wrong settings with one line", () => {
    const latency = started("wrong", ...setFlags("llm.providers.mock.latency_ms=[5,1]"));
    expectRefusal(latency, 2, /`llm.providers.mock.latency_ms`.*must be \[min, max\]/);
    const share = started("wrong", ...setFlags("llm.providers.mock.fault_share=2"));
    expectRefusal(share, 2, /`llm.providers.mock.fault_share`/);
  });
});

const previewed = (...args: readonly string[]): SimResult =>
  sim(folder, "agents", "preview", ...args);

const PROMPT = z.strictObject({
  id: z.string(),
  mind: z.string(),
  settings: z.object({ model: z.string() }),
  seq: z.number(),
  public_event: z.number().nullable(),
  at_ms: z.number(),
  sections: z.array(z.object({ name: z.string(), tokens: z.number(), text: z.string() })),
  prompt: z.string(),
  tokens: z.number(),
});

const promptAt = (agent: string, run: string, at: string) => {
  const { code, out, err } = previewed(agent, "--run", run, "--at", at, "--json");
  expect(code, err).toBe(0);
  return PROMPT.parse(JSON.parse(out));
};

const callsOf = (run: string) => {
  const opened = Journal.open(runPaths(join(folder, "runs", run)).journal, { readOnly: true });
  if (!opened.ok) throw new Error(opened.problem);
  const calls = [...readCalls(opened.journal.modelCalls())];
  opened.journal.close();
  return calls.flatMap((read) => (read.ok ? [read.call] : []));
};

describe("sim agents preview --run", () => {
  it.each([
    ["alpha", "town"],
    ["gamma", "town"],
    ["alpha", "all"],
  ])("equals the recorded prompts of %s in the run %s", (agent, run) => {
    const calls = callsOf(run).filter(({ request }) => request.agent === agent);
    const chosen = [0.2, 0.6, 0.9].flatMap((share) => {
      return calls[Math.floor(calls.length * share)] ?? [];
    });
    expect(chosen).toHaveLength(3);
    for (const { request, atMs } of chosen) {
      const { prompt, id, at_ms } = promptAt(agent, run, `${atMs / 1_000}s`);
      expect(prompt).toBe(`${request.system}\n\n${request.prompt}`);
      expect({ id, at_ms }).toEqual({ id: agent, at_ms: atMs });
    }
    const recalls = chosen.filter(({ request }) => request.prompt.includes("relevant memories"));
    expect(recalls.length).toBeGreaterThan(0);
  });

  it("equals the first recorded question of a thought in steps", () => {
    const audits = callsOf("town").filter(({ request }) => request.purpose === "self_audit");
    const audit = audits[Math.floor(audits.length / 2)];
    if (audit === undefined) throw new Error("alpha_2 audits itself");
    const { sections } = promptAt("alpha_2", "town", `${audit.atMs}ms`);
    const shown = (name: string) => sections.find((section) => section.name === name)?.text;
    expect(shown("step:self_audit")).toBe(audit.request.prompt);
    expect(shown("step_system")).toBe(audit.request.system);
  });

  it("takes the number of an event, in two forms, and otherwise the end of the run", () => {
    const [started = "{}"] = eventsOf("town", "thought_started").slice(-1);
    const { seq, principal } = z
      .object({ seq: z.number(), principal: z.string() })
      .parse(JSON.parse(started));
    const byEvent = promptAt(principal, "town", `event:${seq}`);
    expect(byEvent).toMatchObject({ seq, id: principal });
    expect(promptAt(principal, "town", String(seq))).toEqual(byEvent);
    const text = previewed("alpha", "--run", "town").out;
    expect(text).toMatch(
      /^alpha at 70 s, after event \d+ of the journal \(public event \d+\)\n--- /,
    );
    const [, newest] = /\(public event (\d+)\)/.exec(text) ?? [];
    expect(text).toContain(`The newest public event is number ${newest}.`);
    expect(previewed("alpha", "--run", "town", "--at", "1m").out).toMatch(/^alpha at 60 s, /);
  });

  it("refuses what it cannot show", () => {
    const at = (...args: readonly string[]) => previewed("alpha", ...args);
    expectRefusal(at("--at", "5s"), 2, /--at is a moment of a run; add --run RUN/);
    expectRefusal(at("--run", "town", "--at", "900s"), 2, /this run covers 0 s to 70 s/);
    expectRefusal(at("--run", "town", "--at", "99999"), 2, /this run has the events 1 to \d+/);
    expectRefusal(at("--run", "town", "--at", "soon"), 2, /time such as 300s or 5m/);
    expectRefusal(at("--run", "town", "--set", "run.seed=2"), 2, /omit --set/);
    expectRefusal(previewed("ann", "--run", "town"), 2, /there is no agent "ann".*alpha/);
    expectRefusal(
      previewed("alph", "--run", "town"),
      2,
      /"alph" after .*; did you mean `alpha`\?$/m,
    );
  });

  it("shows a fork from the moment of the fork on", () => {
    const fork = sim(
      folder,
      "fork",
      "town",
      "--at",
      "400",
      "--name",
      "branch",
      "--stop-after",
      "5",
    );
    expect(fork.code, fork.err).toBe(0);
    const early = previewed("alpha", "--run", "branch", "--at", "0s");
    expectRefusal(early, 2, /this run covers \d+\.?\d* s to /);
    const event = previewed("alpha", "--run", "branch", "--at", "3");
    expectRefusal(event, 2, /this run has the events \d{3} to \d+/);
    expect(previewed("alpha", "--run", "branch").out).toContain("Your relevant memories");
  });

  it("says that a policy has no prompt", () => {
    const virtual = ["--clock", "virtual", "--duration", "5", "--name", "policies"];
    expect(sim(folder, "run", "--only", "ada", ...virtual).code).toBe(0);
    const { code, out } = previewed("ada", "--run", "policies");
    expect({ code, out }).toEqual({
      code: 0,
      out: "ada has no prompt: its mind is policy/producer\n",
    });
  });
});
