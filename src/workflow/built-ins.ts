import { z } from "zod";
import {
  ACTION_KINDS,
  cutText,
  describeAction,
  isObject,
  type Json,
  type JsonObject,
} from "../kernel/index.ts";
import { namesIn } from "../mind/index.ts";
import { plainText } from "./answer-form.ts";

/**
 * A `text` or a `value` may contain `{variables}`. A `value` that is only one `{variable}` has the
 * type of the variable. An `output` names the output of an earlier step.
 */
type ParameterKind = "text" | "value" | "output" | "name" | "number";
export type Parameter = {
  readonly kind: ParameterKind;
  readonly required: boolean;
  readonly says: string;
};

type Given = { readonly name: string; readonly foreign: boolean; readonly says: string };

export type BuiltIn = {
  readonly says: string;
  readonly takes: { readonly [parameter: string]: Parameter };
  readonly gives: readonly Given[];
};

const own = (name: string, says: string): Given => ({ name, foreign: false, says });
/** Declares a foreign variable: a value in working memory, which other agents may have written. */
const others = (name: string, says: string): Given => ({ name, foreign: true, says });
const maybe = (kind: ParameterKind, says: string): Parameter => ({ kind, required: false, says });
const must = (kind: ParameterKind, says: string): Parameter => ({ kind, required: true, says });

/** The functions that `run` can name, in the order of the documentation. */
export const BUILT_INS = {
  compute_metrics: {
    says: "computes how well the latest actions went",
    takes: {},
    gives: [
      own("stuck_in_loop", "whether the last three actions all failed and were of the same kind"),
      own("should_pivot", "whether `success_rate` is below 0.3 or `stuck_in_loop` is true"),
      own("can_create", "whether the balance is 10 or more"),
      own("should_explore", "whether the agent owns fewer than 3 artifacts"),
    ],
  },
  load_goals: {
    says: "reads the goals from working memory",
    takes: {},
    gives: [
      others("strategic_goal", "`current_goal` of working memory"),
      others("current_subgoal", "`progress.stage` of working memory"),
      own("actions_on_subgoal", "how many actions have succeeded since the subgoal was set"),
      own("iterations_on_subgoal", "how many iterations ago the subgoal was set"),
      own(
        "subgoal_stuck",
        "whether ten iterations had fewer than two successes, or the agent is stuck in a loop",
      ),
      own("should_review", "true in every tenth iteration, and when `subgoal_stuck` is true"),
      own("has_tools_to_use", "whether the market offers a program that can be called"),
    ],
  },
  update_goals: {
    says: "writes goals and progress back to working memory",
    takes: {
      strategic_goal: maybe("value", "a new goal; the old one stays by default"),
      current_subgoal: maybe("value", "a new subgoal, which starts without progress"),
      next_step: maybe("value", "what to do next"),
      lesson: maybe("value", "a lesson to add; the latest ten lessons are kept"),
    },
    gives: [],
  },
  execute_decision: {
    says: "makes an earlier decision the action of this step",
    takes: {
      decision: maybe(
        "output",
        "the name of the decision; by default the last decision of this iteration",
      ),
    },
    gives: [],
  },
  remember: {
    says: "puts a note into the agent's memory",
    takes: { text: must("text", "the note") },
    gives: [],
  },
  count: {
    says: "adds to a counter, which is kept for later iterations",
    takes: {
      counter: must("name", "the name of the counter, as in `{counters.NAME}`"),
      by: maybe("number", "how much to add; 1 by default"),
    },
    gives: [],
  },
} as const satisfies { readonly [name: string]: BuiltIn };

export type BuiltInName = keyof typeof BUILT_INS;
export const BUILT_IN_NAMES = namesIn(BUILT_INS);

const pastAction = z.object({
  action: z.enum(ACTION_KINDS),
  target: z.string().nullable(),
  method: z.string().nullable(),
  ok: z.boolean(),
  code: z.string().nullable(),
});
type PastAction = z.infer<typeof pastAction>;

/** Reads the actions in a variable such as `failures`, oldest first. Leaves out thoughts. */
const actionsIn = (value: Json | undefined): readonly PastAction[] =>
  listOf(value).flatMap((item) => pastAction.safeParse(item).data ?? []);

/** This number of failures in a row counts as a loop if their actions are of the same kind. */
const LOOP_FAILURES = 3;

/** Returns the share of actions that succeeded, rounded to hundredths. Returns 1 for no actions. */
export const successRate = (actions: readonly Pick<PastAction, "ok">[]): number =>
  actions.length === 0
    ? 1
    : Math.round((actions.filter(({ ok }) => ok).length / actions.length) * 100) / 100;

const isStuck = (actions: readonly PastAction[]): boolean => {
  const last = actions.slice(-LOOP_FAILURES);
  const kinds = new Set(last.map(({ action }) => action));
  return last.length === LOOP_FAILURES && kinds.size === 1 && last.every(({ ok }) => !ok);
};

