import { describe, expect, test } from "vitest";
import type { Json } from "../../src/kernel/index.ts";
import { actionOf, call, fieldsIn, iterate, workflowOf } from "./workbench.ts";

const noop = { noop: {} };

const BUILDER = workflowOf(`
initial_state: observing
states: [observing, building, shipping]
transitions:
  - { from: observing, to: building, condition: balance >= 20 }
  - { from: building, to: observing }
  - building -> shipping
  - shipping -> observing
steps:
  - { name: look, type: llm, prompt: "Look about you.", in_state: [observing, shipping] }
  - { name: build, type: llm, prompt: "Build.", in_state: building }
  - name: verdict
    type: llm
    prompt: "What next?"
    in_state: building
    schema: [continue, pivot, ship]
  - name: judge
    type: transition
    in_state: building
    on: verdict
    map: { pivot: observing, ship: shipping }
  - { name: move, type: transition, in_state: [observing, shipping] }
`);

const answers = {
  look: [{ action: call("handbook_mint") }],
  build: [{ action: call("adder") }],
  verdict: ['{"choice": "continue"}', '{"choice": "ship"}'],
};

describe("a workflow with states", () => {
  const stateIn = (memory: Json): unknown => fieldsIn(memory).state;

  test("stays if no transition is open, and runs only the steps of its state", async () => {
    const ran = await iterate(BUILDER, { seen: { scrip: 19 }, answers });
    const steps = ["look ran", "build skipped", "verdict skipped", "judge skipped"];
    expect(ran.steps.slice(0, 4)).toEqual(steps);
    expect(stateIn(ran.run.memory)).toBe("observing");
    expect(ran.run.trace.at(-1)?.note).toBe("stays in observing: no transition applies");
  });

  test("follows its decisions, and keeps its state between iterations", async () => {
    const states: unknown[] = [];
    const actions: Json[] = [];
    let memory: Json = null;
    for (const choice of ["", "continue", "ship", "", "", "pivot"]) {
      const ran = await iterate(BUILDER, {
        memory,
        answers: { ...answers, verdict: [`{"choice": "${choice}"}`] },
      });
      memory = ran.run.memory;
      states.push(stateIn(memory));
      actions.push(actionOf(ran));
    }
    expect(states).toEqual([
      ...["building", "building", "shipping"],
      ...["observing", "building", "observing"],
    ]);
    expect(actions[2]).toEqual(call("adder"));
    expect(actions[3]).toEqual(call("handbook_mint"));
  });

  test("stays in one state for an iteration, and moves at most once", async () => {
    const workflow = workflowOf(`
states: [a, b, c]
transitions: [a -> b, b -> c, c -> a]
steps:
  - { name: walk, type: transition }
  - { name: act, type: llm, prompt: "{state}" }
  - { name: again, type: transition }`);
    const ran = await iterate(workflow, { answers: { act: [{ action: noop }] } });
    expect(ran.asked[0]?.prompt).toBe("a");
    expect(ran.steps).toEqual(["walk ran", "act ran", "again skipped"]);
    expect(stateIn(ran.run.memory)).toBe("b");
  });

  test("takes only listed transitions", async () => {
    const workflow = workflowOf(`
states: [a, b, c]
transitions: [a -> b, b -> c, c -> a]
steps:
  - { name: act, type: llm, prompt: "{state}" }
  - { name: jump, type: transition, to: c }
  - { name: walk, type: transition, if: iteration > 1 }`);
    const bench = { answers: { act: [{ action: noop }] } };
    const first = await iterate(workflow, bench);
    expect(stateIn(first.run.memory)).toBe("a");
    const second = await iterate(workflow, { ...bench, memory: first.run.memory });
    expect(stateIn(second.run.memory)).toBe("b");
    const third = await iterate(workflow, { ...bench, memory: second.run.memory });
    expect(stateIn(third.run.memory)).toBe("c");
    expect(third.run.trace.map(({ note }) => note)).toEqual([
      "decided",
      "b -> c",
      "moves to c already",
    ]);
  });

  test("may move to every state without a list; * is all other values", async () => {
    const workflow = workflowOf(`
states: [poor, rich]
steps:
  - { name: rate, output: wealth, type: code, expression: "balance > 50 ? 'high' : 'low'" }
  - { name: sort, type: transition, on: wealth, map: { high: rich, "*": poor } }
  - { name: act, type: llm, prompt: "{state}" }`);
    const bench = { answers: { act: [{ action: noop }] } };
    const rich = await iterate(workflow, { ...bench, seen: { scrip: 51 } });
    expect(stateIn(rich.run.memory)).toBe("rich");
    const poor = await iterate(workflow, { ...bench, seen: { scrip: 1 }, memory: rich.run.memory });
    expect(poor.asked[0]?.prompt).toBe("rich");
    expect(stateIn(poor.run.memory)).toBe("poor");
  });
});

