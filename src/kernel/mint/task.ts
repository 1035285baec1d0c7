import { AMOUNT_RULE, isAmount } from "../amount.ts";
import { type HoldId, ID_RULE, type Id, parseId } from "../ids.ts";
import { byteLength, isList, isObject, type Json, jsonProblem } from "../json.ts";
import type { Physics } from "../physics.ts";

/** A call and what it must return; the method is `run`. */
export type TaskTest = { readonly args: readonly Json[]; readonly result: Json };

/** Work that is offered to all, with a reward for the first program that passes every test. */
export type Task = {
  readonly id: string;
  /** Null: the world's own, whose reward is minted. */
  readonly poster: Id | null;
  readonly reward: number;
  /** Where the reward of a poster waits. */
  readonly hold: HoldId | null;
  readonly description: string;
  readonly publicTests: readonly TaskTest[];
  /** Told to nobody. */
  readonly hiddenTests: readonly TaskTest[];
  readonly postedAt: number;
};

/** What a task says, before it is known to be well formed. */
export type TaskText = {
  readonly description: string;
  readonly public_tests: Json;
  readonly hidden_tests: Json;
};

/** A task of the world's own, before it is known to be well formed. */
export type Opening = TaskText & { readonly task: string; readonly reward: number };

const DESCRIPTION_CHARS_MAX = 2_000;
const TESTS_MAX = 50;
const TESTS_BYTES_MAX = 10_000;
const TEST_RULE = "a test is {args: [...], result: ...}: what run(...args) must return";

/** Public and hidden tests, told apart from what is no test. */
export type Tests = { readonly open: readonly TaskTest[]; readonly hidden: readonly TaskTest[] };

/** The tests of a task, or what is wrong with it. */
export const readTask = (physics: Physics, task: TaskText): Tests | string => {
  const { description } = task;
  if (description.trim() === "" || description.length > DESCRIPTION_CHARS_MAX) {
    return `a description has 1 to ${DESCRIPTION_CHARS_MAX} characters`;
  }
  const wrong = jsonProblem(
    [description, task.public_tests, task.hidden_tests],
    physics.artifacts.json_depth_max,
  );
  if (wrong !== null) return `the task: ${wrong}`;
  const [open, hidden] = [testsIn(task.public_tests), testsIn(task.hidden_tests)];
  if (open === null || hidden === null) return TEST_RULE;
  if (open.length === 0) return `a task has one public test or more; ${TEST_RULE}`;
  const most = testsMax(physics);
  if (open.length + hidden.length > most) {
    return `a task has ${most} tests at the most, public and hidden together`;
  }
  const bytes = byteLength(JSON.stringify([open, hidden]));
  return bytes > TESTS_BYTES_MAX
    ? `the tests are ${bytes} bytes of JSON, the most is ${TESTS_BYTES_MAX}`
    : { open, hidden };
};

/** The tests of a task of the world's own, or what is wrong with it: an id → an amount → a task. */
export const readOpening = (physics: Physics, opening: Opening): Tests | string => {
  const { task, reward } = opening;
  if (parseId(task) === null) return `"${task}": ${ID_RULE}`;
  if (!isAmount(reward)) return `the reward: ${AMOUNT_RULE}`;
  return readTask(physics, opening);
};

/** So many that one action has gas for all of them. */
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
