import type { Artifact } from "../artifact/artifact.ts";
import { accept, type Decision, refuse } from "../core/decision.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import {
  RESOURCES,
  REVIEW_DEFAULTS,
  REVIEW_RULE,
  type Resource,
  type ReviewTerms,
  STANDING_TERMS,
} from "../core/physics.ts";
import { REFUSAL_CODES } from "../core/refusal.ts";
import * as is from "../core/shape.ts";
import { type Table, TableIndex } from "../core/tables.ts";
import { physicsOf } from "../core/world.ts";
import { LEDGER_ROW, type LedgerTables } from "../ledger/account.ts";
import type { Inbox } from "./inbox.ts";

export const AGENT_ROW = { ...LEDGER_ROW, agentsMade: is.amount, proposalsMade: is.amount };
export type AgentRow = is.RecordOf<typeof AGENT_ROW>;

export interface AgentTables extends LedgerTables {
  readonly world: Table<"world", AgentRow>;
  readonly agents: Table<Id, Agent>;
  readonly inboxes: Table<Id, Inbox>;
  readonly sleepers: Table<Id, Sleeper>;
  /** The agents that have terms of review other than those of the world. */
  readonly reviewed: Table<Id, ReviewedAgent>;
  /** The proposal of each agent whose action waits for a reviewer, or was accepted and is due. */
  readonly proposals: Table<Id, Proposal>;
  /** The number of memories that agents have recorded in each memory artifact. */
  readonly memories: Table<Id, number>;
  readonly indexes: LedgerTables["indexes"] & ReturnType<typeof agentIndexes>;
}

/** The type of memory artifacts. An agent recalls from the memory artifacts that it owns. */
export const MEMORY_TYPE = "memory";
export const WORKSPACE_TYPE = "workspace";

export const agentIndexes = (
  agents: Table<Id, Agent>,
  artifacts: Table<Id, Artifact>,
  families: Table<Id, Id>,
) => ({
  agentsOfFamily: new TableIndex(agents, { groupOf: ({ id }) => families.get(id) ?? null }),
  /** Memory artifacts, grouped by owner. The newest artifact comes first. */
  memoriesOf: new TableIndex(artifacts, {
    groupOf: ({ owner, type, deleted }) =>
      type === MEMORY_TYPE && deleted === null ? owner : null,
    rankOf: ({ ordinal }) => [-ordinal],
  }),
});

