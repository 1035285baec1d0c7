import { describe, expect, it } from "vitest";
import {
  acting,
  type ModelRun,
  NOOP,
  type Personas,
  runModels,
  type SeenEvent,
} from "../../support/model-run.ts";

const THINKER = { mind: "llm" };
const QUIET = "memory.backend=none";
/** A reply that costs 2,300 micro-dollars and 2,150 tokens. */
const REPLY = { ...NOOP, usage: { input: 2_000, output: 150, cached: 0 } };
const SETS = [
  "run.duration_s=200",
  "compute.sale=none",
  QUIET,
  "llm.pricing={tiny: {input: 1, output: 2}}",
];

const runOf = (sets: readonly string[], agents: Personas = { ann: THINKER }): Promise<ModelRun> =>
  runModels({ agents, script: () => REPLY, sets: [...SETS, ...sets] });

const budget = (micros: number): string => `resources.stock.llm_budget_usd=${micros / 1e6}`;
const tokens = (quota: number): string => `resources.windows.llm_tokens=${quota}`;
const ENOUGH = tokens(1_000_000);

const firstFreeze = (run: ModelRun): SeenEvent => {
  const [frozen] = run.of("agent_frozen", "ann");
  if (frozen === undefined) throw new Error("ann was never frozen");
  return frozen;
};

/** What ann must have for a thought, as the event says that freezes her. */
const needsOf = async (...sets: readonly string[]): Promise<number> =>
  Number(firstFreeze(await runOf(sets)).needs);

const countsOf = (run: ModelRun) => ({
  asked: run.callsOf("ann").length,
  thought: run.of("thought_completed", "ann").length,
  failed: run.of("thought_failed", "ann").length,
});

describe("a model budget", () => {
  it("that is one micro-dollar short freezes the agent, and the exact price does not", async () => {
    const needs = await needsOf(budget(1), ENOUGH);
    const short = await runOf([budget(needs - 1), ENOUGH]);
    expect(firstFreeze(short)).toMatchObject({ lacks: "llm_budget", needs, has: needs - 1 });
    expect(countsOf(short)).toEqual({ asked: 0, thought: 0, failed: 0 });
    const exact = await runOf([budget(needs), ENOUGH]);
    expect(countsOf(exact)).toEqual({ asked: 1, thought: 1, failed: 0 });
    expect(firstFreeze(exact)).toMatchObject({ has: needs - 2_300 });
  });

  it("is used for thoughts until it cannot pay for the shortest prompt", async () => {
    const run = await runOf([budget(12_000), ENOUGH]);
    const { needs, has } = firstFreeze(run);
    expect(has).toBe(12_000 - 2_300 * run.callsOf("ann").length);
    expect(Number(has)).toBeLessThan(Number(needs));
    expect(Number(has) + 2_300).toBeGreaterThanOrEqual(Number(needs));
    expect(countsOf(run).failed).toBe(0);
    expect(run.of("agent_bankrupt", "ann")).toHaveLength(1);
  });

  it("that cannot pay for the whole prompt gets a shorter prompt that says so", async () => {
    const needs = await needsOf(budget(1), ENOUGH);
    const [prompt = ""] = (await runOf([budget(needs), ENOUGH])).promptsOf("ann");
    const [whole = ""] = (await runOf([budget(1_000_000), ENOUGH])).promptsOf("ann");
    expect(prompt).toMatch(/tokens cut here\]|omitted for lack of space/);
    expect(whole).not.toMatch(/tokens cut here\]|omitted for lack of space/);
    expect(prompt.length).toBeLessThan(whole.length);
    expect(prompt.length).toBeGreaterThan(500);
  });

  it("of a frozen agent must become the exact price before it thinks again", async () => {
    const { needs, has } = firstFreeze(await runOf([budget(5_000), ENOUGH]));
    const lacking = Number(needs) - Number(has);
    const gift = (micros: number) => ({
      invoke_artifact: {
        ...{ artifact_id: "genesis_ledger", method: "transfer_budget" },
        args: ["ann", micros],
      },
    });
    const script = [{ wait: 10 }, gift(lacking - 1), { wait: 10 }, gift(1)];
    const agents = { ann: THINKER, bob: { mind: "script", script } };
    const run = await runOf([budget(5_000), ENOUGH], agents);
    const [, second] = run.of("budget_transferred");
    expect(run.of("agent_unfrozen")).toMatchObject([{ agent: "ann", at_ms: second?.at_ms }]);
    expect(countsOf(run)).toEqual({ asked: 2, thought: 2, failed: 0 });
    expect(run.of("thought_started", "ann")[1]?.at_ms).toBe(second?.at_ms);
  });

  it("counts the system prompt in full", async () => {
    const wordy = { ...THINKER, system_prompt: "bread and iron, ".repeat(2_000) };
    const run = await runOf([budget(9_000), ENOUGH], { ann: wordy });
    expect(firstFreeze(run)).toMatchObject({ lacks: "llm_budget", has: 9_000 });
    expect(countsOf(run)).toEqual({ asked: 0, thought: 0, failed: 0 });
  });
});

