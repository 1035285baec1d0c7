import { z } from "zod";
import { FIELD_TYPES } from "./answer-form.ts";
import { BUILT_IN_NAMES } from "./built-ins.ts";
import { EXPRESSION_CHARS_MAX, isVariableName } from "./expression.ts";

const FIELDS_MAX = 20;
const NAME_CHARS_MAX = 64;

const NAME_RULE =
  "is not a valid name: use letters, digits and `_`, start with a letter, avoid JavaScript words";
const variableName = z.string().max(NAME_CHARS_MAX).refine(isVariableName, { error: NAME_RULE });

const STATE = "[A-Za-z][A-Za-z0-9_-]{0,63}";
const stateName = z
  .string()
  .regex(new RegExp(`^${STATE}$`), {
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

const optional = <T extends z.ZodType>(schema: T, says: string) => schema.optional().describe(says);

const stepShape = z.strictObject({
  name: variableName.describe("a unique name, and the variable that holds the result"),
  type: z.enum(["llm", "code", "transition"]),
  if: optional(expression, "an expression; the step runs only if its value is true"),
  in_state: optional(
    z.union([stateName, z.array(stateName).min(1)]),
    "the states in which the step runs; default: all",
  ),
  output: optional(variableName, "the variable that holds the result; default: the step's name"),
  persist: optional(
    z.boolean(),
    "whether later iterations can read the result, in earlier steps too",
  ),
  prompt: optional(z.string().min(1).max(20_000), "the question of an llm step, with {variables}"),
  schema: optional(
    z.union([z.enum(["action", "text"]), words, fields]),
    "what an llm step returns: an action (the default), text, fields, or one word of a list",
  ),
  max_retries: optional(
    z.int().min(0).max(5),
    "how many times an llm step asks again after a failed call or an invalid reply",
  ),
  run: optional(z.enum(BUILT_IN_NAMES), "the built-in of a code step"),
  action: optional(z.enum(BUILT_IN_NAMES), "another name of run"),
  with: optional(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    "the parameters of the built-in",
  ),
  expression: optional(expression, "an expression whose value is the result"),
  to: optional(stateName, "the state that a transition step moves to"),
  on: optional(z.string().min(1).max(200), "the variable whose value selects the state in map"),
  map: optional(
    z.record(z.string(), stateName),
    'the state for each value of that variable; "*" is all other values',
  ),
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

/** Checks each field alone. `checkWorkflow` checks that the fields fit together. */
export const workflowShape = z.strictObject({
  initial_state: optional(stateName, "the first state; default: the first entry of `states`"),
  states: optional(
    z.array(stateName).min(1).max(50),
    "the states of the agent; each iteration is in one of them",
  ),
  transitions: optional(
    z.array(transitionShape).max(200),
    'the moves between states, as in "drafting -> testing"',
  ),
  steps: z
    .array(stepShape)
    .max(50)
    .meta({ minItems: 1 })
    .describe("the steps; each iteration runs them once, in this order"),
  error_handling: z
    .strictObject({ on_step_failure: z.enum(["continue", "abort"]).optional() })
    .optional(),
  max_model_calls: optional(
    z.int().min(1).max(100),
    "maximum number of model calls per iteration; overrides llm.max_model_calls",
  ),
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

/** The variable that holds the results of all steps of the iteration, by the name of the step. */
export const STEPS = "steps";

export const outputOf = ({ output, name }: Step): string => output ?? name;

export const statesOf = ({ in_state }: Step): readonly string[] | null =>
  in_state === undefined ? null : typeof in_state === "string" ? [in_state] : in_state;

/** Returns whether two lists of states have a state in common. Null is all states. */
export const haveCommonState = (
  a: readonly string[] | null,
  b: readonly string[] | null,
): boolean => a === null || b === null || a.some((state) => b.includes(state));

export const builtInOf = ({ run, action }: Step): Step["run"] => run ?? action;

/**
 * Returns whether a step can decide on an action. `execute_decision` without `decision` cannot,
 * because it repeats the latest decision of another step.
 */
export const yieldsAction = (step: Step): boolean =>
  (step.type === "llm" && (step.schema ?? "action") === "action") ||
  (step.type === "code" &&
    builtInOf(step) === "execute_decision" &&
    step.with?.decision !== undefined);

export const initialStateOf = ({ initial_state, states }: Workflow): string | null =>
  initial_state ?? states?.[0] ?? null;

/** The number of llm steps that run in each iteration in `state`, or in all states if null. */
export const sureCalls = ({ steps }: Workflow, state: string | null): number =>
  steps.filter((step) => step.type === "llm" && step.if === undefined && canRunIn(step, state))
    .length;

export const canRunIn = (step: Step, state: string | null): boolean => {
  const states = statesOf(step);
  return states === null || (state !== null && states.includes(state));
};
