import { describe, expect, it } from "vitest";
import { checkAnswers } from "../../../src/workflow/check-workflow.ts";
import { workflowOf } from "../workbench.ts";

const warningsIn = (steps: readonly string[], more = ""): readonly string[] =>
  checkAnswers(workflowOf(`steps: [${steps.join(", ")}]\n${more}`)).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );

const ask = (name: string, more = ""): string =>
  `{ name: ${name}, type: llm, prompt: P.${more === "" ? "" : `, ${more}`} }`;
const compute = (expression: string): string =>
  `{ name: code, type: code, expression: "${expression}" }`;
const execute = (decision: string): string =>
  `{ name: act, type: code, run: execute_decision, with: { decision: ${decision} } }`;
const STATES = "states: [a, b]\ntransitions: [a -> b, b -> a]";
const MOVE = "{ name: move, type: transition }";

describe("an answer", () => {
  it.for<readonly [string, readonly string[], more?: string]>([
    ["is passed on to a later llm step", [ask("look", "schema: text"), ask("act")]],
    [
      "is read by an expression",
      [ask("act"), ask("ok", "schema: { n: number }"), compute("ok.n > 1")],
    ],
    ["is read as steps.NAME", [ask("act"), ask("ok", "schema: text"), compute("steps.ok")]],
    [
      "is read by a later iteration",
      [compute("ok"), ask("act"), ask("ok", "schema: text, persist: true")],
    ],
    [
      "is read by a parameter",
      [
        ask("act"),
        ask("ok", "schema: text"),
        "{ name: n, type: code, run: remember, with: { text: 'Note: {ok}' } }",
      ],
    ],
    [
      "selects the state",
      [
        ask("act"),
        ask("ok", "schema: [a, b]"),
        "{ name: move, type: transition, on: ok, map: { a: a, b: b } }",
      ],
      "states: [a, b]",
    ],
    ["is the action", [ask("act")]],
    [
      "is the action in its state",
      [ask("x", "in_state: a"), ask("y", "in_state: b"), MOVE],
      STATES,
    ],
    ["is the action unless a later step decides", [ask("x"), ask("y", "if: balance > 9")]],
    ["is executed as the latest", [ask("x"), "{ name: y, type: code, run: execute_decision }"]],
    ["is executed by its name", [ask("x"), execute("x")]],
  ])("that %s has a use", ([, steps, more]) => {
    expect(warningsIn(steps, more)).toEqual([]);
  });

  it.for<readonly [string, readonly string[], string, more?: string]>([
    [
      "reaches no step",
      [ask("act"), ask("ok", "schema: text")],
      "1.schema: the answer of `ok` is thrown away: no step reads it, and no llm step comes later",
    ],
    [
      "reaches no step of its state",
      [ask("x", "in_state: b, schema: text"), ask("y", "in_state: a"), MOVE],
      "0.schema: the answer of `x` is thrown away",
      STATES,
    ],
    [
      "is an action that a later step replaces",
      [ask("x"), ask("y")],
      "0.name: `y` replaces the action of `x`, unless `y` fails; later steps only read the answer",
    ],
    [
      "is an action that is replaced in each of its states",
      [ask("x", "schema: action, in_state: a"), ask("y"), MOVE],
      "0.schema: `y` replaces the action of `x`; later steps only read the answer",
      `${STATES}\nerror_handling: { on_step_failure: abort }`,
    ],
    [
      "is an action, while another one is executed by its name",
      [ask("y"), ask("x"), execute("y")],
      "1.name: `act` replaces the action of `x`; the answer has no other use",
    ],
  ])("that %s is reported", ([, steps, warning, more]) => {
    const [only, second] = warningsIn(steps, more);
    expect(only).toContain(`steps.${warning}`);
    expect(second).toBeUndefined();
  });
});
