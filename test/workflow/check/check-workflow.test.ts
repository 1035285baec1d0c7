import { describe, expect, test } from "vitest";
import { z } from "zod";
import { workflowSchema } from "../../../src/workflow/check-workflow.ts";
import { problemsOf } from "../workbench.ts";

const ACT = "{ name: act, type: llm, prompt: Act. }";
const MOVE = "{ name: move, type: transition }";
const problemsIn = (...steps: readonly string[]): readonly string[] =>
  problemsOf(`steps: [${[...steps, ACT].join(", ")}]`);

/** Steps, one a line, then a part of their only problem. */
const STEP_PROBLEMS = `
{ name: plan, type: llm, prompt: 'You have {balence}.', schema: text }
  steps.0.prompt: unknown variable \`balence\` (did you mean \`balance\`?)
{ name: plan, type: llm, prompt: Plan., schema: text, if: balnce > 3 }
  steps.0.if: unknown variable \`balnce\` (did you mean \`balance\`?)
{ name: plan, type: llm, prompt: Plan., schema: text, if: balance > None }
  steps.0.if: unknown variable \`None\` (write \`null\`)
{ name: plan, type: llm, prompt: Plan., schema: { step: string } }
{ name: more, type: code, expression: plan.stop }
  steps.1.expression: \`plan\` has no field \`stop\` (did you mean \`step\`?)
{ name: plan, type: llm, prompt: 'You have {balance.foo}.', schema: text }
  steps.0.prompt: \`balance\` has no field \`foo\`: it is a single value (write \`{balance}\`)
{ name: plan, type: llm, prompt: 'For sale: {market.price}', schema: text }
  no field \`price\` (name an item by its number, as in \`{market.0.id}\`)
{ name: plan, type: llm, prompt: 'For sale: {market.0.prce}', schema: text }
  steps.0.prompt: \`market.0\` has no field \`prce\` (did you mean \`price\`?)
{ name: plan, type: llm, prompt: Plan., schema: text }
{ name: more, type: llm, prompt: '{steps.plan.why}', schema: text }
  steps.1.prompt: \`steps.plan\` has no field \`why\`: it is a single value
{ name: plan, type: llm, prompt: '{rate}', schema: text }
{ name: rate, type: code, run: compute_metrics }
  steps.0.prompt: \`rate\` is set by the step \`rate\`, which comes later (give \`rate\` \`persist: true\`
{ name: plan, type: llm, prompt: 'Before: {plan}', schema: text }
  steps.0.prompt: this step itself sets \`plan\`
{ name: plan, type: llm, prompt: 'Such as {"a": 1}', schema: text }
  steps.0.prompt: "{"a": 1}" names no variable (for a literal brace, write it twice
{ name: plan, type: llm, prompt: 'You have {balance', schema: text }
  steps.0.prompt: a brace is opened and never closed near "{balance"
{ name: sum, type: code, expression: 'balance = 3' }
  steps.0.expression: \`=\` is not allowed there in an expression (compare with \`===\`
{ name: metrics, type: code, run: compute_metric }
  steps.0.run: Invalid option: expected one of
{ name: note, type: code, run: remember, with: { text: Hm., txt: Hm. } }
  steps.0.with.txt: \`remember\` takes no \`txt\` (did you mean \`text\`?)
{ name: tries, type: code, run: count }
  steps.0: \`count\` needs \`with: { counter: … }\` (it is the name of the counter
{ name: tries, type: code, run: count, with: { counter: tries, by: more } }
  steps.0.with.by: must be a number
{ name: tries, type: code, run: count, with: { counter: tries } }
{ name: sum, type: code, expression: counters.trys }
  steps.1.expression: \`counters\` has no field \`trys\` (did you mean \`tries\`?)
{ name: act, type: llm, prompt: Plan., schema: text }
  steps.1.name: the name \`act\` is already used by step 1
{ name: balance, type: llm, prompt: Plan., schema: text }
  steps.0.name: \`balance\` is a variable that every workflow has
{ name: metrics, type: code, run: compute_metrics }
{ name: pivot, output: should_pivot, type: code, expression: 'true' }
  steps.1.output: \`should_pivot\` is a variable that the step \`metrics\` sets
{ name: one, output: plan, type: llm, prompt: Plan., schema: text, persist: true }
{ name: two, output: plan, type: llm, prompt: Plan., schema: text }
  steps.1.output: shares the output \`plan\` with \`one\`, and only one persists it
{ name: plan, type: llm, schema: text }
  steps.0: a step of type llm needs a \`prompt\`
{ name: sum, type: code }
  steps.0: a step of type code needs \`run\` or \`expression\`
{ name: sum, type: code, run: compute_metrics, expression: '1' }
  steps.0.expression: has both \`run\` and \`expression\`
{ name: sum, type: code, expression: '1', prompt: Plan. }
  steps.0.prompt: \`prompt\` is not a key of a step of type code
{ name: move, type: transition, to: done }
  steps.0: moves between states, but the workflow has no \`states\`
{ name: plan, type: llm, prompt: Plan., schema: text, in_state: planning }
  steps.0.in_state: uses the state \`planning\`, but the workflow has no \`states\`
{ name: if, type: code, expression: '1' }
  is not a valid name
{ name: plan, type: lmm, prompt: Plan. }
  steps.0.type: Invalid option
{ name: plan, type: llm, promt: Plan. }
  Unrecognized key: "promt"
{ name: plan, type: llm, prompt: Plan., schema: { a: strng } }
  steps.0.schema: Invalid input
`;

