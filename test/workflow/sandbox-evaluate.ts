import { readExpression } from "../../src/workflow/expression.ts";
import type { Evaluate } from "../../src/workflow/progress.ts";
import { callOf, newSandbox } from "../world/sandbox/fixture.ts";

const sandbox = newSandbox();

/** Expressions in the real sandbox, as a run evaluates them. */
export const evaluate: Evaluate = (expression, variables) => {
  if (!readExpression(expression).ok) throw new Error(`reached the sandbox: ${expression}`);
  const names = Object.keys(variables).join(", ");
  const code = `function run(variables) { const { ${names} } = variables; return (${expression}); }`;
  const noKernel = () => {
    throw new Error("an expression has no kernel");
  };
  const outcome = sandbox.run(callOf(code, { args: [variables] }), noKernel);
  return outcome.ok
    ? { ok: true, value: JSON.parse(outcome.resultJson) }
    : { ok: false, problem: `${outcome.code}: ${outcome.message}` };
};
