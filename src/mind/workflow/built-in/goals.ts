import { cutText, isObject, type Json, type JsonObject } from "../../../kernel/index.ts";
import { plainText } from "../plain-text.ts";
import { deedsIn } from "./deeds.ts";
import { isStuck } from "./metrics.ts";

const DEFAULT_GOAL = "Establish a sustainable position";
const DEFAULT_SUBGOAL = "Explore and learn";
/** Every so many iterations the goals are reviewed. */
const REVIEW_ITERATIONS = 10;
/** A subgoal that has brought fewer successes than this in that time is stuck. */
const STUCK_ITERATIONS = 10;
const STUCK_SUCCESSES = 2;
const KEPT_MAX = 10;
const TEXT_CHARS_MAX = 500;

type Variables = { readonly [name: string]: Json };

const textOf = (value: Json | undefined): string | null => {
  if (typeof value !== "string") return null;
  const text = cutText(plainText(value).trim(), TEXT_CHARS_MAX);
  return text === "" ? null : text;
};

const countOf = (value: Json | undefined): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** What working memory says of the goals, whatever else stands in it. */
const goalsIn = (variables: Variables) => {
  const memory = objectOf(variables.working_memory);
  const progress = objectOf(memory.progress);
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

/** `load_goals`: the goal, the subgoal and how it goes. */
export const loadGoals = (variables: Variables) => {
  const { goal, subgoal, actions, since, reviewed, iteration } = goalsIn(variables);
  // A review that kept the subgoal has given it time again.
  const waited = iteration - Math.max(since, reviewed);
  const fruitless = waited >= STUCK_ITERATIONS && actions < STUCK_SUCCESSES;
  const subgoal_stuck = fruitless || isStuck(deedsIn(variables.recent_actions));
  return {
    strategic_goal: goal ?? DEFAULT_GOAL,
    current_subgoal: subgoal ?? DEFAULT_SUBGOAL,
    actions_on_subgoal: actions,
    iterations_on_subgoal: iteration - since,
    subgoal_stuck,
    should_review: subgoal_stuck || iteration % REVIEW_ITERATIONS === 0,
    has_tools_to_use: listOf(variables.market).length > 0,
  };
};

/**
 * `update_goals`: the working memory as it is to be from now on. What is not given stays; a new
 * subgoal begins without progress, and the old one counts as completed.
 */
export const updatedGoals = (variables: Variables, given: JsonObject): JsonObject => {
  const { memory, progress, goal, subgoal, actions, since, iteration } = goalsIn(variables);
  const stage = textOf(given.current_subgoal) ?? subgoal ?? DEFAULT_SUBGOAL;
  const isNew = subgoal !== null && stage !== subgoal;
  const [last] = deedsIn(variables.recent_actions).slice(-1);
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

/** The list with one more at its end, without what was there before under the same words. */
const newest = (list: Json | undefined, item: string): readonly Json[] =>
  [...listOf(list).filter((known) => known !== item), item].slice(-KEPT_MAX);
