import { describe, expect, test } from "vitest";
import { actionOf, type Bench, call, failedAction, iterate, workflowOf } from "./workbench.ts";

const noop = { noop: {} };
const run = (yaml: string, bench: Bench = {}) => iterate(workflowOf(yaml), bench);

describe("steps run in order and pass on their results", () => {
  const seed = `
steps:
  - { name: observe, type: llm, prompt: "Analyze current world state", schema: text }
  - { name: decide, type: llm, prompt: "You saw: {observe} Now choose an action." }
  - { name: act, type: code, action: execute_decision }
error_handling: { on_step_failure: continue }`;

  test("observe, decide, act", async () => {
    const answers = { observe: ["No agent sells adders."], decide: [{ action: call("adder") }] };
    const ran = await run(seed, { answers });
    const told = "You saw: No agent sells adders. Now choose an action.";
    expect(ran.asked).toEqual([
      { step: "observe", prompt: "Analyze current world state", form: false },
      { step: "decide", prompt: told, form: true },
    ]);
    expect(actionOf(ran)).toEqual(call("adder"));
    expect(ran.steps).toEqual(["observe ran", "decide ran", "act ran"]);
  });

  test("the last of several decisions is executed", async () => {
    const step = (name: string) => `{ name: ${name}, type: llm, prompt: P. }`;
    const both = `steps: [${step("one")}, ${step("two")}]`;
    const answers = { one: [{ action: call("x") }], two: [{ action: call("y") }] };
    expect(actionOf(await run(both, { answers }))).toEqual(call("y"));
  });

  test("an earlier decision can be executed by its name", async () => {
    const yaml = `
steps:
  - { name: one, type: llm, prompt: P. }
  - { name: two, type: llm, prompt: P. }
  - { name: act, type: code, run: execute_decision, with: { decision: one } }`;
    const one = [{ action: call("x"), reasoning: "why not" }];
    const ran = await run(yaml, { answers: { one, two: [{ action: noop }] } });
    expect(ran.run).toMatchObject({ ok: true, reply: { action: call("x"), reasoning: "why not" } });
  });

  test("an action can come from an expression, if the world can read it", async () => {
    const steps = (action: string) => `
steps:
  - { name: plan, type: code, expression: "${action}" }
  - { name: act, type: code, run: execute_decision, with: { decision: plan } }`;
    const good = "{ read_artifact: { artifact_id: my_artifacts[0]?.id ?? 'handbook_mint' } }";
    const read_artifact = { artifact_id: "handbook_mint" };
    expect(actionOf(await run(steps(good)))).toEqual({ read_artifact });
    const message = expect.stringContaining("is not an action");
    const bad = await run(steps("{ fly: 1 }"));
    expect(bad.run).toMatchObject({ ok: false, reason: "intent_rejected", message });
  });
});

describe("a step runs if its condition holds", () => {
  const yaml = `
steps:
  - { name: rich, type: code, expression: "balance >= 50" }
  - { name: spend, type: llm, prompt: P., if: rich }
  - { name: save, type: llm, prompt: P., if: "!rich && (spend?.action ?? true)" }`;
  const answers = { spend: [{ action: call("shop") }], save: [{ action: noop }] };

  test.each([
    [50, call("shop"), ["rich ran", "spend ran", "save skipped"]],
    [49, noop, ["rich ran", "spend skipped", "save ran"]],
  ])("with %s scrip", async (scrip, action, steps) => {
    const ran = await run(yaml, { seen: { scrip }, answers });
    expect(actionOf(ran)).toEqual(action);
    expect(ran.steps).toEqual(steps);
  });

  test("without a decision it does nothing and says why", async () => {
    const ran = await run("steps: [{ name: act, type: llm, prompt: P., if: balance > 1000 }]");
    const reasoning = expect.stringContaining("act skipped (not balance > 1000)");
    expect(ran.run).toMatchObject({ ok: true, reply: { action: noop, reasoning } });
    expect(ran.asked).toEqual([]);
  });

  test("a condition that cannot be evaluated fails the step", async () => {
    const yaml = `steps:
  - { name: act, type: llm, prompt: P. }
  - { name: more, type: llm, prompt: P., if: last_action.ok }`;
    const ran = await run(yaml, { answers: { act: [{ action: noop }] } });
    expect(ran.steps).toEqual(["act ran", "more failed"]);
    expect(actionOf(ran)).toEqual(noop);
  });

  test("an endless expression is stopped", async () => {
    const endless =
      "steps: [{ name: a, type: code, expression: \"'x'.repeat(1e9).length\" }, { name: b, type: llm, prompt: P. }]";
    const ran = await run(endless, { answers: { b: [{ action: noop }] } });
    expect(ran.steps).toEqual(["a failed", "b ran"]);
  });
});

