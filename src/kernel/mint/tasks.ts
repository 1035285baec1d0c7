import type { Artifact } from "../artifact/artifact.ts";
import { rootOf } from "../artifact/owners.ts";
import { find } from "../artifact/tables.ts";
import { accept, type Decision, type Refused, refuse, type TrialRun } from "../core/decision.ts";
import { ID_RULE, type Id, isReserved, parseId } from "../core/ids.ts";
import {
  byteLength,
  canonical,
  cutText,
  isList,
  isObject,
  type Json,
  jsonProblem,
} from "../core/json.ts";
import { memoized } from "../core/memoized.ts";
import { AMOUNT_RULE, isAmount } from "../core/money.ts";
import type { Physics } from "../core/physics.ts";
import { physicsOf, worldRow } from "../core/world.ts";
import { mintable } from "../ledger/account.ts";
import { accountRefusal, holdFor } from "../ledger/payment.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import type { MintCommands, MintDecision, MintEvent, NewTask, TaskText } from "./events.ts";
import { BOARD, hasMint, type MintTables, type Task, type TaskTest } from "./mint.ts";

type Post = TaskText & { readonly by: Subject; readonly scrip: number };

/** The open tasks of one family are limited to `tasks_max` / FAMILY_PART, rounded up. */
const FAMILY_PART = 10;

/** Checks, in this order: the poster's account, the reward, the task, the number of open tasks. */
export const decidePost = (state: MintTables, post: Post): MintDecision => {
  const { by, scrip: reward, description } = post;
  const poor = accountRefusal(state, by.actor, " to hold the reward");
  if (poor !== null) return poor;
  if (reward === 0) {
    return refuse("missing_argument", "attach the reward: {attach: {scrip: n}}");
  }
  const tests = readTask(physicsOf(state), post);
  if (typeof tests === "string") return refuse("invalid_argument", tests);
  const full = taskLimitRefusal(state, by);
  if (full !== null) return full;
  // The id of a task of the world has no colon, so it cannot equal this id.
  const task = `task:${worldRow(state).tasksMade + 1}`;
  const purpose = { kind: "task", task } as const;
  const { hold, event: held } = holdFor(state, by, purpose, reward);
  const about = { task, poster: by.actor, reward, hold, description, ...tests };
  return accept([held, { ...stamp(by), kind: "task_posted", ...about }], { task, reward });
};

const taskLimitRefusal = (state: MintTables, by: Subject): Refused | null => {
  const { tasks_max } = physicsOf(state).mint;
  const { board, tasksOfFamily } = state.indexes;
  if (board.sizeOf(BOARD.posted) >= tasks_max) {
    const message = `${tasks_max} posted tasks are open, which is the maximum; try again later`;
    return refuse("quota_exceeded", message);
  }
  const each = Math.ceil(tasks_max / FAMILY_PART);
  const family = rootOf(state, by.actor);
  return tasksOfFamily.sizeOf(family) < each
    ? null
    : refuse(
        "quota_exceeded",
        `the family of ${family} has ${each} tasks open; withdraw one first`,
      );
};

/** Opens a task of the world. Checks that the mint exists, the task is valid, the id is unused. */
export const decideOpenTask = (
  state: MintTables,
  opening: MintCommands["open_task"],
): MintDecision => {
  const { at_ms, task, reward, description } = opening;
  if (!hasMint(state)) return refuse("not_found", "this world has no mint");
  const tests = readTaskTests(physicsOf(state), opening);
  if (typeof tests === "string") return refuse("invalid_argument", tests);
  if (state.tasks.has(task) || worldRow(state).tasksOffered.includes(task)) {
    return refuse("already_exists", `the task "${task}" was already offered`);
  }
  const about = { task, poster: null, reward, hold: null, description, ...tests };
  const posted: MintEvent = { at_ms, principal: null, kind: "task_posted", ...about };
  return accept([posted], { task, reward });
};

export const decideWithdraw = (state: MintTables, by: Subject, id: string): MintDecision => {
  const task = openTask(state, id);
  if (task.kind !== "accepted") return task;
  const { poster, hold, reward } = task.answer;
  if (hold === null || poster !== by.actor) {
    return refuse("not_owner", `${id} was posted by ${poster ?? "the world"}, not by ${by.actor}`);
  }
  const events: readonly MintEvent[] = [
    { ...stamp(by), kind: "task_withdrawn", task: id },
    { ...stamp(by), kind: "hold_released", hold, into: null },
  ];
  return accept(events, { task: id, refunded: reward });
};

