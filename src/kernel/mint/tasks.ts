import { mintable } from "../account.ts";
import { accept, type Decision, type Refused, refuse } from "../decision.ts";
import type { Event } from "../event.ts";
import { holdFor } from "../hold.ts";
import { BOARD } from "../indexes.ts";
import { rootOf } from "../lineage.ts";
import { physicsOf, type State, wholeOf } from "../state.ts";
import { type Subject, stamp } from "../subject.ts";
import { hasMint } from "./status.ts";
import { type Opening, readOpening, readTask, type Task, type TaskText } from "./task.ts";

type Post = TaskText & { readonly by: Subject; readonly scrip: number };

/** One family may have so large a part of all tasks open, so that nobody fills the board. */
const FAMILY_PART = 10;

/** has an account → a reward → well formed → room on the board → room for this family. */
export const decidePost = (state: State, post: Post): Decision => {
  const { by, scrip: reward, description } = post;
  if (!state.accounts.has(by.actor)) {
    return refuse("not_authorized", `${by.actor} has no account in which a reward could wait`);
  }
  if (reward === 0) {
    return refuse("missing_argument", "attach the reward: {attach: {scrip: n}}");
  }
  const tests = readTask(physicsOf(state), post);
  if (typeof tests === "string") return refuse("invalid_argument", tests);
  const full = boardFull(state, by);
  if (full !== null) return full;
  // A colon is in no id, so that no task of the world's own can have this one.
  const task = `task:${wholeOf(state).tasksMade + 1}`;
  const purpose = { kind: "task", task } as const;
  const { hold, event: held } = holdFor(state, by, { purpose, amount: reward });
  const events: readonly Event[] = [
    held,
    {
      ...stamp(by),
      kind: "task_posted",
      task,
      poster: by.actor,
      reward,
      hold,
      description,
      public_tests: tests.open,
      hidden_tests: tests.hidden,
    },
  ];
  return accept(events, { task, reward });
};

const boardFull = (state: State, by: Subject): Refused | null => {
  const { tasks_max } = physicsOf(state).mint;
  const { board, tasksOfFamily } = state.indexes;
  if (board.sizeOf(BOARD.posted) >= tasks_max) {
    return refuse(
      "quota_exceeded",
      `${tasks_max} posted tasks are open, and there is no more room`,
    );
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

/** A task of the world's own: a mint → well formed → an id that no task has or had. */
export const decideOpenTask = (
  state: State,
  opening: Opening & { readonly at_ms: number },
): Decision => {
  const { at_ms, task, reward, description } = opening;
  if (!hasMint(state)) return refuse("not_found", "there is no mint in this world");
  const tests = readOpening(physicsOf(state), opening);
  if (typeof tests === "string") return refuse("invalid_argument", tests);
  if (state.tasks.has(task) || wholeOf(state).tasksOffered.includes(task)) {
    return refuse("already_exists", `the task "${task}" was offered already`);
  }
  const posted: Event = {
    at_ms,
    principal: null,
    kind: "task_posted",
    task,
    poster: null,
    reward,
    hold: null,
    description,
    public_tests: tests.open,
    hidden_tests: tests.hidden,
  };
  return accept([posted], { task, reward });
};

/** open → one's own. The reward comes back. */
export const decideWithdraw = (
  state: State,
  { by, task: id }: { readonly by: Subject; readonly task: string },
): Decision => {
  const task = openTask(state, id);
  if (task.kind !== "accepted") return task;
  const { poster, hold, reward } = task.answer;
  if (hold === null || poster !== by.actor) {
    return refuse("not_owner", `${id} was posted by ${poster ?? "the world"}, not by ${by.actor}`);
  }
  const events: readonly Event[] = [
    { ...stamp(by), kind: "task_withdrawn", task: id },
    { ...stamp(by), kind: "hold_released", hold, into: null },
  ];
  return accept(events, { task: id, refunded: reward });
};

export const openTask = (state: State, id: string): Decision<Task> => {
  const task = state.tasks.get(id);
  return task === undefined
    ? refuse("not_found", `no task "${id}" is open; genesis_mint.tasks() lists them`)
    : accept([], task);
};

type Page = { readonly max: number; readonly after?: string | null };

/**
 * The world's own first, then the best paid, then the oldest: cheap ones hide none of them. From
 * the first, or from behind an open one.
 */
export const openTasks = (state: State, { max, after = null }: Page): readonly Task[] => {
  const { board } = state.indexes;
  const last = after === null ? undefined : state.tasks.get(after);
  const isPosted = last !== undefined && last.poster !== null;
  const parts = isPosted ? [BOARD.posted] : [BOARD.world, BOARD.posted];
  const tasks: Task[] = [];
  for (const part of parts) tasks.push(...board.rowsOf(part, { after, max: max - tasks.length }));
  return tasks;
};

/** What others may know of a task: how many hidden tests it has, and nothing else of them. */
export const publicTask = (task: Task) => ({
  id: task.id,
  poster: task.poster,
  reward: task.reward,
  description: task.description,
  public_tests: task.publicTests,
  hidden_tests: task.hiddenTests.length,
  posted_at_ms: task.postedAt,
});

/** Why the reward of a task cannot be paid to anybody now, or null. */
export const unpayable = (state: State, task: Task): Refused | null =>
  task.hold === null && task.reward > mintable(wholeOf(state).supply)
    ? refuse("quota_exceeded", "with this reward there would be too much scrip to count")
    : null;
