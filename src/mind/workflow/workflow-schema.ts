import { z } from "zod";
import { FIELD_TYPES } from "./answer-form.ts";
import { BUILT_IN_NAMES } from "./built-ins.ts";
import { EXPRESSION_CHARS_MAX, isVariableName } from "./expression.ts";

const STEPS_MAX = 50;
const STATES_MAX = 50;
const TRANSITIONS_MAX = 200;
const PROMPT_CHARS_MAX = 20_000;
const RETRIES_MAX = 5;
const CALLS_MAX = 100;
const FIELDS_MAX = 20;
const NAME_CHARS_MAX = 64;

const NAME_RULE =
  "is not a valid name: use letters, digits and `_`, start with a letter, avoid JavaScript words";
const variableName = z.string().max(NAME_CHARS_MAX).refine(isVariableName, { error: NAME_RULE });

const STATE = "[A-Za-z][A-Za-z0-9_-]{0,63}";
const stateName = z.string().regex(new RegExp(`^${STATE}$`), {
  error:
    "is not a valid name of a state: use letters, digits, `_` and `-`, and start with a letter",
});
const expression = z.string().min(1).max(EXPRESSION_CHARS_MAX);

const word = z.string().min(1).max(NAME_CHARS_MAX);
const words = z.array(word).min(2).max(FIELDS_MAX);
const fields = z
  .record(variableName, z.union([z.enum(FIELD_TYPES), words]))
  .refine((given) => Object.keys(given).length > 0, { error: "names no field" })
  .refine((given) => Object.keys(given).length <= FIELDS_MAX, {
    error: `must have at most ${FIELDS_MAX} fields`,
  });

const stepShape = z.strictObject({
  name: variableName.describe("a unique name, and the variable that holds the result"),
  type: z.enum(["llm", "code", "transition"]),
  if: expression.optional().describe("an expression; the step runs only if its value is true"),
  in_state: z
    .union([stateName, z.array(stateName).min(1)])
    .optional()
    .describe("the states in which the step runs; default: all"),
  output: variableName
    .optional()
    .describe("the variable that holds the result; default: the step's name"),
  persist: z
    .boolean()
    .optional()
    .describe("whether later iterations can read the result, in earlier steps too"),
  prompt: z
    .string()
    .min(1)
    .max(PROMPT_CHARS_MAX)
    .optional()
    .describe("the question of an llm step, with {variables}"),
  schema: z
    .union([z.enum(["action", "text"]), words, fields])
    .optional()
    .describe(
      "what an llm step returns: an action (the default), text, fields, or a choice of words",
    ),
  max_retries: z
    .int()
    .min(0)
    .max(RETRIES_MAX)
    .optional()
    .describe("how many times an llm step asks again after a failed call or an invalid reply"),
  run: z.enum(BUILT_IN_NAMES).optional().describe("the built-in of a code step"),
  action: z.enum(BUILT_IN_NAMES).optional().describe("an older name of run"),
  with: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("the parameters of the built-in"),
  expression: expression.optional().describe("an expression whose value is the result"),
  to: stateName.optional().describe("the state that a transition step moves to"),
  on: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("the variable whose value selects the state in map"),
  map: z
    .record(z.string(), stateName)
    .optional()
    .describe('the state for each value of that variable; "*" is all other values'),
});
export type Step = z.infer<typeof stepShape>;

const ARROW = new RegExp(`^\\s*(\\*|${STATE})\\s*->\\s*(${STATE})\\s*$`);
const transitionShape = z.union([
  z
    .string()
    .regex(ARROW, { error: 'must be two states with an arrow, as in "drafting -> testing"' }),
  z.strictObject({
    from: z.union([z.literal("*"), stateName, z.array(stateName).min(1)]),
    to: stateName,
    condition: expression.optional(),
  }),
]);

/** The shape only; `checkWorkflow` checks the meaning. */
export const workflowShape = z.strictObject({
  initial_state: stateName
    .optional()
    .describe("the state at the start; default: the first of states"),
  states: z
    .array(stateName)
    .min(1)
    .max(STATES_MAX)
    .optional()
    .describe("the states of the agent; each iteration is in one of them"),
  transitions: z
    .array(transitionShape)
    .max(TRANSITIONS_MAX)
    .optional()
    .describe('the moves between states, as in "drafting -> testing"'),
  steps: z
    .array(stepShape)
    .min(1)
    .max(STEPS_MAX)
    .describe("the steps; each iteration runs them once, in this order"),
  error_handling: z
    .strictObject({ on_step_failure: z.enum(["continue", "abort"]).optional() })
    .optional(),
  max_model_calls: z
    .int()
    .min(1)
    .max(CALLS_MAX)
    .optional()
    .describe("maximum number of model calls per iteration; overrides llm.max_model_calls"),
});
export type Workflow = z.infer<typeof workflowShape>;

export type Transition = {
  readonly from: "*" | readonly string[];
  readonly to: string;
  readonly condition: string | null;
};

export const transitionsOf = ({ transitions = [] }: Workflow): readonly Transition[] =>
  transitions.map((given) => {
    if (typeof given === "string") {
      const [, from = "*", to = ""] = ARROW.exec(given) ?? [];
      return { from: from === "*" ? "*" : [from], to, condition: null };
    }
    const { from, to, condition = null } = given;
    return { from: typeof from === "string" && from !== "*" ? [from] : from, to, condition };
  });

export const leavesFrom = ({ from }: Transition, state: string | null): boolean =>
  from === "*" || (state !== null && from.includes(state));

export const outputOf = ({ output, name }: Step): string => output ?? name;

/** The states in which a step runs, or null for all. */
export const statesOf = ({ in_state }: Step): readonly string[] | null =>
  in_state === undefined ? null : typeof in_state === "string" ? [in_state] : in_state;

export const builtInOf = ({ run, action }: Step): Step["run"] => run ?? action;

export const yieldsAction = (step: Step): boolean =>
  (step.type === "llm" && (step.schema ?? "action") === "action") ||
  (step.type === "code" && builtInOf(step) === "execute_decision");

export const initialStateOf = ({ initial_state, states }: Workflow): string | null =>
  initial_state ?? states?.[0] ?? null;

export const canRunIn = (step: Step, state: string | null): boolean => {
  const states = statesOf(step);
  return states === null || (state !== null && states.includes(state));
};