const openTask = (state: MintTables, id: string): Decision<Task> => {
  const task = state.tasks.get(id);
  return task === undefined
    ? refuse("not_found", `no task "${id}" is open; genesis_mint.tasks() lists them`)
    : accept([], task);
};

/**
 * Returns open tasks of the world, then posted tasks. Each group is sorted by reward, highest
 * first, then by age, oldest first, so that cheap tasks cannot hide a task with a high reward. If
 * the task `after` is open, the result starts after that task.
 */
export const openTasks = (
  state: MintTables,
  max: number,
  after: string | null = null,
): readonly Task[] => {
  const { board } = state.indexes;
  const last = after === null ? undefined : state.tasks.get(after);
  const isPosted = last !== undefined && last.poster !== null;
  const parts = isPosted ? [BOARD.posted] : [BOARD.world, BOARD.posted];
  const tasks: Task[] = [];
  for (const part of parts) tasks.push(...board.rowsOf(part, { after, max: max - tasks.length }));
  return tasks;
};

/**
 * Returns the public facts of a task. They include the number of hidden tests, not the tests.
 * Cached, because all views show the same tasks.
 */
export const publicTask = memoized(
  (task: Task) => ({
    id: task.id,
    poster: task.poster,
    reward: task.reward,
    description: task.description,
    public_tests: task.publicTests,
    hidden_tests: task.hiddenTests.length,
    posted_at_ms: task.postedAt,
  }),
  new WeakMap(),
);

const rewardRefusal = (state: MintTables, task: Task): Refused | null =>
  task.hold === null && task.reward > mintable(worldRow(state).supply)
    ? refuse("quota_exceeded", "this reward would make the scrip supply too large")
    : null;

const DESCRIPTION_CHARS_MAX = 2_000;
const TESTS_MAX = 50;
const TESTS_BYTES_MAX = 10_000;
const TEST_RULE = "a test must be {args: [...], result: ...}, with what run(...args) must return";

type Tests = {
  readonly public_tests: readonly TaskTest[];
  readonly hidden_tests: readonly TaskTest[];
};

const readTask = (physics: Physics, task: TaskText): Tests | string => {
  const { description } = task;
  if (description.trim() === "" || description.length > DESCRIPTION_CHARS_MAX) {
    return `a description must have 1 to ${DESCRIPTION_CHARS_MAX} characters`;
  }
  const wrong = jsonProblem(
    [description, task.public_tests, task.hidden_tests],
    physics.artifacts.json_depth_max,
  );
  if (wrong !== null) return `the task is not plain JSON: ${wrong}`;
  const [open, hidden] = [testsIn(task.public_tests), testsIn(task.hidden_tests)];
  if (open === null || hidden === null) return TEST_RULE;
  if (open.length === 0) return `a task needs at least one public test; ${TEST_RULE}`;
  const most = testsMax(physics);
  if (open.length + hidden.length > most) {
    return `a task can have at most ${most} tests, public and hidden together`;
  }
  const bytes = byteLength(JSON.stringify([open, hidden]));
  return bytes > TESTS_BYTES_MAX
    ? `the tests are ${bytes} bytes of JSON; the maximum is ${TESTS_BYTES_MAX}`
    : { public_tests: open, hidden_tests: hidden };
};

/** Validates a task of the world. Returns the tests, or a problem as text. */
export const readTaskTests = (physics: Physics, opening: NewTask): Tests | string => {
  const { task, reward } = opening;
  if (parseId(task) === null) return `"${task}": ${ID_RULE}`;
  if (!isAmount(reward)) return `the reward: ${AMOUNT_RULE}`;
  return readTask(physics, opening);
};

/** Returns the maximum number of tests. One action must have enough gas for all of them. */
const testsMax = ({ sandbox, mint }: Physics): number =>
  Math.min(TESTS_MAX, Math.floor((sandbox.gas_max - sandbox.gas_table.syscall) / mint.test_gas));

const testsIn = (given: Json): readonly TaskTest[] | null => {
  if (!isList(given)) return null;
  const tests: TaskTest[] = [];
  for (const test of given) {
    if (!isObject(test) || !isList(test.args) || test.result === undefined) return null;
    tests.push({ args: test.args, result: test.result });
  }
  return tests;
};

