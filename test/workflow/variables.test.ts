import { describe, expect, test } from "vitest";
import { asId } from "../../src/kernel/index.ts";
import { answerForm } from "../../src/workflow/answer-form.ts";
import { fillTemplate, readTemplate, shownValue, valueIn } from "../../src/workflow/expression.ts";
import { VARIABLES, workflowVariables } from "../../src/workflow/variables.ts";
import { offeringWith, viewWith } from "../support/view.ts";
import { actionRecord, failedAction } from "./workbench.ts";

const NOTHING = { memories: [], workingMemory: null };

describe("the variables of an agent", () => {
  test("give its resources and the time", () => {
    const view = viewWith({ id: "ada", now: 150_400, scrip: 42, llmBudgetMicros: 250_000 });
    expect(workflowVariables(view, NOTHING)).toMatchObject({
      ...{ agent_id: "ada", balance: 42, llm_budget_usd: 0.25, success_rate: 1, mint_open: false },
      ...{ now_s: 150, time_left_s: 450, progress_percent: 25 },
      ...{ last_action: null, last_result: null, goal: null },
    });
  });

  test("give its actions and their results; only failures have thoughts", () => {
    const view = viewWith();
    const thought = { ...failedAction({ action: "think", message: "timeout" }) };
    const actions = [actionRecord(), failedAction({ target: asId("stall") }), thought];
    const counters = { ...view.agent.counters, actions: 9, succeeded: 4 };
    const last = { ...thought, result: null, cut: false, isFeedback: false };
    const agent = { ...view.agent, actions, failures: actions.slice(1), last, counters };
    const variables = workflowVariables({ ...view, agent }, NOTHING);
    expect(variables).toMatchObject({
      actions_taken: 9,
      successful_actions: 4,
      failed_actions: 5,
      success_rate: 0.5,
      last_action: { target: "stall", ok: false, code: "not_found" },
      last_result: { message: "timeout", result: null },
      failures: [
        { action: "invoke_artifact", target: "stall", message: "there is no shop" },
        { action: "think", ok: false, message: "timeout" },
      ],
    });
    expect(variables.recent_actions).toHaveLength(2);
  });

  test("give the market, within bounds", () => {
    const goods = Array.from({ length: 100 }, (_, i) =>
      offeringWith({ id: asId(`good_${i}`), description: "x".repeat(1_000) }),
    );
    const view = viewWith({ market: goods, owned: goods, principals: ["bob"] });
    const { market, my_artifacts, other_agents } = workflowVariables(view, NOTHING);
    expect(market).toHaveLength(30);
    expect(my_artifacts).toHaveLength(30);
    expect(other_agents).toEqual(["bob"]);
    expect(valueIn(market ?? null, ["0", "description"])).toBe("x".repeat(200));
  });

  test("give working memory if it is plain data and not too large", () => {
    const shown = (workingMemory: unknown) =>
      workflowVariables(viewWith(), { ...NOTHING, workingMemory });
    expect(shown({ current_goal: "grow" })).toMatchObject({ goal: "grow" });
    expect(shown("grow")).toMatchObject({ working_memory: "grow", goal: null });
    expect(shown("x".repeat(20_000)).working_memory).toBeNull();
    expect(shown(() => 1).working_memory).toBeNull();
  });

  test("have the parts that templates can name", () => {
    const view = viewWith({
      market: [offeringWith({ id: asId("shop") })],
      owned: [offeringWith({ id: asId("shop") })],
      ...{ principals: ["bob"], now: 1_000 },
    });
    const record = failedAction();
    const agent = { ...view.agent, actions: [record], failures: [record] };
    const memories = [{ text: "bread", atMs: 5 }];
    const values = workflowVariables({ ...view, agent }, { ...NOTHING, memories });
    for (const { name, isSingle, items } of VARIABLES) {
      const value = values[name] ?? null;
      if (isSingle) expect(typeof value === "object" && value !== null, name).toBe(false);
      if (items === null) continue;
      expect(Array.isArray(value), name).toBe(true);
      const first = valueIn(value, ["0"]);
      const keys = typeof first === "object" && first !== null ? Object.keys(first) : [];
      if (name !== "tasks") expect(keys, name).toEqual(items);
    }
  });

  test("have unique names; the workflow adds only its own", () => {
    const names = VARIABLES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const given = Object.keys(workflowVariables(viewWith(), NOTHING));
    const own = names.filter((name) => !given.includes(name));
    expect(own).toEqual(["iteration", "state", "steps", "counters"]);
  });
});

const fill = (text: string): string => {
  const read = readTemplate(text);
  if (!read.ok) throw new Error(read.problem);
  const values = { a: { b: [10, null] }, name: "ada" };
  return fillTemplate(read.parts, ({ name, path }) => shownValue(valueIn(values, [name, ...path])));
};

test.each([
  ["no slot", "no slot"],
  ["{name}!", "ada!"],
  ["{ a.b.0 } {a.b.1} {a.b.7} {a.c.d}", "10 none none none"],
  ["{a}", '{"b":[10,null]}'],
  ["{{name}} {{{name}}}", "{name} {ada}"],
  ["{a.constructor} {a.b.length} {name.length}", "none none none"],
])("the template %s becomes %s", (text, filled) => {
  expect(fill(text)).toBe(filled);
});

test("a form has the same fields in words and as a schema", () => {
  const form = answerForm("audit", { verdict: ["keep", "pivot"], score: "number", notes: "list" });
  expect(form.described).toBe(`Answer with one JSON object and nothing else:
{"verdict":"keep","score":0.5,"notes":["…"]}
"verdict" is one of keep, pivot.
"score" is a number.
"notes" is a list of texts.`);
  const answer = { verdict: "pivot", score: 2, notes: ["a"] };
  expect(form.rich.safeParse(answer).success && form.flat.safeParse(answer).success).toBe(true);
  expect(form.flat.safeParse({ ...answer, verdict: "stay" }).success).toBe(false);
});
