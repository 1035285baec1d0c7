import { type Json, NOTHING_ATTACHED, type Physics } from "../kernel/index.ts";
import { decodeJson, inputJsonOf, programOf, type Sandbox } from "../world/index.ts";
import type { Evaluate } from "./progress.ts";

/** The gas limit of one expression. */
const GAS_MAX = 20_000;

/**
 * Returns a function that creates an evaluator of workflow expressions. An expression runs in the
 * sandbox and can use only its variables. No account pays for the gas. All expressions of one
 * evaluator together have the gas limit of one program call.
 */
export const evaluatorIn = (sandbox: Sandbox, { sandbox: bounds }: Physics): (() => Evaluate) => {
  return () => {
    let gasLeft = bounds.gas_max;
    return (expression, variables) => {
      if (gasLeft <= 0) return { ok: false, problem: "the gas of this thought is used up" };
      const code = programFor(expression, Object.keys(variables));
      const outcome = sandbox.run(
        {
          program: programOf(code),
          method: "run",
          inputJson: inputOf(variables),
          stateJson: "{}",
          gasMax: Math.min(GAS_MAX, gasLeft),
          syscallsMax: 0,
        },
        () => NO_SYSCALLS,
      );
      gasLeft -= outcome.gas;
      return outcome.ok
        ? { ok: true, value: decodeJson(outcome.resultJson) }
        : { ok: false, problem: outcome.message };
    };
  };
};

const NO_SYSCALLS = {
  ok: false,
  code: "not_authorized",
  message: "expressions only compute",
  gasUsed: 0,
} as const;

/** The validation of workflows ensures that all `names` are identifiers. */
const programFor = (expression: string, names: readonly string[]): string =>
  `function run($) {\n  const { ${names.join(", ")} } = $;\n  return (${expression}\n);\n}`;

const inputOf = (variables: { readonly [name: string]: Json }): string => {
  const by = { self: "workflow", caller: "workflow", origin: "workflow" };
  return inputJsonOf({ args: [variables], ...by, attached: NOTHING_ATTACHED, now: 0 });
};
