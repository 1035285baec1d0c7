import {
  ACTION_KINDS,
  cutText,
  isObject,
  type Json,
  jsonProblem,
  type Offering,
  type View,
} from "../../kernel/index.ts";
import { successRate } from "./built-in/metrics.ts";

/** What an agent knows beside what it sees of the world. */
export type Mindful = {
  /** What came to its mind, nearest first. */
  readonly memories: readonly { readonly text: string; readonly atMs: number }[];
  /** Its working memory, whatever that is; null for none. */
  readonly workingMemory: unknown;
};

type Deed = View["agent"]["deeds"][number];

export type Variables = { readonly [name: string]: Json };

/** A variable that every workflow knows. */
type Variable = {
  readonly name: string;
  readonly says: string;
  /** True where others' words may stand in it: in a prompt it is fenced as data. */
  readonly foreign: boolean;
  /** The fields that an object has; null for other values. */
  readonly fields: readonly string[] | null;
  /** Null for what the workflow keeps itself. */
  readonly of: ((view: View, mindful: Mindful) => Json) | null;
};

const LISTED_MAX = 30;
const DESCRIPTION_CHARS = 200;
const MESSAGE_CHARS = 300;
const RESULT_CHARS = 2_000;
const WORKING_MEMORY_CHARS_MAX = 16_000;
const MEMORY_CHARS = 500;
const JSON_DEPTH_MAX = 12;

const seconds = (ms: number): number => Math.round(ms / 1000);

const own = (name: string, says: string, of: Variable["of"]): Variable => ({
  name,
  says,
  foreign: false,
  fields: null,
  of,
});
const foreign = (name: string, says: string, of: Variable["of"]): Variable => ({
  ...own(name, says, of),
  foreign: true,
});

/** Thoughts that failed stand in the history too; they are no actions. */
const acted = (deeds: readonly Deed[]): readonly Deed[] =>
  deeds.filter(({ action }) => ACTION_KINDS.some((kind) => kind === action));

const deedOf = ({ action, target, method, ok, code }: Deed) => ({
  action,
  target,
  method,
  ok,
  code,
});

const lastOf = ({ agent }: View): Json => {
  const deed = acted(agent.deeds).at(-1);
  return deed === undefined ? null : deedOf(deed);
};

const resultOf = ({ agent: { last } }: View): Json =>
  last === null
    ? null
    : {
        message: cutText(last.message, MESSAGE_CHARS),
        result: last.result === null ? null : cutText(last.result, RESULT_CHARS),
      };

const ownGood = ({ id, executable, price, calls, revenue }: Offering) => ({
  id,
  executable,
  price,
  calls,
  revenue,
});

const good = (offering: Offering) => {
  const { id, type, owner, price, read_price, methods, description, calls, revenue } = offering;
  const about = cutText(description, DESCRIPTION_CHARS);
  return { id, type, owner, price, read_price, methods, description: about, calls, revenue };
};

/** Working memory as plain data; what is too much or no data is not taken in. */
const workingMemoryOf = ({ workingMemory }: Mindful): Json => {
  if (jsonProblem(workingMemory, JSON_DEPTH_MAX) !== null) return null;
  const text = JSON.stringify(workingMemory);
  return text.length > WORKING_MEMORY_CHARS_MAX ? null : JSON.parse(text);
};

const goalOf = (mindful: Mindful): Json => {
  const memory = workingMemoryOf(mindful);
  const goal = isObject(memory) ? memory.current_goal : null;
  return typeof goal === "string" ? cutText(goal, MESSAGE_CHARS) : null;
};

/** Every variable that a workflow knows from the start, in the order of the documentation. */
export const VARIABLES: readonly Variable[] = [
  own("agent_id", "its own name", ({ id }) => id),
  own("balance", "scrip that it can spend", ({ account }) => account.scrip),
  own(
    "llm_budget_usd",
    "model money that it has left, in dollars",
    ({ account }) => account.llmBudgetMicros / 1_000_000,
  ),
  own("now_s", "seconds since the start of the run", ({ now }) => seconds(now)),
  own("time_left_s", "seconds until the run is to end", ({ now, horizonMs }) =>
    seconds(Math.max(0, horizonMs - now)),
  ),
  own("progress_percent", "how much of the run has passed, from 0 to 100", ({ now, horizonMs }) =>
    horizonMs <= 0 ? 100 : Math.min(100, Math.floor((now / horizonMs) * 100)),
  ),
  own("iteration", "how often this workflow has run, this time included", null),
  own("state", "the state it is in; null without states", null),
  own("counters", "the counters of its `count` steps, as in `counters.tries`", null),
  own("actions_taken", "how often it has acted", ({ agent }) => agent.counters.actions),
  own("successful_actions", "how often with success", ({ agent }) => agent.counters.succeeded),
  own(
    "failed_actions",
    "how often without",
    ({ agent }) => agent.counters.actions - agent.counters.succeeded,
  ),
  own(
    "success_rate",
    "the share of `recent_actions` that succeeded, from 0 to 1; 1 where there are none",
    ({ agent }) => successRate(acted(agent.deeds)),
  ),
  own(
    "recent_actions",
    "its latest actions, oldest first: action, target, method, ok, code",
    ({ agent }) => acted(agent.deeds).map(deedOf),
  ),
  {
    ...own("last_action", "the latest of them, or null", lastOf),
    fields: ["action", "target", "method", "ok", "code"],
  },
  {
    ...foreign(
      "last_result",
      "what came of its latest thought or action: message, result",
      resultOf,
    ),
    fields: ["message", "result"],
  },
  foreign(
    "failures",
    "its latest failed actions, oldest first: as `recent_actions`, and message",
    ({ agent }) =>
      acted(agent.failures).map((deed) => ({
        ...deedOf(deed),
        message: cutText(deed.message, MESSAGE_CHARS),
      })),
  ),
  own(
    "my_artifacts",
    "what it owns, newest first: id, executable, price, calls, revenue",
    ({ owned }) => owned.slice(0, LISTED_MAX).map(ownGood),
  ),
  foreign(
    "market",
    "what others offer: id, type, owner, price, read_price, methods, description, calls, revenue",
    ({ market }) => market.slice(0, LISTED_MAX).map(good),
  ),
  own("other_agents", "the names of others who have an account", ({ principals }) =>
    principals.slice(0, LISTED_MAX),
  ),
  own("mint_open", "whether an auction of the mint takes bids", ({ mint }) => mint.open),
  foreign("tasks", "open tasks: id, reward, description, public_tests", ({ tasks }) =>
    tasks.slice(0, LISTED_MAX).map(({ id, reward, description, public_tests }) => ({
      id,
      reward,
      description: cutText(description, DESCRIPTION_CHARS),
      public_tests,
    })),
  ),
  foreign("memories", "what came to its mind, nearest first: text, at_s", (_view, { memories }) =>
    memories
      .slice(0, LISTED_MAX)
      .map(({ text, atMs }) => ({ text: cutText(text, MEMORY_CHARS), at_s: seconds(atMs) })),
  ),
  foreign("working_memory", "its working memory; null for none", (_view, mindful) =>
    workingMemoryOf(mindful),
  ),
  foreign("goal", "`current_goal` of its working memory, or null", (_view, mindful) =>
    goalOf(mindful),
  ),
];

/** All but what the workflow keeps itself, as things stand. */
export const workflowVariables = (view: View, mindful: Mindful): Variables =>
  Object.fromEntries(
    VARIABLES.flatMap(({ name, of }) => (of === null ? [] : [[name, of(view, mindful)] as const])),
  );
