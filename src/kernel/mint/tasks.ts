import { mintable } from "../account.ts";
import { AMOUNT_RULE, isAmount } from "../amount.ts";
import { accept, type Decision, type Refused, refuse } from "../decision.ts";
import type { Event } from "../event.ts";
import { asHoldId, ID_RULE, parseId } from "../ids.ts";
import { rootOf } from "../lineage.ts";
import { physicsOf, type State, wholeOf } from "../state.ts";
import { type Subject, stamp } from "../subject.ts";
import { hasMint } from "./status.ts";
import { readTask, type Task, type TaskText } from "./task.ts";

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
  const { tasksMade, holdsMade } = wholeOf(state);
  // A colon is in no id, so that no task of the world's own can have this one.
  const task = `task:${tasksMade + 1}`;
  const hold = asHoldId(`task:${holdsMade + 1}`);
  const events: readonly Event[] = [
    {
      ...stamp(by),
      kind: "scrip_held",
      hold,
      from: by.actor,
      amount: reward,
      purpose: { kind: "task", task },
    },
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
  const posted = [...state.tasks.rows()].filter(({ poster }) => poster !== null);
  if (posted.length >= tasks_max) {
    return refuse(
      "quota_exceeded",
      `${tasks_max} posted tasks are open, and there is no more room`,
    );
  }
  const each = Math.ceil(tasks_max / FAMILY_PART);
  const family = rootOf(state, by.actor);
  const own = posted.filter(({ poster }) => poster !== null && rootOf(state, poster) === family);
  return own.length < each
    ? null
    : refuse(
        "quota_exceeded",
        `the family of ${family} has ${each} tasks open; withdraw one first`,
      );
};

type Opening = TaskText & {
  readonly at_ms: number;
  readonly task: string;
  readonly reward: number;
};

/** A task of the world's own: a mint → an id → that nobody has → an amount → well formed. */
export const decideOpenTask = (state: State, opening: Opening): Decision => {
  const { at_ms, task, reward, description } = opening;
  if (!hasMint(state)) return refuse("not_found", "there is no mint in this world");
  if (parseId(task) === null) return refuse("invalid_argument", `"${task}": ${ID_RULE}`);
  if (state.tasks.has(task)) return refuse("already_exists", `a task "${task}" is open`);
  if (!isAmount(reward)) return refuse("invalid_argument", `the reward: ${AMOUNT_RULE}`);
  const tests = readTask(physicsOf(state), opening);
  if (typeof tests === "string") return refuse("invalid_argument", tests);
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

/** The world's own first, then the best paid, then the oldest: cheap ones hide none of them. */
export const openTasks = (state: State): readonly Task[] =>
  [...state.tasks.rows()].sort(
    (a, b) =>
      Number(a.poster !== null) - Number(b.poster !== null) ||
      b.reward - a.reward ||
      a.postedAt - b.postedAt ||
      (a.id < b.id ? -1 : 1),
  );

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