/** Returns the values of `compute_metrics`, from the actions in the agent's history. */
export const recentMetricsOf = (variables: JsonObject) => {
  const { recent_actions, balance, my_artifacts } = variables;
  const actions = actionsIn(recent_actions);
  const success_rate = successRate(actions);
  const stuck_in_loop = isStuck(actions);
  return {
    success_rate,
    stuck_in_loop,
    should_pivot: success_rate < 0.3 || stuck_in_loop,
    can_create: typeof balance === "number" && balance >= 10,
    should_explore: !Array.isArray(my_artifacts) || my_artifacts.length < 3,
  };
};

/** `failures` also holds failed thoughts, so it may have lost an action of `recent_actions`. */
const lastFailedIn = ({ failures, recent_actions }: JsonObject): PastAction | undefined =>
  actionsIn(recent_actions).findLast(({ ok }) => !ok) ?? actionsIn(failures).at(-1);

export const repeatedFailure = (action: Json, variables: JsonObject): string | null => {
  if (variables.should_pivot !== true) return null;
  const last = lastFailedIn(variables);
  if (last === undefined) return null;
  const { action: kind, target, method } = describeAction(action);
  if (kind !== last.action || target !== last.target || method !== last.method) return null;
  return [kind, target, method].filter((part) => part !== null).join(" ");
};

const DEFAULT_GOAL = "Establish a sustainable position";
const DEFAULT_SUBGOAL = "Explore and learn";
/** A subgoal is stuck if this many iterations had fewer than `STUCK_SUCCESSES` successes. */
const STUCK_ITERATIONS = 10;
const STUCK_SUCCESSES = 2;

const textOf = (value: Json | undefined): string | null =>
  typeof value === "string" ? cutText(plainText(value).trim(), 500) || null : null;

const countOf = (value: Json | undefined): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const goalsIn = (variables: JsonObject) => {
  const memory = isObject(variables.working_memory) ? variables.working_memory : {};
  const progress = isObject(memory.progress) ? memory.progress : {};
  const iteration = countOf(variables.iteration) ?? 1;
  return {
    memory,
    progress,
    iteration,
    goal: textOf(memory.current_goal),
    subgoal: textOf(progress.stage),
    actions: countOf(progress.actions_in_stage) ?? 0,
    since: Math.min(countOf(progress.stage_since_iteration) ?? iteration, iteration),
    reviewed: Math.min(countOf(memory.last_strategic_review) ?? 0, iteration),
  };
};

export const loadGoals = (variables: JsonObject) => {
  const { goal, subgoal, actions, since, reviewed, iteration } = goalsIn(variables);
  // A review that keeps the subgoal gives the subgoal more time.
  const waited = iteration - Math.max(since, reviewed);
  const fruitless = waited >= STUCK_ITERATIONS && actions < STUCK_SUCCESSES;
  const subgoal_stuck = fruitless || isStuck(actionsIn(variables.recent_actions));
  return {
    strategic_goal: goal ?? DEFAULT_GOAL,
    current_subgoal: subgoal ?? DEFAULT_SUBGOAL,
    actions_on_subgoal: actions,
    iterations_on_subgoal: iteration - since,
    subgoal_stuck,
    should_review: subgoal_stuck || iteration % 10 === 0,
    has_tools_to_use: listOf(variables.market).length > 0,
  };
};

/** Returns the new working memory. A new subgoal completes the old one and starts at zero. */
export const updatedGoals = (variables: JsonObject, given: JsonObject): JsonObject => {
  const { memory, progress, goal, subgoal, actions, since, iteration } = goalsIn(variables);
  const stage = textOf(given.current_subgoal) ?? subgoal ?? DEFAULT_SUBGOAL;
  const isNew = subgoal !== null && stage !== subgoal;
  const [last] = actionsIn(variables.recent_actions).slice(-1);
  const succeeded = last?.ok === true && last.action !== "noop" ? 1 : 0;
  const next = textOf(given.next_step);
  const lesson = textOf(given.lesson);
  return {
    ...memory,
    current_goal: textOf(given.strategic_goal) ?? goal ?? DEFAULT_GOAL,
    progress: {
      ...progress,
      stage,
      completed: isNew ? newest(progress.completed, subgoal) : listOf(progress.completed),
      next_steps: next === null ? listOf(progress.next_steps) : [next],
      actions_in_stage: isNew ? 0 : actions + succeeded,
      stage_since_iteration: isNew ? iteration : since,
    },
    lessons: lesson === null ? listOf(memory.lessons) : newest(memory.lessons, lesson),
    ...(variables.should_review === true ? { last_strategic_review: iteration } : {}),
  };
};

/** Adds an item to the end of a list. Moves the item to the end if the list has it already. */
const newest = (list: Json | undefined, item: string): readonly Json[] =>
  [...listOf(list).filter((known) => known !== item), item].slice(-10);