export const AGENT_STATES = [
  "running",
  "sleeping",
  "frozen",
  "paused",
  "in_review",
  "stopped",
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** The possible causes of a pause or stop, other than the agent's own mind. */
export const AGENT_CAUSES = ["operator", "schedule", "failures", "bankrupt"] as const;
export type AgentCause = (typeof AGENT_CAUSES)[number];

export const STEPS = ["think", "decide", "act"] as const;

/** The agent's next step: to think, to end its thought, or to execute its pending action. */
const DUE = is.record({ step: is.oneOf(STEPS), atMs: is.amount });
export type Due = is.Of<typeof DUE>;

/** A thought in progress. Its view shows the world at `sinceMs`. */
const ONGOING_THOUGHT = is.record({
  sinceMs: is.amount,
  /** The agent's epoch when the thought started. In another epoch the thought is outdated. */
  epoch: is.amount,
});

const ACTION_RECORD = {
  atMs: is.amount,
  action: is.text,
  target: is.nullable(is.text),
  method: is.nullable(is.text),
  ok: is.flag,
  /** Null after success, a failed thought, or the feedback of a reviewer. */
  code: is.nullable(is.oneOf(REFUSAL_CODES)),
  message: is.text,
};
export type ActionRecord = is.RecordOf<typeof ACTION_RECORD>;

/** The last action and its `result` as JSON text. `cut` is true if `result` was truncated. */
const LAST_RESULT = is.record({
  ...ACTION_RECORD,
  result: is.nullable(is.text),
  cut: is.flag,
  /** True if the action was not done, and `message` says why a reviewer did not accept it. */
  isFeedback: is.flag,
});
export type LastResult = is.Of<typeof LAST_RESULT>;

/** What a frozen agent can lack: model budget in micro-dollars, or the quota of a window. */
export const LACKS = ["llm_budget", ...RESOURCES] as const;
export type Lack = (typeof LACKS)[number];

/** The budget or quota that a frozen agent must have to continue, and since when it lacks this. */
const NEED = is.record({
  lacks: is.oneOf(LACKS),
  amount: is.amount,
  /** A hash of the settings that `amount` depends on. Null if it depends on nothing else. */
  terms: is.nullable(is.amount),
  sinceMs: is.amount,
});
export type Need = is.Of<typeof NEED>;

/** What a frozen agent needs, and how much budget or quota it has. */
export type Shortage = {
  readonly lacks: Lack;
  readonly needs: number;
  readonly has: number;
  /** As in `Need`. Absent if `needs` depends on nothing else. */
  readonly terms?: number;
};

/** Returns the reason of a frozen agent, such as `it has 5 micro-dollars; a thought costs 9`. */
export const whyFrozen = ({ lacks, needs, has, terms }: Shortage): string => {
  // An agent whose needs have terms could pay for a longer prompt, if it had more.
  const cost = terms === undefined ? needs : `at least ${needs}`;
  if (lacks === "llm_budget") return `it has ${has} micro-dollars; a thought costs ${cost}`;
  const uses = { cpu_gas: "a call", actions: "an action", bytes_written: "a write" };
  const use = lacks === "llm_calls" || lacks === "llm_tokens" ? "a thought" : uses[lacks];
  const never = `its quota of ${lacks} (${has}) can never pay for ${use} (${cost})`;
  return `${never}; it needs a transfer of quota`;
};

/** Returns the reason of an agent that waits for a window. */
export const whyLimited = (resource: Resource, untilMs: number): string =>
  `its window of ${resource} is used up; it waits until ${untilMs / 1_000} s`;

/**
 * What artifacts are worth to an agent, in whole scrip, by artifact id. These are induced values
 * (Smith 1976): the operator sets them, and no event of the world changes them. The kernel decides
 * nothing by them. Only the agent itself and the reports know them.
 */
export const PRIVATE_VALUES = is.byName(is.amount);
export type PrivateValues = is.Of<typeof PRIVATE_VALUES>;

export type AgentStateChange = {
  readonly to: AgentState;
  readonly reason: string;
  readonly cause?: AgentCause;
  readonly due_at_ms: number | null;
  /** The sleep that starts. Absent for all other changes. */
  readonly sleep?: Sleep;
};

export const NO_COUNTERS = {
  thoughts: 0,
  thoughtsFailed: 0,
  actions: 0,
  succeeded: 0,
  /** Consecutive failures of thoughts and actions. */
  errors: 0,
  spentMicros: 0,
};
const COUNTERS = is.record(is.fieldsLike(NO_COUNTERS, is.amount));

/** The events that can wake a sleeping agent: every public kind that concerns an agent. */
export const WAKING_KINDS = [
  "principal_created",
  "artifact_written",
  "artifact_read",
  "artifact_deleted",
  "ownership_transferred",
  "ownership_offered",
  "ownership_offer_ended",
  "dangling_contract",
  "artifact_invoked",
  "invocation_failed",
  "scrip_transferred",
  "scrip_minted",
  "hold_spent",
  "proceeds_shared",
  "compute_sold",
  "compute_bought",
  "budget_transferred",
  "quota_transferred",
  "delegation_granted",
  "delegation_revoked",
  "delegation_used",
  "action_refused",
  "agent_created",
  "agent_frozen",
  "agent_unfrozen",
  "agent_state_changed",
  "agent_handed_over",
  "agent_bankrupt",
  "bid_placed",
  "bid_cancelled",
  "auction_resolved",
  "artifact_scored",
  "scoring_failed",
  "task_posted",
  "task_solved",
  "task_withdrawn",
] as const;

const WAKE = is.either("a known condition", [
  /** Wakes on an event that concerns the sleeper. Auctions and tasks concern every agent. */
  is.record({ event: is.oneOf(WAKING_KINDS) }),
  is.record({ scrip_at_least: is.amount }),
  is.record({ llm_budget_at_least: is.amount }),
  /** Wakes when this amount of the resource is available in the agent's rolling window. */
  is.record({ resource: is.oneOf(RESOURCES), available: is.amount }),
]);
export type Wake = is.Of<typeof WAKE>;

export const WAKES_MAX = 8;

/** A sleep that an agent requests with its action. `sleep_max_ms` limits `for_ms`. */
const SLEEP = is.record({ for_ms: is.amount, until: is.list(WAKE) });
export type Sleep = is.Of<typeof SLEEP>;

/** The state of an agent's loop. The kernel stores `mind` and does not read it. */
export const AGENT = is.record({
  id: is.id,
  /** Order of creation; breaks ties between agents due at the same time. */
  order: is.amount,
  /** A label by which reports sum up agents, or null. The kernel decides nothing by it. */
  group: is.nullable(is.text),
  /** The addresses to which the agent may send messages. Null: all. */
  contacts: is.nullable(is.list(is.id)),
  values: PRIVATE_VALUES,
  state: is.oneOf(AGENT_STATES),
  reason: is.text,
  cause: is.nullable(is.oneOf(AGENT_CAUSES)),
  due: is.nullable(DUE),
  /** Null unless a language model thinks in simulated time. */
  thinking: is.nullable(ONGOING_THOUGHT),
  /** The action that the mind decided, in the mind's format. Null if no action is pending. */
  pending: is.json,
  /** Why the mind decided the pending action. Empty unless the agent's actions are reviewed. */
  reasoning: is.text,
  /** The sleep that starts after the pending action. Null if the agent requested no sleep. */
  sleep: is.nullable(SLEEP),
  /** A thought is valid only if `epoch` has not changed since the thought started. */
  epoch: is.amount,
  /** Null if the agent is not frozen. */
  needs: is.nullable(NEED),
  /** The resource whose window has too little for the next thought. Null if the agent can think. */
  waitsFor: is.nullable(is.oneOf(RESOURCES)),
  delayMs: is.amount,
  counters: COUNTERS,
  actions: is.list(is.record(ACTION_RECORD)),
  failures: is.list(is.record(ACTION_RECORD)),
  last: is.nullable(LAST_RESULT),
  /** The memories of the agent's first `remembered` actions are complete. */
  remembered: is.amount,
  mind: is.json,
});
export type Agent = is.Of<typeof AGENT>;

/** A sleeping agent that waits for a condition. The agent does not wake before `earliestMs`. */
export const SLEEPER = is.record({ agent: is.id, until: is.list(WAKE), earliestMs: is.amount });
export type Sleeper = is.Of<typeof SLEEPER>;

/** A proposal waits, or its action is accepted, as it was or edited, and is executed next. */
export const PROPOSAL_STAGES = ["waits", "accepted", "edited"] as const;

/** An action that waits for a reviewer, or that a reviewer has accepted and that is due. */
export const PROPOSAL = is.record({
  agent: is.id,
  /** Counted from 1 for the whole world. */
  number: is.amount,
  atMs: is.amount,
  /** In the mind's format, as it was proposed or as a reviewer edited it. */
  action: is.json,
  reasoning: is.text,
  /** The most scrip that the action could cost, when it was proposed or accepted. */
  cost: is.amount,
  /** The sleep that starts after the action. */
  sleep: is.nullable(SLEEP),
  stage: is.oneOf(PROPOSAL_STAGES),
});
export type Proposal = is.Of<typeof PROPOSAL>;

/** The two kinds of memory: what the agent did, and what the agent observed. */
export const MEMORY_KINDS = ["action", "observation"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** The terms of one agent. Null: as in the physics of the world. */
export const OWN_REVIEW_TERMS = {
  review: is.nullable(REVIEW_RULE),
  review_default: is.nullable(is.oneOf(REVIEW_DEFAULTS)),
};
export type OwnReviewTerms = is.RecordOf<typeof OWN_REVIEW_TERMS>;

/** What the operator sets for one agent, and no agent can write. */
export const AGENT_TERMS = {
  /** A label by which reports sum up agents, or null. */
  group: is.nullable(is.text),
  /** The addresses to which the agent may send messages. Absent: all. */
  contacts: is.optional(is.list(is.id)),
  /** What artifacts are worth to the agent. Absent: it values none. */
  values: is.optional(PRIVATE_VALUES),
  /** The standing order that the agent starts with. Absent: the default of the world. */
  standing: is.optional(STANDING_TERMS),
  /** Absent: the terms of the world. */
  review: is.optional(is.record(OWN_REVIEW_TERMS)),
};
export type AgentTerms = is.RecordOf<typeof AGENT_TERMS>;
/** The terms that the agent's row has. The others have tables of their own. */
export type BornTerms = Pick<AgentTerms, "group" | "contacts" | "values">;

export const REVIEWED = is.record({ agent: is.id, ...OWN_REVIEW_TERMS });
export type ReviewedAgent = is.Of<typeof REVIEWED>;

/** The agent with this id, or the refusal that there is none. */
export const findAgent = (state: AgentTables, id: Id): Decision<Agent> => {
  const agent = state.agents.get(id);
  return agent === undefined ? refuse("not_found", `"${id}" is not an agent`) : accept([], agent);
};

/**
 * The terms of an agent. They are not part of the configuration that agents write, so no agent can
 * change them.
 */
export const reviewTermsOf = (state: AgentTables, id: Id): ReviewTerms => {
  const { review, review_default } = physicsOf(state).agents;
  const own = state.reviewed.get(id);
  return { review: own?.review ?? review, review_default: own?.review_default ?? review_default };
};

/**
 * The answer to a proposal. `most` is the most scrip that an accepted action may cost (default: what
 * it can cost now). `feedback` refuses the action, and the agent learns the text.
 */
export type ReviewDecision =
  | { readonly kind: "accept"; readonly most?: number }
  | { readonly kind: "edit"; readonly action: Json }
  | { readonly kind: "feedback"; readonly text: string };

/** Who decided: a reviewer, or the default, because no reviewer answered. */
export type Decider = "reviewer" | "default";
