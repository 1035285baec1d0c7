import { describe, expect, test } from "vitest";
import { type ActionRecord, asId, type Json } from "../../src/kernel/index.ts";
import { offeringWith } from "../support/view.ts";
import { actionOf, actionRecord, call, failedAction, iterate, workflowIn } from "./workbench.ts";

const write = { write_artifact: { artifact_id: "adder", code: "function run() { return 1 }" } };

describe("alpha_2, the adaptive architect", () => {
  const alpha = workflowIn("../../agents-llm/alpha_2/agent.yaml");
  const answers = {
    self_audit: [{ data: { working: "little", not_working: "the shop", verdict: "keep" } }],
    review_strategy: [{ data: { goal: "sell", strategy: "call the shop", first_step: "call it" } }],
    decide_action: [{ action: call("shop") }],
  };
  const STUCK = [actionRecord(), failedAction(), failedAction(), failedAction()];

  test("measures, audits, reviews and decides", async () => {
    const ran = await iterate(alpha, { answers, actions: [actionRecord(), actionRecord()] });
    const asked = ["self_audit", "review_strategy", "decide_action"];
    expect(ran.asked.map(({ step }) => step)).toEqual(asked);
    expect(ran.steps).toContain("count_pivots skipped");
    expect(ran.asked[0]?.prompt).toContain("Stuck in a loop: false. You should pivot: false.");
    expect(ran.asked[2]?.prompt).toContain("Your strategy: call the shop");
    expect(actionOf(ran)).toEqual(call("shop"));
  });

  test("sees the market and its memories before it plans", async () => {
    const seen = { market: [offeringWith({ id: asId("mill") })] };
    const mindful = { memories: [{ text: "bread sells", atMs: 0 }] };
    const ran = await iterate(alpha, { answers, mindful, seen });
    expect(ran.asked[0]?.prompt).toContain("bread sells");
    expect(ran.asked[1]?.prompt).toMatch(/On offer from others: <data>.*"mill"/s);
  });

  test("when it should pivot, a repeated failure is sent back", async () => {
    const decide_action = [{ action: call("shop") }, { action: write }];
    const ran = await iterate(alpha, { answers: { ...answers, decide_action }, actions: STUCK });
    expect(ran.asked[0]?.prompt).toContain("Stuck in a loop: true. You should pivot: true.");
    expect(ran.asked.at(-1)?.prompt).toContain(
      "You chose invoke_artifact shop run, but that is the action that just failed",
    );
    expect(actionOf(ran)).toEqual(write);
    expect(ran.run.memory).toMatchObject({ counters: { pivots: 1 } });
  });

  test("a failure that is repeated twice is not a decision", async () => {
    const ran = await iterate(alpha, { answers, actions: STUCK });
    expect(ran.asked.filter(({ step }) => step === "decide_action")).toHaveLength(2);
    expect(ran.run).toMatchObject({ ok: false, reason: "intent_rejected" });
  });

  test("failed thoughts do not make it forget the failed action", async () => {
    const actions = [...STUCK, ...Array(6).fill(failedAction({ action: "think" }))];
    const ran = await iterate(alpha, { answers, actions, failuresKept: 5 });
    expect(ran.run).toMatchObject({ ok: false, reason: "intent_rejected" });
  });

  test("another method or another target is not a repetition", async () => {
    for (const action of [
      { invoke_artifact: { artifact_id: "shop", method: "quote" } },
      call("stall"),
      { read_artifact: { artifact_id: "shop" } },
    ]) {
      const decide_action = [{ action }];
      const ran = await iterate(alpha, { answers: { ...answers, decide_action }, actions: STUCK });
      expect(actionOf(ran)).toEqual(action);
    }
  });

  test("an agent that succeeds may repeat a failed action", async () => {
    const actions = [actionRecord(), actionRecord(), actionRecord(), failedAction()];
    expect(actionOf(await iterate(alpha, { answers, actions }))).toEqual(call("shop"));
  });

  /** What a letter means: a success, a failed call, read or thought. */
  const ACTIONS: Readonly<Record<string, ActionRecord>> = {
    s: actionRecord(),
    c: failedAction(),
    r: failedAction({ action: "read_artifact" }),
    t: failedAction({ action: "think" }),
  };

  test.each([
    ["three failures of one kind", "ssccc", true],
    ["failures of two kinds", "ssccr", false],
    ["a success in between", "ccsc", true],
    ["fewer than three in ten", "rrrrrrrssc", true],
    ["a failed thought, which is not an action", "stt", false],
    ["nothing done yet", "", false],
  ])("%s", async (_what, letters, pivots) => {
    const actions = [...letters].flatMap((letter) => ACTIONS[letter] ?? []);
    const decide_action = [{ action: { noop: {} } }];
    const ran = await iterate(alpha, { answers: { ...answers, decide_action }, actions });
    expect(ran.steps.includes("count_pivots ran")).toBe(pivots);
  });
});