describe("a quota of llm_tokens", () => {
  it("that is one token short freezes the agent, and the exact amount does not", async () => {
    const needs = await needsOf(tokens(1));
    const short = await runOf([tokens(needs - 1)]);
    expect(firstFreeze(short)).toMatchObject({ lacks: "llm_tokens", needs, has: needs - 1 });
    expect(countsOf(short)).toEqual({ asked: 0, thought: 0, failed: 0 });
    const exact = await runOf([tokens(needs)]);
    expect(exact.of("agent_frozen")).toEqual([]);
    expect(countsOf(exact).failed).toBe(0);
    // One thought fits into each window of 60 s.
    expect(countsOf(exact).thought).toBe(4);
  });

  it("below the limit of the prompt is enough for a real prompt", async () => {
    const run = await runOf([tokens(4_500)]);
    expect(run.of("agent_frozen")).toEqual([]);
    expect(countsOf(run).failed).toBe(0);
    expect(countsOf(run).thought).toBeGreaterThan(3);
  });

  it("limits the prompt, but an agent waits for the window rather than see less", async () => {
    const run = await runOf([tokens(6_000)]);
    expect(countsOf(run).failed).toBe(0);
    expect(run.promptsOf("ann").length).toBeGreaterThan(5);
    for (const prompt of run.promptsOf("ann")) expect(prompt).not.toContain("tokens cut here]");
  });
});

it("a quota of 0 freezes the agent before its first thought", async () => {
  for (const resource of ["llm_tokens", "llm_calls", "actions", "cpu_gas"]) {
    const run = await runOf([`resources.windows.${resource}=0`]);
    expect(run.of("agent_frozen")).toMatchObject([{ lacks: resource, has: 0 }]);
    expect(run.served).toEqual([]);
    expect(run.result.stoppedBy).toBe("idle");
  }
});

it("an agent whose memories do not fit into its quota thinks without them", async () => {
  const note = acting({ noop: {} }, { thought_process: "I remember the bread. ".repeat(20) });
  const sets = [...SETS, "memory.embedder=hashed"].filter((set) => set !== QUIET);
  const needs = await needsOf(tokens(1));
  const run = await runModels({
    agents: { ann: THINKER },
    script: () => note,
    sets: [...sets, tokens(needs + 40)],
  });
  expect(countsOf(run).failed).toBe(0);
  expect(countsOf(run).thought).toBeGreaterThan(2);
});

it("a workflow is frozen if it cannot pay for its first question", async () => {
  const ask = {
    name: "ask",
    type: "llm",
    prompt: "How is bread made? ".repeat(100),
    schema: "text",
  };
  const workflow = { steps: [ask, { name: "act", type: "llm", prompt: "Act." }] };
  const agents = { ann: { mind: "workflow", workflow } };
  const poor = await runOf([budget(1), ENOUGH], agents);
  const needs = Number(firstFreeze(poor).needs);
  const short = await runOf([budget(needs - 1), ENOUGH], agents);
  expect(countsOf(short)).toEqual({ asked: 0, thought: 0, failed: 0 });
  const exact = await runOf([budget(needs), ENOUGH], agents);
  expect(countsOf(exact)).toMatchObject({ asked: 1 });
});
