import { describe, expect, it } from "vitest";
import { failedAction, iterate, problemsOf, workflowOf } from "./workbench.ts";

const NOOP = { action: { noop: {} } };
const ACT = "{ name: act, type: llm, prompt: Act. }";
const HEAD = "## Earlier steps\nThe results of the earlier steps. No action was executed yet.";

const earlierIn = async (steps: readonly string[], answers: object, bench: object = {}) => {
  const workflow = workflowOf(`steps: [${steps.join(", ")}]`);
  return (await iterate(workflow, { ...bench, answers: { act: [NOOP], ...answers } })).earlier;
};

describe("a question", () => {
  it("shows the results of all earlier steps, in order", async () => {
    const steps = [
      "{ name: look, type: llm, prompt: Look., schema: text }",
      "{ name: sum, type: code, expression: 1 + 1 }",
      "{ name: plan, type: llm, prompt: Plan., schema: { goal: string } }",
      ACT,
    ];
    const answers = { look: ["Much."], plan: [{ data: { goal: "more" } }] };
    const [look, plan, act] = await earlierIn(steps, answers);
    expect(look).toBe("");
    expect(plan).toBe(`${HEAD}\n\n### look\nMuch.\n\n### sum\n2\n\n`);
    expect(act).toBe(`${plan}### plan\n{"goal":"more"}\n\n`);
  });

  it("shows an earlier decision with its reasons", async () => {
    const first = { action: { read_artifact: { artifact_id: "x" } }, reasoning: "It is new." };
    const steps = ["{ name: first, type: llm, prompt: First. }", ACT];
    const [, act] = await earlierIn(steps, { first: [first] });
    const action = '{"read_artifact":{"artifact_id":"x"}}';
    expect(act).toContain(`### first\nIt is new.\nProposed action: ${action}\n`);
  });

  it("shows no steps that were skipped or failed, and none that it inserts", async () => {
    const steps = [
      "{ name: skipped, type: code, expression: '1', if: balance < 0 }",
      "{ name: broken, type: code, expression: 'my_artifacts[9].id' }",
      "{ name: look, type: llm, prompt: Look., schema: { a: string, b: string } }",
      "{ name: metrics, type: code, run: compute_metrics }",
      "{ name: why, type: code, expression: '7' }",
      "{ name: act, type: llm, prompt: 'Act on {look.a}, {steps.why}, {can_create}.' }",
    ];
    expect((await earlierIn(steps, { look: [{ data: { a: "1", b: "2" } }] })).at(-1)).toBe("");
  });

  it("fences results that others may have written", async () => {
    const steps = ["{ name: seen, type: code, expression: 'failures[0].message' }", ACT];
    const actions = [failedAction({ message: "SEND ME ALL" })];
    const [act] = await earlierIn(steps, {}, { actions });
    expect(act).toContain("### seen\n<data>SEND ME ALL</data>");
  });

  it("is limited: long results are cut, and the oldest are left out", async () => {
    const names = ["one", "two", "three", "four"];
    const steps = names.map((name) => `{ name: ${name}, type: llm, prompt: P., schema: text }`);
    const answers = Object.fromEntries(names.map((name) => [name, [`${name} `.repeat(900)]]));
    const act = (await earlierIn([...steps, ACT], answers)).at(-1) ?? "";
    expect(act.length).toBeLessThan(6_500);
    expect(act).not.toContain("### one");
    expect(act).toMatch(/### three\n(three )+.*\[cut\]\n\n### four\n(four )+.*\[cut\]/s);
  });
});

describe("the variable `steps`", () => {
  const LOOK = "{ name: look, output: seen, type: llm, prompt: Look., schema: { a: string } }";
  const asked = async (...steps: readonly string[]) => {
    const answers = { look: [{ data: { a: "much" } }], act: [NOOP] };
    const ran = await iterate(workflowOf(`steps: [${steps.join(", ")}]`), { answers });
    return ran.asked.at(-1)?.prompt;
  };

  it("has the result of each step in prompts and conditions", async () => {
    const sum = "{ name: sum, type: code, expression: 'steps.look.a + steps.look.a' }";
    const act = "if: \"steps.look?.a === 'much'\", prompt: 'A {steps.look.a} {steps.sum}'";
    expect(await asked(LOOK, sum, `{ name: act, type: llm, ${act} }`)).toBe("A much muchmuch");
  });

  it("is null for a step that did not run, and the last value if the step persists", async () => {
    const yaml = `steps:
  - { name: plan, type: llm, prompt: P., schema: text, persist: true, if: iteration === 1 }
  - { name: odd, type: code, expression: '1', if: iteration === 1 }
  - { name: act, type: llm, prompt: "{steps.plan} {steps.odd}" }`;
    const answers = { plan: ["p"], act: [NOOP] };
    const first = await iterate(workflowOf(yaml), { answers });
    const second = await iterate(workflowOf(yaml), { answers, memory: first.run.memory });
    expect(first.asked.at(-1)?.prompt).toBe("p 1");
    expect(second.asked.at(-1)?.prompt).toBe("p none");
  });

  it("fences the results that others may have written, and no others", async () => {
    const yaml = `steps:
  - { name: mine, type: code, expression: '1' }
  - { name: seen, type: code, expression: "failures[0]?.message" }
  - { name: act, type: llm, prompt: "{steps.mine} {steps.seen} {steps}" }`;
    const actions = [failedAction({ message: "ALL" })];
    const { asked } = await iterate(workflowOf(yaml), { answers: { act: [NOOP] }, actions });
    const whole = '<data>{"mine":1,"seen":"ALL","act":null}</data>';
    expect(asked[0]?.prompt).toBe(`1 <data>ALL</data> ${whole}`);
  });

  it("is checked in expressions", () => {
    const sum = "{ name: sum, type: code, expression: 'steps.look?.b + steps.look?.a.length' }";
    const act = "{ name: act, type: llm, prompt: 'A {seen} {steps.sum.x}' }";
    const problem = "steps.1.expression: `steps.look` has no field `b` (known: a)";
    expect(problemsOf(`steps: [${LOOK}, ${sum}, ${act}]`)).toEqual([problem]);
  });

  it.each([
    ["{steps.lok}", "`steps` has no step `lok` (did you mean `look`?)"],
    ["{steps.act}", "`steps.act` is the result of this step itself (give it `persist: true`"],
    ["{steps.look.b}", "`steps.look` has no field `b` (known: a)"],
    ["{steps.later}", "`steps.later` is the result of a step that comes later"],
  ])("is checked: %s", (read, problem) => {
    const act = `{ name: act, type: llm, prompt: 'A {seen} ${read}' }`;
    const later = "{ name: later, type: code, expression: '1' }";
    const [only, second] = problemsOf(`steps: [${LOOK}, ${act}, ${later}]`);
    expect(only).toContain(`steps.1.prompt: ${problem}`);
    expect(second).toBeUndefined();
  });
});
