import type { Artifact } from "../artifact/artifact.ts";
import type { Id } from "../core/ids.ts";
import type { Json } from "../core/json.ts";
import { RESOURCES, type Resource, type ReviewTerms } from "../core/physics.ts";
import type { RefusalCode } from "../core/refusal.ts";
import { type Table, TableIndex } from "../core/tables.ts";
import { physicsOf } from "../core/world.ts";
import type { LedgerRow, LedgerTables } from "../ledger/account.ts";
import type { Inbox } from "./inbox.ts";

export interface AgentRow extends LedgerRow {
  readonly agentsMade: number;
  readonly proposalsMade: number;
}

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
export type Due = { readonly step: (typeof STEPS)[number]; readonly atMs: number };

/** A thought in progress. Its view shows the world at `sinceMs`. */
export type OngoingThought = {
  readonly sinceMs: number;
  /** The agent's epoch when the thought started. In another epoch the thought is outdated. */
  readonly epoch: number;
};

export type ActionRecord = {
  readonly atMs: number;
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly ok: boolean;
  /** Null after success, a failed thought, or the feedback of a reviewer. */
  readonly code: RefusalCode | null;
  readonly message: string;
};

/** The last action and its `result` as JSON text. `cut` is true if `result` was truncated. */
export type LastResult = ActionRecord & {
  readonly result: string | null;
  readonly cut: boolean;
  /** True if the action was not done, and `message` says why a reviewer did not accept it. */
  readonly isFeedback: boolean;
};

/** What a frozen agent can lack: model budget in micro-dollars, or the quota of a window. */
export const LACKS = ["llm_budget", ...RESOURCES] as const;
export type Lack = (typeof LACKS)[number];

/** The budget or quota that a frozen agent must have to continue, and since when it lacks this. */
export type Need = {
  readonly lacks: Lack;
  readonly amount: number;
  /** A hash of the settings that `amount` depends on. Null if it depends on nothing else. */
  readonly terms: number | null;
  readonly sinceMs: number;
};

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
export type PrivateValues = { readonly [artifact: string]: number };

export type AgentStateChange = {
  readonly to: AgentState;
  readonly reason: string;
  readonly cause?: AgentCause;
  readonly due_at_ms: number | null;
  /** The sleep that starts. Absent for all other changes. */
  readonly sleep?: Sleep;
};

/** The state of an agent's loop. The kernel stores `mind` and does not read it. */
export type Agent = {
  readonly id: Id;
  /** Order of creation; breaks ties between agents due at the same time. */
  readonly order: number;
  /** A label by which reports sum up agents, or null. The kernel decides nothing by it. */
  readonly group: string | null;
  /** The addresses to which the agent may send messages. Null: all. */
  readonly contacts: readonly Id[] | null;
  readonly values: PrivateValues;
  readonly state: AgentState;
  readonly reason: string;
  readonly cause: AgentCause | null;
  readonly due: Due | null;
  /** Null unless a language model thinks in simulated time. */
  readonly thinking: OngoingThought | null;
  /** The action that the mind decided, in the mind's format. Null if no action is pending. */
  readonly pending: Json;
  /** Why the mind decided the pending action. Empty unless the agent's actions are reviewed. */
  readonly reasoning: string;
  /** The sleep that starts after the pending action. Null if the agent requested no sleep. */
  readonly sleep: Sleep | null;
  /** A thought is valid only if `epoch` has not changed since the thought started. */
  readonly epoch: number;
  /** Null if the agent is not frozen. */
  readonly needs: Need | null;
  /** The resource whose window has too little for the next thought. Null if the agent can think. */
  readonly waitsFor: Resource | null;
  readonly delayMs: number;
  readonly counters: Counters;
  readonly actions: readonly ActionRecord[];
  readonly failures: readonly ActionRecord[];
  readonly last: LastResult | null;
  /** The memories of the agent's first `remembered` actions are complete. */
  readonly remembered: number;
  readonly mind: Json;
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
export type Counters = Readonly<typeof NO_COUNTERS>;

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
type WakingKind = (typeof WAKING_KINDS)[number];

export type Wake =
  /** Wakes on an event that concerns the sleeper. Auctions and tasks concern every agent. */
  | { readonly event: WakingKind }
  | { readonly scrip_at_least: number }
  | { readonly llm_budget_at_least: number }
  /** Wakes when this amount of the resource is available in the agent's rolling window. */
  | { readonly resource: Resource; readonly available: number };

export const WAKES_MAX = 8;

/** A sleep that an agent requests with its action. `sleep_max_ms` limits `for_ms`. */
export type Sleep = { readonly for_ms: number; readonly until: readonly Wake[] };

/** A sleeping agent that waits for a condition. The agent does not wake before `earliestMs`. */
export type Sleeper = {
  readonly agent: Id;
  readonly until: readonly Wake[];
  readonly earliestMs: number;
};

/** A proposal waits, or its action is accepted, as it was or edited, and is executed next. */
export const PROPOSAL_STAGES = ["waits", "accepted", "edited"] as const;

/** An action that waits for a reviewer, or that a reviewer has accepted and that is due. */
export type Proposal = {
  readonly agent: Id;
  /** Counted from 1 for the whole world. */
  readonly number: number;
  readonly atMs: number;
  /** In the mind's format, as it was proposed or as a reviewer edited it. */
  readonly action: Json;
  readonly reasoning: string;
  /** The most scrip that the action can cost, when it was proposed. */
  readonly cost: number;
  /** The sleep that starts after the action. */
  readonly sleep: Sleep | null;
  readonly stage: (typeof PROPOSAL_STAGES)[number];
};

/** The two kinds of memory: what the agent did, and what the agent observed. */
export const MEMORY_KINDS = ["action", "observation"] as const;
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** The terms of one agent. Null: as in the physics of the world. */
export type OwnReviewTerms = { readonly [K in keyof ReviewTerms]: ReviewTerms[K] | null };
export type ReviewedAgent = OwnReviewTerms & { readonly agent: Id };

/**
 * The terms of an agent. They are not part of the configuration that agents write, so no agent can
 * change them.
 */
export const reviewTermsOf = (state: AgentTables, id: Id): ReviewTerms => {
  const { review, review_default } = physicsOf(state).agents;
  const own = state.reviewed.get(id);
  return { review: own?.review ?? review, review_default: own?.review_default ?? review_default };
};

/** The answer to a proposal. `feedback` refuses the action, and the agent learns the text. */
export type ReviewDecision =
  | { readonly kind: "accept" }
  | { readonly kind: "edit"; readonly action: Json }
  | { readonly kind: "feedback"; readonly text: string };

/** Who decided: a reviewer, or the default, because no reviewer answered. */
export type Decider = "reviewer" | "default";