const METHOD = "run";

/**
 * Checks, in this order: no program is the caller; the caller's account; the task; its poster; the
 * tested program; the supply; the public tests; the hidden tests. The tested program cannot reveal
 * hidden tests: it has no syscalls, keeps no state, and all runs cost the same gas. A refusal names
 * no hidden test. A program may not call solve: it could try many answers in one action.
 */
export const decideSolve = (
  state: MintTables,
  by: Subject,
  taskId: string,
  artifact: Id,
  trial: readonly TrialRun[] | undefined,
): MintDecision => {
  if (by.stack.length > 0) {
    const message = "a principal must call solve in its own action; programs cannot call it";
    return refuse("not_authorized", message);
  }
  const poor = accountRefusal(state, by.actor, " for the reward");
  if (poor !== null) return poor;
  const task = openTask(state, taskId);
  if (task.kind !== "accepted") return task;
  if (task.answer.poster === by.actor) {
    const message = `${by.actor} posted ${taskId}; use withdraw_task to get the reward back`;
    return refuse("not_authorized", message);
  }
  const found = find(state, artifact);
  if (found.kind !== "accepted") return found;
  const refused = solverRefusal(by, found.answer) ?? rewardRefusal(state, task.answer);
  if (refused !== null) return refused;
  const { publicTests, hiddenTests } = task.answer;
  const runs = [...publicTests, ...hiddenTests].map(({ args }) => args);
  if (trial?.length !== runs.length) {
    const { test_gas: gas_each } = physicsOf(state).mint;
    return { kind: "asks", question: { kind: "trial", artifact, method: METHOD, runs, gas_each } };
  }
  const failed = trialRefusal(task.answer, trial);
  return failed ?? accept(rewarded(by, task.answer, found.answer), solved(task.answer));
};

const solved = ({ id, reward }: Task): Json => ({ task: id, reward });

const solverRefusal = (by: Subject, { id, owner, methods }: Artifact): Refused | null => {
  if (owner !== by.actor) {
    return refuse("not_owner", `${id} belongs to ${owner}; write a program of your own`);
  }
  if (isReserved(id))
    return refuse("invalid_type", `${id} belongs to the world; write a program of your own`);
  if (methods.includes(METHOD)) return null;
  return refuse("invalid_type", `${id} has no method "${METHOD}", which the tests call`);
};

const trialRefusal = (task: Task, trial: readonly TrialRun[]): Refused | null => {
  const passes = (test: TaskTest, run: TrialRun | undefined): boolean =>
    run?.ok === true && canonical(run.result) === canonical(test.result);
  for (const [index, test] of task.publicTests.entries()) {
    const run = trial[index];
    if (!passes(test, run)) return refuse("tests_failed", mismatch(index, test, run));
  }
  const hidden = trial.slice(task.publicTests.length);
  return task.hiddenTests.every((test, index) => passes(test, hidden[index]))
    ? null
    : refuse("tests_failed", "all public tests passed, but at least one hidden test failed");
};

const SHOWN_CHARS_MAX = 250;
const shown = (value: Json): string => cutText(JSON.stringify(value), SHOWN_CHARS_MAX);

const mismatch = (index: number, test: TaskTest, run: TrialRun | undefined): string => {
  const got =
    run?.ok === true
      ? `returned ${shown(run.result)}`
      : `failed: ${run?.message ?? "it did not run"}`;
  const call = `${METHOD}(...${shown(test.args)})`;
  return `public test ${index + 1}: ${call} must return ${shown(test.result)} and ${got}`;
};

const rewarded = (by: Subject, task: Task, artifact: Artifact): readonly MintEvent[] => {
  const { id, hold, reward } = task;
  const [solver, artifact_id] = [by.actor, artifact.id];
  const done: MintEvent = {
    ...stamp(by),
    kind: "task_solved",
    task: id,
    artifact_id,
    solver,
    reward,
  };
  const gets = { to: solver, amount: reward, reason: "task" } as const;
  if (hold === null) return [done, { ...stamp(by), kind: "scrip_minted", ...gets }];
  const paid: MintEvent = { ...stamp(by), kind: "hold_spent", hold, ...gets, artifact_id };
  return [done, paid, { ...stamp(by), kind: "hold_released", hold, into: null }];
};