describe("beta_2, the strategic integrator", () => {
  const beta = workflowIn("../../agents-llm/beta_2/agent.yaml");
  const review = {
    assessment: "slow",
    strategic_goal: "Be known for prices",
    next_subgoal: "Publish an oracle",
    lesson: "Ask before you build",
  };
  const answers = {
    strategic_review: [{ data: review }],
    tactical_plan: [{ data: { next_step: "Read the handbook", uses: ["handbook_mint"] } }],
    decide_action: [{ action: call("oracle") }],
  };

  /** Runs iterations, each with the working memory that the previous one wrote. */
  const live = async (iterations: number, actions = [actionRecord()]) => {
    let memory: Json = null;
    let workingMemory: Json = null;
    const reviewed: number[] = [];
    for (let iteration = 1; iteration <= iterations; iteration++) {
      const ran = await iterate(beta, { memory, mindful: { workingMemory }, answers, actions });
      if (!ran.run.ok) throw new Error(ran.run.message);
      ({ memory, workingMemory } = ran.run);
      if (ran.steps.includes("strategic_review ran")) reviewed.push(iteration);
    }
    return { reviewed, workingMemory };
  };

  test("plans and acts by its goals, and records its progress", async () => {
    const ran = await iterate(beta, { answers });
    expect(ran.asked.map(({ step }) => step)).toEqual(["tactical_plan", "decide_action"]);
    const current_goal = "Establish a sustainable position";
    expect(ran.asked[0]?.prompt).toContain(`Your goal: <data>${current_goal}</data>`);
    expect(actionOf(ran)).toEqual(call("oracle"));
    const steps = { actions_in_stage: 0, next_steps: ["Read the handbook"] };
    const workingMemory = { current_goal, progress: { stage: "Explore and learn", ...steps } };
    expect(ran.run).toMatchObject({ ok: true, workingMemory });
  });

  test("reviews its goals in every tenth iteration", async () => {
    expect((await live(21)).reviewed).toEqual([10, 20]);
  });

  test("a review sets the goals, and the old subgoal counts as completed", async () => {
    expect((await live(12)).workingMemory).toMatchObject({
      current_goal: "Be known for prices",
      progress: {
        stage: "Publish an oracle",
        completed: ["Explore and learn"],
        stage_since_iteration: 10,
        actions_in_stage: 2,
      },
      lessons: ["Ask before you build"],
      last_strategic_review: 10,
    });
  });

  test("reviews its goals at once when it is stuck in a loop", async () => {
    const stuck = [failedAction(), failedAction(), failedAction()];
    expect((await live(2, stuck)).reviewed).toEqual([1, 2]);
  });

  test("reviews its goals when a subgoal has had no success for ten iterations", async () => {
    const idle = [actionRecord({ action: "noop", target: null, method: null })];
    const progress = { stage: "s", actions_in_stage: 1, stage_since_iteration: 3 };
    const workingMemory = { current_goal: "g", progress };
    const at = (memory: Json) =>
      iterate(beta, { memory, mindful: { workingMemory }, answers, actions: idle });
    let memory: Json = null;
    for (let iteration = 1; iteration <= 12; iteration++) ({ memory } = (await at(memory)).run);
    const ran = await at(memory);
    expect(ran.steps).toContain("strategic_review ran");
    expect(ran.asked[0]?.prompt).toContain("Since it was set 10 iterations have passed and 1");
  });

  test("keeps other entries of its working memory, and ignores invalid ones", async () => {
    const written = async (workingMemory: unknown) => {
      const { run } = await iterate(beta, { mindful: { workingMemory }, answers });
      return run.ok ? run.workingMemory : null;
    };
    const own = { friends: ["bob"], lessons: ["old"] };
    const goal = { current_goal: "Establish a sustainable position" };
    expect(await written(own)).toMatchObject({ ...own, ...goal });
    const wrong = [{ progress: 7, lessons: "x" }, { current_goal: {} }];
    for (const odd of ["text", [1], ...wrong, Number.NaN]) {
      expect(await written(odd)).toMatchObject({ lessons: [], progress: { completed: [] } });
    }
  });
});
