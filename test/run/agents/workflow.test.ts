import { expect, it } from "vitest";
import { patched } from "../../../src/kernel/core/patch.ts";
import type { Patch } from "../../../src/kernel/index.ts";
import { acting, NOOP, runModels } from "../../support/model-run.ts";

const PLAN = { name: "plan", type: "llm", prompt: "Plan once.", schema: "text", persist: true };
const STEPS = [
  { ...PLAN, if: "plan === null" },
  { name: "act", type: "llm", prompt: "Act on: {plan}." },
];

it("an iteration whose last step fails keeps the results of earlier steps", async () => {
  const workflow = { error_handling: { on_step_failure: "abort" }, steps: STEPS };
  let planned = 0;
  const asked: string[] = [];
  const run = await runModels({
    agents: { ann: { mind: "workflow", workflow } },
    script: ({ prompt }) => {
      asked.push(prompt);
      if (prompt.includes("Plan once.")) return { text: `plan ${++planned}` };
      return { text: "no decision" };
    },
    sets: ["run.duration_s=4", "llm.repair_attempts=0", "memory.backend=none"],
  });
  const failures = run.of("thought_failed", "ann");
  expect(failures[0]).toMatchObject({ message: expect.stringMatching(/^step act: /) });
  const [first, second] = failures.map(({ mind }) => mind as Patch);
  if (first === undefined || second === undefined) throw new Error("both thoughts failed");
  const kept = patched(null, first);
  const context = { plan: { at: 1, value: "plan 1" } };
  expect(kept).toMatchObject({ iteration: 1, context });
  expect(patched(kept, second)).toMatchObject({ iteration: 2, context });
  expect(planned).toBe(1);
  expect(asked[2]).toContain("plan 1");
  expect(run.replayedHash).toBe(run.result.stateHash);
});

it("max_model_calls limits a thought, which uses the results it has", async () => {
  const workflow = {
    max_model_calls: 2,
    steps: ["one", "two", "three"].map((name) => {
      return { name, type: "llm", prompt: `Step ${name}.`, if: "iteration > 0" };
    }),
  };
  const run = await runModels({
    agents: { ann: { mind: "workflow", workflow }, bob: { mind: "workflow", workflow } },
    script: ({ prompt, system }) => {
      if (system.includes("Your name is bob")) return { text: "no decision" };
      return prompt.includes("Step two.") ? acting({ read_artifact: { artifact_id: "x" } }) : NOOP;
    },
    sets: ["run.duration_s=2", "memory.backend=none"],
  });
  const [thought] = run.of("thought_completed", "ann");
  const action = { read_artifact: { artifact_id: "x" } };
  expect(thought).toMatchObject({ usage: { calls: 2 }, action });
  const [failure] = run.of("thought_failed", "bob");
  expect(failure).toMatchObject({
    usage: { calls: 2 },
    reason: "insufficient_llm_tokens",
    message: "step three: a thought may make at most 2 model calls",
  });
});

it("an optional step that fails is reported once", async () => {
  const steps = [
    { name: "broken", type: "code", expression: "my_artifacts[99].id" },
    { name: "act", type: "llm", prompt: "Act." },
  ];
  const run = await runModels({
    agents: { ann: { mind: "workflow", workflow: { steps } } },
    script: () => NOOP,
    sets: ["run.duration_s=4", "memory.backend=none"],
  });
  expect(run.of("thought_completed", "ann").length).toBeGreaterThan(1);
  const text = expect.stringMatching(/^ann continues without step broken: /);
  expect(run.of("warning_raised")).toMatchObject([{ text }]);
});

it("the system text asks for a decision only in steps that decide", async () => {
  const run = await runModels({
    agents: { ann: { mind: "workflow", workflow: { steps: STEPS } } },
    script: ({ prompt }) => (prompt.includes("Plan once.") ? { text: "bake" } : NOOP),
    sets: ["run.duration_s=2", "memory.backend=none"],
  });
  const [plan, act] = run.callsOf("ann").map(({ system }) => system);
  expect(plan).toMatch(/# How to answer\nYou decide in several steps\./);
  expect(plan).not.toContain("thought_process");
  expect(act).toContain("One JSON object with thought_process");
  expect(plan?.split("# Who you are")[1]).toBe(act?.split("# Who you are")[1]);
});

it("include_in_rag makes a memory of each version of a workflow's goals", async () => {
  const goals = { strategic_goal: "goal {iteration}" };
  const steps = [
    { name: "goals", type: "code", run: "update_goals", with: goals },
    { name: "act", type: "llm", prompt: "Act." },
  ];
  const of = (include_in_rag: boolean) => {
    return { workflow: { steps }, working_memory: { enabled: true, include_in_rag } };
  };
  const run = await runModels({
    agents: { ann: of(true), bob: of(false) },
    script: () => NOOP,
    sets: ["run.duration_s=4"],
  });
  const observed = (agent: string) => {
    const records = run.of("memory_recorded", agent);
    return records.flatMap(({ memory, text }) => (memory === "observation" ? [text] : []));
  };
  const [first, second] = observed("ann");
  expect(first).toMatch(/^Working memory: Current goal: goal 1 /);
  expect(second).toMatch(/^Working memory: Current goal: goal 2 /);
  expect(observed("ann")).toHaveLength(run.of("thought_completed", "ann").length);
  expect(observed("bob")).toEqual([]);
  expect(run.replayedHash).toBe(run.result.stateHash);
});