describe("what a workflow keeps", () => {
  const workflow = workflowOf(`
steps:
  - { name: before, type: code, expression: "[iteration, plan, other]" , output: seen }
  - { name: plan, type: llm, prompt: P., schema: text, persist: true }
  - { name: other, type: llm, prompt: P., schema: text, persist: true, if: iteration === 1 }
  - { name: tally, type: code, run: count, with: { counter: runs } }
  - { name: act, type: llm, prompt: "{seen} {counters.runs}" }`);
  const bench = { answers: { plan: ["p"], other: ["o"], act: [{ action: noop }] } };
  const shown = async (memory: Json) =>
    (await iterate(workflow, { ...bench, memory })).asked.at(-1)?.prompt;

  test("is available in the next iteration", async () => {
    const { run } = await iterate(workflow, bench);
    expect(await shown(null)).toBe("[1,null,null] 1");
    expect(await shown(run.memory)).toBe('[2,"p","o"] 2');
  });

  test("is plain data that the journal can store", async () => {
    const { run } = await iterate(workflow, bench);
    expect(JSON.parse(JSON.stringify(run.memory))).toEqual(run.memory);
  });

  test.each([
    ["nothing", null],
    ["text", "hostile"],
    ["another mind's", { at: 3, left: {}, of: 1 }],
    ["half a memory", { iteration: 4 }],
  ])("starts again with %s", async (_what, memory) => {
    expect(await shown(memory)).toBe("[1,null,null] 1");
  });

  test("starts again if it was changed, or belongs to another workflow", async () => {
    const { run } = await iterate(workflow, bench);
    const good = fieldsIn(run.memory);
    const tampered = [
      { ...good, of: Number(good.of) + 1 },
      { ...good, iteration: -1 },
      { ...good, state: "elsewhere", iteration: 7 },
      { ...good, counters: { runs: "many" } },
      { ...good, extra: true },
    ];
    for (const memory of tampered) expect(await shown(memory)).toBe("[1,null,null] 1");
    const renamed = workflowOf("steps: [{ name: act, type: llm, prompt: '{iteration}' }]");
    const ran = await iterate(renamed, { ...bench, memory: run.memory });
    expect(ran.asked[0]?.prompt).toBe("1");
  });

  test("ignores unknown variables", async () => {
    const { run } = await iterate(workflow, bench);
    const good = fieldsIn(run.memory);
    const context = { ...fieldsIn(good.context), balance: { at: 1, value: 1e9 } };
    const memory = { ...good, counters: { runs: 5, hidden: 3 }, context };
    const ran = await iterate(workflow, { ...bench, memory });
    expect(ran.run.memory).toMatchObject({ counters: { runs: 6 } });
    expect(JSON.stringify(ran.run.memory)).not.toMatch(/hidden|balance/);
  });

  test("the oldest values are dropped if it is too large", async () => {
    const large = workflowOf(`
steps:
  - { name: old, type: code, expression: "'o'.repeat(9000)", persist: true, if: iteration === 1 }
  - { name: young, type: code, expression: "'y'.repeat(9000)", persist: true, if: iteration === 2 }
  - { name: act, type: llm, prompt: P. }`);
    const first = await iterate(large, bench);
    expect(first.steps).not.toContain("old forgot");
    const second = await iterate(large, { ...bench, memory: first.run.memory });
    expect(second.steps).toContain("old forgot");
    expect(Object.keys(fieldsIn(fieldsIn(second.run.memory).context))).toEqual(["young"]);
  });
});
