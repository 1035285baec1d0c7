import {
  ACTION_KINDS,
  cutText,
  isObject,
  type Json,
  type JsonObject,
  jsonProblem,
  type MarketListing,
  type View,
} from "../kernel/index.ts";
import { successRate } from "./built-ins.ts";

export type Mindful = {
  readonly memories: readonly { readonly text: string; readonly atMs: number }[];
  readonly workingMemory: unknown;
};

type ActionRecord = View["agent"]["actions"][number];

type Variable = {
  readonly name: string;
  readonly says: string;
  /** True if the value may hold text of other agents. Prompts fence such a value as data. */
  readonly foreign: boolean;
  /** The fields of the value, or null if the value is not an object with fixed fields. */
  readonly fields: readonly string[] | null;
  /** True for a number, a text or true or false: such a value has no parts. */
  readonly isSingle: boolean;
  /** The fields of each item if the value is a list, otherwise null. */
  readonly items: readonly string[] | null;
  /** Reads the value from the view. Null if the workflow keeps the value itself. */
  readonly of: ((view: View, mindful: Mindful) => Json) | null;
};

const LISTED_MAX = 30;
const DESCRIPTION_CHARS = 200;
const MESSAGE_CHARS = 300;

const seconds = (ms: number): number => Math.round(ms / 1000);

type Shape = Partial<Pick<Variable, "fields" | "isSingle" | "items">>;

/** A single value without text of other agents, unless `shape` says otherwise. */
const own = (name: string, says: string, of: Variable["of"], shape: Shape = {}): Variable => ({
  name,
  says,
  foreign: false,
  fields: null,
  isSingle: true,
  items: null,
  of,
  ...shape,
});

/** A value with parts, which may hold text of other agents. */
const foreign = (name: string, says: string, of: Variable["of"], shape: Shape = {}): Variable => ({
  ...own(name, says, of, { isSingle: false, ...shape }),
  foreign: true,
});

const PARTS: Shape = { isSingle: false };
const listOf = (...items: readonly string[]): Shape => ({ isSingle: false, items });

/** The records of actions. The history also records failed thoughts, as action `think`. */
const acted = (records: readonly ActionRecord[]): readonly ActionRecord[] =>
  records.filter(({ action }) => ACTION_KINDS.some((kind) => kind === action));

const picked = <Name extends string>(
  from: { readonly [N in Name]: Json },
  names: readonly Name[],
): JsonObject => Object.fromEntries(names.map((name) => [name, from[name]]));

const ACTION_FIELDS = ["action", "target", "method", "ok", "code"] as const;

const actionOf = (record: ActionRecord) => picked(record, ACTION_FIELDS);

const resultOf = ({ agent: { last } }: View): Json =>
  last === null ? null : { message: cutText(last.message, MESSAGE_CHARS), result: last.result };

const OWN_GOOD_FIELDS = ["id", "executable", "price", "calls", "revenue"] as const;

const PLAIN_GOOD_FIELDS = ["id", "type", "owner", "price", "read_price", "methods"] as const;
const GOOD_FIELDS = [...PLAIN_GOOD_FIELDS, "description", "calls", "revenue"] as const;

const goodOf = (listing: MarketListing) => ({
  ...picked(listing, PLAIN_GOOD_FIELDS),
  description: cutText(listing.description, DESCRIPTION_CHARS),
  calls: listing.calls,
  revenue: listing.revenue,
});

/** Returns the working memory as JSON, or null if the memory is too large or not plain data. */
const workingMemoryOf = ({ workingMemory }: Mindful): Json => {
  if (jsonProblem(workingMemory, 12) !== null) return null;
  const text = JSON.stringify(workingMemory);
  return text.length > 16_000 ? null : JSON.parse(text);
};

const goalOf = (mindful: Mindful): Json => {
  const memory = workingMemoryOf(mindful);
  const goal = isObject(memory) ? memory.current_goal : null;
  return typeof goal === "string" ? cutText(goal, MESSAGE_CHARS) : null;
};

