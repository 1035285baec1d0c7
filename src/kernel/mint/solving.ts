import type { Artifact } from "../artifact/artifact.ts";
import { find } from "../artifact/read.ts";
import { accept, type Decision, type Refused, refuse, type TrialRun } from "../command.ts";
import type { Event } from "../event.ts";
import { type Subject, stamp } from "../invocation/subject.ts";
import { type Id, isReserved } from "../primitives/ids.ts";
import { canonical, cutText, type Json } from "../primitives/json.ts";
import { physicsOf, type State } from "../state.ts";
import type { Task, TaskTest } from "./mint-state.ts";
import { openTask, rewardRefusal } from "./tasks.ts";

type Solving = {
  readonly by: Subject;
  readonly task: string;
  readonly artifact: Id;
  readonly trial: readonly TrialRun[] | undefined;
};

const METHOD = "run";

/**
 * Checks, in this order: no program is the caller; the caller's account; the task; its poster; the
 * tested program; the supply; the public tests; the hidden tests. The tested program cannot reveal
 * hidden tests: it has no syscalls, keeps no state, and all runs cost the same gas. A refusal names
 * no hidden test. A program may not call solve: it could try many answers in one action.
 */
export const decideSolve = (state: State, solving: Solving): Decision => {
  const { by, trial } = solving;
  if (by.stack.length > 0) {
    const message = "a principal must call solve in its own action; programs cannot call it";
    return refuse("not_authorized", message);
  }
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no account for the reward`);
  }
  const task = openTask(state, solving.task);
  if (task.kind !== "accepted") return task;
  if (task.answer.poster === by.actor) {
    const message = `${by.actor} posted ${solving.task}; use withdraw_task to get the reward back`;
    return refuse("not_authorized", message);
  }
  const found = find(state, solving.artifact);
  if (found.kind !== "accepted") return found;
  const refused = solverRefusal(by, found.answer) ?? rewardRefusal(state, task.answer);
  if (refused !== null) return refused;
  const { publicTests, hiddenTests } = task.answer;
  const runs = [...publicTests, ...hiddenTests].map(({ args }) => args);
  if (trial?.length !== runs.length) {
    const { test_gas: gas_each } = physicsOf(state).mint;
    const artifact = found.answer.id;
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

const rewarded = (by: Subject, task: Task, artifact: Artifact): readonly Event[] => {
  const { id, hold, reward } = task;
  const [solver, artifact_id] = [by.actor, artifact.id];
  const done: Event = { ...stamp(by), kind: "task_solved", task: id, artifact_id, solver, reward };
  const gets = { to: solver, amount: reward, reason: "task" } as const;
  if (hold === null) return [done, { ...stamp(by), kind: "scrip_minted", ...gets }];
  const paid: Event = { ...stamp(by), kind: "hold_spent", hold, ...gets, artifact_id };
  return [done, paid, { ...stamp(by), kind: "hold_released", hold, into: null }];
};