const STEP_CASES = [...STEP_PROBLEMS.matchAll(/^((?:\{.*\n)+) {2}(.*)$/gm)].map(
  ([, steps = "", problem = ""]) => [problem, steps.trim().split("\n")] as const,
);

describe("problems of steps are found before a run", () => {
  test.each(STEP_CASES)("%s in %j", (problem, steps) => {
    expect(problemsIn(...steps).filter((each) => each.includes(problem))).toHaveLength(1);
  });

  test.each([
    "",
    "{ name: plan, type: llm, prompt: Plan., schema: text }",
    "{ name: act, type: code, action: execute_decision }",
    "{ name: act, type: code, run: execute_decision }, { name: n, type: code, expression: '1' }",
  ])("a workflow that never acts: [%s]", (steps) => {
    const problem = expect.stringContaining("steps: no step decides on an action");
    expect(problemsOf(`steps: [${steps}]`)).toEqual([problem]);
  });

  test("a state in which nothing new is decided", () => {
    const steps = [
      "{ name: plan, type: llm, prompt: Plan., in_state: a }",
      "{ name: act, type: code, run: execute_decision, in_state: b }",
      "{ name: move, type: transition }",
    ];
    const states = "states: [a, b]\ntransitions: [a -> b]";
    expect(problemsOf(`${states}\nsteps: [${steps.join(", ")}]`)).toEqual([
      expect.stringMatching(/^states.1: the state `b` cannot be left, and no step decides/),
    ]);
  });

  test("a limit of model calls that every iteration exceeds", () => {
    const limited = (most: number, ...lines: readonly string[]) =>
      problemsOf([`max_model_calls: ${most}`, ...lines].join("\n"));
    const plan = "{ name: plan, type: llm, prompt: Plan., schema: text";
    const steps = `steps: [${plan} }, ${ACT}]`;
    const least = "an iteration makes at least 2 model calls, not 1";
    expect(limited(1, steps)).toEqual([
      `max_model_calls: ${least} (set it to 2 or more, or give a step an \`if\`)`,
    ]);
    expect(limited(2, steps)).toEqual([]);
    expect(limited(1, `steps: [${plan}, if: balance > 3 }, ${ACT}]`)).toEqual([]);
    const states = "states: [a, b]\ntransitions: [a -> b, b -> a]";
    const inB = `steps: [${plan}, in_state: b }, ${MOVE}, ${ACT}]`;
    expect(limited(1, states, inB)).toEqual([
      expect.stringContaining("an iteration in the state `b` makes at least 2 model calls"),
    ]);
    const apart = `steps: [${plan}, in_state: b }, ${MOVE}, ${ACT.replace(" }", ", in_state: a }")}]`;
    expect(limited(1, states, apart)).toEqual([]);
  });

  test("a value of an expression can be a decision", () => {
    const steps = [
      "{ name: rest, type: code, expression: '({ noop: {} })' }",
      "{ name: act, type: code, run: execute_decision, with: { decision: rest } }",
    ];
    expect(problemsOf(`steps: [${steps.join(", ")}]`)).toEqual([]);
  });
});

test.each([
  "{ name: plan, type: llm, prompt: 'Before: {plan}', schema: text, persist: true }",
  "{ name: first, type: llm, prompt: 'Last time: {second}', schema: text }, { name: second, type: llm, prompt: P., schema: text, persist: true }",
  "{ name: plan, type: llm, prompt: 'As JSON: {{\"a\": 1}}', schema: [go, stop] }, { name: go, type: code, expression: \"plan === 'go'\" }",
  "{ name: m, type: llm, prompt: '{market.0.price} {failures.0.message} {last_action.target} {goal} {counters}' }",
  "{ name: metrics, type: code, run: compute_metrics }, { name: audit, type: llm, prompt: '{metrics.should_pivot} {should_pivot} {success_rate}', if: should_pivot, schema: text }",
  "{ name: sell, type: code, action: execute_decision }",
  "{ name: deep, type: code, expression: 'market.length > 0 && market[0].price < balance' }",
])("a valid workflow has no problems: %s", (steps) => {
  expect(problemsIn(steps)).toEqual([]);
});

const STATES = "states: [drafting, testing, done]";
const MOVES = "transitions: [drafting -> testing, testing -> done]";
const stateProblems = (...lines: readonly string[]) => problemsOf(lines.join("\n"));

describe("problems of states are found before a run", () => {
  test("states that can be reached and act are valid", () => {
    expect(stateProblems(STATES, MOVES, `steps: [${ACT}, ${MOVE}]`)).toEqual([]);
  });

  test("an unreachable state is a problem, and so is a step in it alone", () => {
    const steps = `steps: [${ACT}, ${MOVE}, { name: end, type: llm, prompt: E., in_state: done }]`;
    expect(stateProblems(STATES, "transitions: [drafting -> testing]", steps)).toEqual([
      "steps.2.in_state: this step never runs: its state cannot be reached",
      "states.2: the state `done` can never be reached (add a transition to it from a state that can be reached, or remove it)",
    ]);
  });

  test("a state without an acting step needs a way out", () => {
    const act = "{ name: act, type: llm, prompt: A., in_state: [drafting, testing] }";
    expect(stateProblems(STATES, MOVES, `steps: [${act}, ${MOVE}]`)).toEqual([
      "states.2: the state `done` cannot be left, and no step decides on an action in it (add a transition out of it, or a step that acts in it)",
    ]);
    const back = "transitions: [drafting -> testing, testing -> done, '* -> drafting']";
    expect(stateProblems(STATES, back, `steps: [${act}, ${MOVE}]`)).toEqual([]);
  });

  test("a move that is only made in one state does not lead out of the others", () => {
    const move = "{ name: move, type: transition, in_state: drafting }";
    const problems = stateProblems(STATES, MOVES, `steps: [${ACT}, ${move}]`);
    expect(problems).toContain(
      "transitions.1: no step of type transition can make this move (add a step `{ name: move, type: transition }` that runs in that state)",
    );
    expect(problems).toContainEqual(expect.stringMatching(/^states.2: the state `done` can never/));
  });

  test.each([
    ["{ name: go, type: transition, to: don }", "to: unknown state `don` (did you mean `done`?)"],
    [
      "{ name: x, type: llm, prompt: P., in_state: [done, tsting] }",
      "in_state.1: unknown state `tsting`",
    ],
    [
      "{ name: go, type: transition, to: drafting }",
      "to: no listed transition leads to `drafting` from where this step runs (add `* -> drafting`",
    ],
  ])("%s: %s", (step, problem) => {
    const problems = stateProblems(STATES, MOVES, `steps: [${ACT}, ${MOVE}, ${step}]`);
    expect(problems.filter((each) => each.includes(`steps.2.${problem}`))).toHaveLength(1);
  });

  test("the initial state is a known state", () => {
    const initial = "initial_state: draftng";
    const problem = "initial_state: unknown state `draftng` (did you mean `drafting`?)";
    const problems = stateProblems(STATES, MOVES, initial, `steps: [${ACT}, ${MOVE}]`);
    expect(problems.filter((each) => each.includes(problem))).toHaveLength(1);
  });

  test("transitions name known states, and conditions known variables", () => {
    const odd = `transitions:
  - drafting -> tessting
  - { from: draft, to: testing }`;
    const [first, second] = stateProblems(STATES, odd, `steps: [${ACT}, ${MOVE}]`);
    expect(first).toContain("transitions.0: unknown state `tessting` (did you mean `testing`?)");
    expect(second).toContain("transitions.1.from: unknown state `draft`");
    const early = `transitions: [drafting -> testing, { from: testing, to: done, condition: verdict.ok }]`;
    const judge = "{ name: verdict, type: llm, prompt: J., schema: { ok: boolean } }";
    expect(stateProblems(STATES, early, `steps: [${ACT}, ${MOVE}, ${judge}]`)[0]).toContain(
      "transitions.1.condition: `verdict` is set by the step `verdict`, which comes later",
    );
    expect(stateProblems(STATES, early, `steps: [${ACT}, ${judge}, ${MOVE}]`)).toEqual([]);
  });

  test.each(["note", "steps.note"])("a result is set in a state that reads it: %s", (name) => {
    const END = "{ name: end, type: llm, prompt: E. }";
    const reading = (look: string, inState: string) => {
      const note = `{ name: note, type: llm, prompt: L., schema: text, ${look} }`;
      const act = `{ name: act, type: llm, prompt: 'B. {${name}}', in_state: ${inState} }`;
      return stateProblems(STATES, MOVES, `steps: [${note}, ${act}, ${END}, ${MOVE}]`);
    };
    const problem = `\`${name}\` is always null here: it is set only in the state drafting`;
    expect(reading("in_state: drafting", "[testing, done]")).toEqual([
      `steps.1.prompt: ${problem} (give \`note\` \`persist: true\` to keep its value for later iterations)`,
    ]);
    expect(reading("in_state: drafting, persist: true", "testing")).toEqual([]);
    expect(reading("in_state: [drafting, testing]", "testing")).toEqual([]);
  });

  test("the value that a transition reads is set in a state that it leaves", () => {
    const sum = (state: string) =>
      `{ name: sum, type: code, run: compute_metrics, in_state: ${state} }`;
    const moves =
      "transitions: [drafting -> testing, { from: testing, to: done, condition: should_pivot }]";
    const problemsWith = (state: string) =>
      stateProblems(STATES, moves, `steps: [${sum(state)}, ${ACT}, ${MOVE}]`);
    expect(problemsWith("drafting")).toEqual([
      expect.stringContaining("transitions.1.condition: `should_pivot` is always null here"),
    ]);
    expect(problemsWith("testing")).toEqual([]);
  });

  test("a map lists possible values of its variable", () => {
    const judge = "{ name: verdict, type: llm, prompt: J., schema: { go: [continue, pivot] } }";
    const move = "{ name: go, type: transition, on: verdict.go, map: { pivott: drafting } }";
    const all = "transitions: [drafting -> testing, testing -> done, done -> drafting]";
    const problems = stateProblems(STATES, all, `steps: [${ACT}, ${judge}, ${MOVE}, ${move}]`);
    const problem = '`verdict.go` is never "pivott" (did you mean `pivot`?)';
    expect(problems).toEqual([`steps.3.map.pivott: ${problem}`]);
  });

  test("inherited properties are not choices", () => {
    const plan = "{ name: plan, type: code, expression: balance }";
    const move = "{ name: go, type: transition, on: plan.constructor, map: { a: there } }";
    expect(stateProblems("states: [here, there]", `steps: [${ACT}, ${plan}, ${move}]`)).toEqual([]);
  });

  test("a step without a target needs listed transitions", () => {
    const problems = stateProblems("states: [here]", `steps: [${ACT}, ${MOVE}]`);
    expect(problems[0]).toContain("steps.1: has no target");
  });

  test("a transition is two states with an arrow", () => {
    const problems = stateProblems(STATES, "transitions: [drafting to testing]", `steps: [${ACT}]`);
    expect(problems[0]).toContain("transitions.0");
  });
});

test("the schema has a JSON Schema for editors", () => {
  expect(JSON.stringify(z.toJSONSchema(workflowSchema))).toContain("compute_metrics");
});