/** Every variable that a workflow has from the start, in the order of the documentation. */
export const VARIABLES: readonly Variable[] = [
  own("agent_id", "the agent's own name", ({ id }) => id),
  own("balance", "the scrip that the agent can spend", ({ account }) => account.scrip),
  own(
    "llm_budget_usd",
    "the agent's remaining model budget, in dollars",
    ({ account }) => account.llmBudgetMicros / 1_000_000,
  ),
  own("now_s", "seconds since the start of the run", ({ now }) => seconds(now)),
  own("time_left_s", "seconds until the run ends", ({ now, horizonMs }) =>
    seconds(Math.max(0, horizonMs - now)),
  ),
  own("progress_percent", "how much of the run has passed, from 0 to 100", ({ now, horizonMs }) =>
    horizonMs <= 0 ? 100 : Math.min(100, Math.floor((now / horizonMs) * 100)),
  ),
  own("iteration", "how many times this workflow has run, including this time", null),
  own("state", "the current state of the workflow; null if the workflow has no states", null),
  own(
    "steps",
    "the results of the steps by the name of the step, such as `steps.plan`",
    null,
    PARTS,
  ),
  own("counters", "the counters of the built-in `count`, such as `counters.tries`", null, PARTS),
  own(
    "actions_taken",
    "how many actions the agent has taken",
    ({ agent }) => agent.counters.actions,
  ),
  own(
    "successful_actions",
    "how many of the agent's actions succeeded",
    ({ agent }) => agent.counters.succeeded,
  ),
  own(
    "failed_actions",
    "how many of the agent's actions failed",
    ({ agent }) => agent.counters.actions - agent.counters.succeeded,
  ),
  own(
    "success_rate",
    "the share of `recent_actions` that succeeded, from 0 to 1; 1 if there are no actions",
    ({ agent }) => successRate(acted(agent.actions)),
  ),
  own(
    "recent_actions",
    "the agent's latest actions, oldest first; fields: action, target, method, ok, code",
    ({ agent }) => acted(agent.actions).map(actionOf),
    listOf(...ACTION_FIELDS),
  ),
  own(
    "last_action",
    "the latest of `recent_actions`, or null",
    ({ agent }) => acted(agent.actions).map(actionOf).at(-1) ?? null,
    { ...PARTS, fields: ACTION_FIELDS },
  ),
  foreign(
    "last_result",
    "the result of the agent's latest thought or action; fields: message, result",
    resultOf,
    { fields: ["message", "result"] },
  ),
  foreign(
    "failures",
    "the latest failed actions and thoughts (action `think`), oldest first; " +
      "fields: as in `recent_actions`, and message",
    ({ agent }) =>
      agent.failures.map((record) => ({
        ...actionOf(record),
        message: cutText(record.message, MESSAGE_CHARS),
      })),
    listOf(...ACTION_FIELDS, "message"),
  ),
  own(
    "my_artifacts",
    "artifacts of the agent, newest first; fields: id, executable, price, calls, revenue",
    ({ owned }) => owned.slice(0, LISTED_MAX).map((listing) => picked(listing, OWN_GOOD_FIELDS)),
    listOf(...OWN_GOOD_FIELDS),
  ),
  foreign(
    "market",
    "offers of others: id, type, owner, price, read_price, methods, description, calls, revenue",
    ({ market }) => market.slice(0, LISTED_MAX).map(goodOf),
    listOf(...GOOD_FIELDS),
  ),
  own(
    "other_agents",
    "the names of other agents and programs with an account",
    ({ principals }) => principals.slice(0, LISTED_MAX),
    listOf(),
  ),
  own("mint_open", "whether an auction of the mint accepts bids now", ({ mint }) => mint.open),
  foreign(
    "tasks",
    "open tasks; fields: id, reward, description, public_tests",
    ({ tasks }) =>
      tasks.slice(0, LISTED_MAX).map(({ id, reward, description, public_tests }) => {
        return { id, reward, description: cutText(description, DESCRIPTION_CHARS), public_tests };
      }),
    listOf("id", "reward", "description", "public_tests"),
  ),
  foreign(
    "memories",
    "memories that the agent recalled, most relevant first; fields: text, at_s",
    (_view, { memories }) =>
      memories
        .slice(0, LISTED_MAX)
        .map(({ text, atMs }) => ({ text: cutText(text, 500), at_s: seconds(atMs) })),
    listOf("text", "at_s"),
  ),
  foreign("working_memory", "the agent's working memory, or null", (_view, mindful) =>
    workingMemoryOf(mindful),
  ),
  foreign(
    "goal",
    "the field `current_goal` of working memory, or null",
    (_view, mindful) => goalOf(mindful),
    { isSingle: true },
  ),
];

export const workflowVariables = (view: View, mindful: Mindful): JsonObject =>
  Object.fromEntries(
    VARIABLES.flatMap(({ name, of }) => (of === null ? [] : [[name, of(view, mindful)] as const])),
  );