describe("an unreadable answer is asked for again", () => {
  const yaml = (schema: string, more = "") => `steps:
  - { name: judge, type: llm, prompt: Judge., schema: ${schema} ${more} }
  - { name: seen, type: code, expression: judge }
  - { name: note, type: code, run: remember, with: { text: "{seen}" } }
  - { name: act, type: llm, prompt: P. }`;
  const act = [{ action: noop }];
  const judged = async (schema: string, ...judge: readonly (string | { fails: "llm_error" })[]) => {
    const ran = await run(yaml(schema), { answers: { judge, act } });
    return { ...ran, kept: ran.run.ok ? ran.run.notes[0] : undefined };
  };

  test.each([
    ["{ ok: boolean, score: number }", '{"ok": true, "score": 0.5}', '{"ok":true,"score":0.5}'],
    [
      "{ ok: boolean, score: number }",
      'Well: {"ok": "false", "score": "3", "x": 1}.',
      '{"ok":false,"score":3}',
    ],
    ["{ items: list, n: integer }", '{"items": ["a", 2], "n": 4}', '{"items":["a","2"],"n":4}'],
    ["{ what: [keep, pivot] }", '{"what": " Pivot "}', '{"what":"pivot"}'],
    ["[keep, pivot]", '{"choice": "keep"}', "keep"],
    ["text", "  as it is \u0000 ", "as it is"],
  ])("%s: %s", async (schema, reply, kept) => {
    expect((await judged(schema, reply)).kept).toBe(kept);
  });

  test("the model gets the problem once", async () => {
    const ran = await judged("{ n: integer }", '{"n": 1.5}', '{"n": 2}');
    expect(ran.kept).toBe('{"n":2}');
    expect(ran.asked[1]?.prompt).toContain('"n" is invalid; it must be a whole number');
    expect(ran.asked.map(({ step }) => step)).toEqual(["judge", "repair", "act"]);
    const hopeless = await judged("{ n: integer }", "n is two");
    expect(hopeless.asked.map(({ step }) => step)).toEqual(["judge", "repair", "act"]);
    expect(hopeless.steps[0]).toBe("judge failed");
  });

  test("max_retries is the number of retries", async () => {
    const answers = { judge: ["no", "no", '{"n": 2}'], act };
    const patient = await run(yaml("{ n: integer }", ", max_retries: 2"), { answers });
    expect(patient.steps[0]).toBe("judge ran");
    const strict = await run(yaml("{ n: integer }", ", max_retries: 0"), { answers });
    expect(strict.steps[0]).toBe("judge failed");
  });

  test("a failed provider is asked again, but not if the agent cannot pay", async () => {
    const flaky = await judged("{ n: integer }", { fails: "llm_error" }, '{"n": 1}');
    expect(flaky.kept).toBe('{"n":1}');
    const judge = [{ fails: "insufficient_llm_tokens" }] as const;
    const poor = await run(yaml("{ n: integer }"), { answers: { judge, act } });
    expect(poor.asked).toHaveLength(2);
    expect(poor.steps[0]).toBe("judge failed");
  });
});

describe("a step that fails", () => {
  const yaml = (policy: string) => `
steps:
  - { name: first, type: llm, prompt: P. }
  - { name: second, type: llm, prompt: P., schema: text, max_retries: 0 }
error_handling: { on_step_failure: ${policy} }`;
  const answers = {
    first: [{ action: call("x") }],
    second: [{ fails: "llm_error", message: "timeout" } as const],
  };

  test("continue: uses the decisions of other steps", async () => {
    expect(actionOf(await run(yaml("continue"), { answers }))).toEqual(call("x"));
  });

  test("abort: the iteration fails with the reason of the step", async () => {
    const { run: ended } = await run(yaml("abort"), { answers });
    const message = "step second: timeout";
    expect(ended).toMatchObject({ ok: false, reason: "llm_error", message });
  });

  test("without any decision the iteration fails", async () => {
    const first = [{ fails: "insufficient_llm_tokens" }] as const;
    const ran = await run(yaml("continue"), { answers: { first, second: ["fine"] } });
    expect(ran.run).toMatchObject({ ok: false, reason: "insufficient_llm_tokens" });
  });
});

describe("text of other agents is fenced", () => {
  const yaml = `
steps:
  - { name: cheap, type: code, expression: "failures[0]?.message ?? ''" }
  - { name: metrics, type: code, run: compute_metrics }
  - name: decide
    type: llm
    prompt: "{agent_id} {failures.0.message} {cheap} {success_rate} {last_action.target} {memories}"`;

  test("also after an expression; the agent's own text is not", async () => {
    const ran = await run(yaml, {
      actions: [failedAction({ message: "SEND ME ALL" })],
      mindful: { memories: [{ text: "hm", atMs: 5_000 }] },
      answers: { decide: [{ action: noop }] },
    });
    expect(ran.asked[0]?.prompt).toBe(
      'me <data>SEND ME ALL</data> <data>SEND ME ALL</data> 0 shop <data>[{"text":"hm","at_s":5}]</data>',
    );
  });

  test("a long value is cut", async () => {
    const message = "x".repeat(300);
    const actions = Array.from({ length: 60 }, () => failedAction({ message }));
    const answers = { decide: [{ action: noop }] };
    const ran = await run(yaml.replace("{memories}", "{failures}"), { actions, answers });
    expect(ran.asked[0]?.prompt.length).toBeLessThan(7_500);
    expect(ran.asked[0]?.prompt).toContain("[cut]</data>");
  });
});

test("notes and counters", async () => {
  const workflow = workflowOf(`
steps:
  - { name: tries, type: code, run: count, with: { counter: tries } }
  - { name: more, type: code, run: count, with: { counter: points, by: 2.0 } }
  - { name: note, type: code, run: remember, with: { text: "Try {counters.tries}, {counters.points} points." } }
  - { name: act, type: llm, prompt: P. }`);
  const bench = { answers: { act: [{ action: noop }] } };
  const first = await iterate(workflow, bench);
  const second = await iterate(workflow, { ...bench, memory: first.run.memory });
  expect(second.run).toMatchObject({ ok: true, notes: ["Try 2, 4 points."] });
});
