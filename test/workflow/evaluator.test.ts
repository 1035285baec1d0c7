import { afterAll, expect, it } from "vitest";
import { evaluatorIn } from "../../src/workflow/evaluator.ts";
import { sandboxFor } from "../../src/world/index.ts";
import { physicsWith } from "../support/physics.ts";

const physics = physicsWith({ sandbox: { gas_max: 60_000 } });
const sandbox = sandboxFor(physics);
afterAll(() => sandbox.close());
const evaluator = evaluatorIn(sandbox, physics);

const COSTLY = "[text.split('').sort(), text.split('').sort(), text.split('').sort()].length";
const VARIABLES = { text: "bread and iron, ".repeat(100) };

it("the expressions of one thought share the gas of one program call", () => {
  const evaluate = evaluator();
  expect(evaluate(COSTLY, VARIABLES)).toEqual({ ok: true, value: 3 });
  const rest = Array.from({ length: 200 }, () => evaluate(COSTLY, VARIABLES));
  expect(rest[0]).toEqual({ ok: true, value: 3 });
  const usedUp = { ok: false, problem: "the gas of this thought is used up" };
  expect(rest.at(-1)).toEqual(usedUp);
  expect(evaluate("1 + 1", {})).toEqual(usedUp);
});

it("each thought has its own gas", () => {
  const first = evaluator();
  for (let n = 0; n < 200; n++) first(COSTLY, VARIABLES);
  expect(evaluator()(COSTLY, VARIABLES)).toEqual({ ok: true, value: 3 });
});
