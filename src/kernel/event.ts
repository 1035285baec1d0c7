import type { WriteRequest } from "./action/action.ts";
import type { AgentCause, AgentState, MemoryKind, Shortage, Sleep } from "./agent/agent.ts";
import type { Purpose } from "./ledger/account.ts";
import type { TaskTest } from "./mint/mint-state.ts";
import type { HoldId, Id } from "./primitives/ids.ts";
import type { Json } from "./primitives/json.ts";
import type { Patch } from "./primitives/patch.ts";
import type { PrngState } from "./primitives/prng.ts";
import type { RefusalCode } from "./refusal.ts";
import type { Physics, Quotas, Resource } from "./setup/physics.ts";

/**
 * A fact about the world. Journals and agents receive events, so the keys are those of the wire
 * format. `principal` caused the event, directly or through code that it invoked. `principal` is
 * null if the world itself caused the event. `by` and `caller` are the immediate actors.
 */
export type Event = EventFor<EventKind>;
export type EventKind = keyof EventFields;
export type EventOf<K extends EventKind> = Extract<Event, { readonly kind: K }>;
/** The same type as `EventOf`, in a form that lets TypeScript index a table by event kind. */
export type EventFor<K extends EventKind> = {
  [P in K]: Stamp & { readonly kind: P } & Readonly<EventFields[P]>;
}[K];

/** When an event happened, in ms of run time, and the principal that caused it. */
export type Stamp = { readonly at_ms: number; readonly principal: Id | null };

type EventFields = WorldEvents &
  ArtifactEvents &
  InvocationEvents &
  MoneyEvents &
  MintEvents &
  AgentEvents;

type WorldEvents = {
  world_created: { physics: Physics };
  physics_amended: { physics: Physics };
  principal_created: {
    id: Id;
    scrip: number;
    llm_budget_micros: number;
    disk_quota: number;
    quotas: Quotas;
    parent: Id | null;
  };
  random_drawn: { draws: number; prng: PrngState };
};

export type WrittenFields = Omit<WriteRequest, "artifact_id" | "artifact_type" | "max_price"> & {
  readonly type?: string;
  readonly methods?: readonly string[];
  /** Fingerprint for comparing code; empty if the code was removed. */
  readonly print?: string;
  readonly can_execute?: true;
  readonly memory_artifact_id?: Id;
};

type OwnershipChange = { artifact_id: Id; from: Id; to: Id };

type ArtifactEvents = {
  artifact_written: {
    artifact_id: Id;
    by: Id;
    owner: Id;
    created: boolean;
    version: number;
    size_bytes: number;
    fields: WrittenFields;
  };
  artifact_read: { artifact_id: Id; by: Id; version: number; price: number };
  artifact_deleted: { artifact_id: Id; by: Id };
  artifact_state_changed: { artifact_id: Id; state: string; size_bytes: number };
  ownership_transferred: OwnershipChange;
  ownership_offered: OwnershipChange;
  ownership_offer_ended: OwnershipChange;
  dangling_contract: { artifact_id: Id; contract: Id };
};

type Invocation = { artifact_id: Id; method: string; caller: Id; depth: number; gas: number };

type InvocationEvents = {
  artifact_invoked: Invocation & {
    price: number;
    paid_to: Id | null;
    log?: string;
    /** The agents that the arguments name, if the call changed the program's state. */
    named?: readonly Id[];
  };
  invocation_failed: Invocation & {
    code: RefusalCode;
    message: string;
    timed_out: boolean;
    log?: string;
  };
};

export type Reason =
  | "transfer"
  | "price"
  | "read_price"
  | "access"
  | "attached"
  | "pay"
  | "charge"
  | "spawn"
  | "mint_share"
  | "task";

type MoneyEvents = {
  scrip_transferred: {
    from: Id;
    to: Id;
    amount: number;
    reason: Reason;
    artifact_id?: Id;
    memo?: string;
  };
  scrip_minted: { to: Id; amount: number; reason: string };
  scrip_burned: { from: Id; amount: number; reason: string };
  scrip_held: { hold: HoldId; from: Id; amount: number; purpose: Purpose };
  hold_split: { hold: HoldId; into: HoldId; amount: number; purpose: Purpose };
  hold_spent: {
    hold: HoldId;
    to: Id | null;
    amount: number;
    reason: Reason | "burned";
    artifact_id?: Id;
  };
  hold_released: { hold: HoldId; into: HoldId | null };
  budget_transferred: { from: Id; to: Id; micros: number };
  quota_transferred: { from: Id; to: Id; resource: Resource | "disk"; amount: number };
  delegation_granted: { grantor: Id; contract: Id; max_per_call: number; max_per_window: number };
  delegation_revoked: { grantor: Id; contract: Id };
  delegation_used: { grantor: Id; contract: Id; amount: number };
};

/** `principal` is the bidder, solver or poster, or null if the world itself acts. */
type MintEvents = {
  bid_placed: {
    submission: string;
    artifact_id: Id;
    bidder: Id;
    amount: number;
    hold: HoldId;
    auction: number;
    /** The artifact's version at the time of the bid. A later version voids the bid. */
    version: number;
  };
  bid_cancelled: { submission: string; artifact_id: Id };
  auction_resolved: {
    auction: number;
    price: number;
    /** Ids of the winning submissions, the highest bid first. */
    won: readonly string[];
    lost: readonly string[];
    /** Ids of submissions whose artifact was deleted or changed. */
    void: readonly string[];
  };
  artifact_scored: {
    submission: string;
    artifact_id: Id;
    score: number;
    minted: number;
    reason: string;
    /** The scorer's own notes for the next time that it scores this artifact. */
    memo: Json;
  };
  scoring_failed: { submission: string; artifact_id: Id; reason: string };
  task_posted: {
    task: string;
    /** The poster of the task. Null if the world posted the task and mints the reward. */
    poster: Id | null;
    reward: number;
    hold: HoldId | null;
    description: string;
    public_tests: readonly TaskTest[];
    hidden_tests: readonly TaskTest[];
  };
  task_solved: { task: string; artifact_id: Id; solver: Id; reward: number };
  task_withdrawn: { task: string };
};

/** What an action cost its principal. `scrip`: the loss of free plus held scrip, 0 after a gain. */
export type Charge = { readonly scrip: number; readonly gas: number; readonly bytes: number };

/** What a thought cost. Tokens and money are 0 for offline minds that think for free. */
export type ThoughtUsage = {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
  /** The part of the cost that is owed to a model provider. */
  readonly api_cost_micros: number;
};

type ActionOutcome = {
  action: string;
  target: string | null;
  method: string | null;
  message: string;
  charged: Charge;
  /** JSON text of the answer or refusal data. Null for a read: the artifact has the text. */
  result: string | null;
  /** True if `result` was truncated. */
  cut: boolean;
  next_at_ms: number | null;
};

/** What a mind decided. `mind` is the change to the mind's stored state. */
export type CompletedThought = {
  readonly action: Json;
  readonly reasoning: string;
  readonly mind: Patch;
  readonly usage: ThoughtUsage;
  readonly sleep: Sleep | null;
  /** What the mind saw of its inbox. Absent if the mind did not see its inbox. */
  readonly inbox?: InboxSeen;
};

export type ThoughtFailure = {
  readonly reason: "llm_error" | "insufficient_llm_tokens" | "intent_rejected";
  /** Why an `llm_error` happened, such as `connection`; absent for other failures. */
  readonly fault?: string;
  readonly message: string;
  /** Change to the mind's stored state. Absent if the state did not change. */
  readonly mind?: Patch;
  readonly usage: ThoughtUsage;
};

export type AgentStateChange = {
  readonly to: AgentState;
  readonly reason: string;
  readonly cause?: AgentCause;
  readonly due_at_ms: number | null;
};

/** `principal` is the agent, unless a field `agent` or `id` names the agent. */
type AgentEvents = {
  action_completed: ActionOutcome;
  /** `paused` is true if the maximum of consecutive failures was reached. */
  action_refused: ActionOutcome & { code: RefusalCode; retriable: boolean; paused: boolean };
  agent_created: {
    id: Id;
    memory_artifact_id: Id;
    group: string | null;
    order: number;
    due_at_ms: number;
  };
  agent_state_changed: AgentStateChange & { from: AgentState };
  /** `needs` and `has` are micro-dollars of model budget, or the quota of a window. */
  agent_frozen: Shortage;
  /** `principal` is the payer. */
  agent_unfrozen: { agent: Id; due_at_ms: number };
  agent_rate_limited: { resource: Resource; until_ms: number };
  thought_started: { ends_at_ms: number };
  thought_completed: CompletedThought & { act_at_ms: number };
  thought_dropped: { reason: string; usage: ThoughtUsage };
  agent_slept: { sleep: Sleep; due_at_ms: number };
  /** `principal` is the principal of the event that woke the agent. */
  agent_woken: { agent: Id; reason: string; due_at_ms: number };
  agent_handed_over: { agent: Id; from: Id; to: Id; dropped: boolean; due_at_ms: number | null };
  memory_recorded: {
    /** The memory artifact that holds this memory. The memory belongs to the artifact's owner. */
    artifact_id: Id;
    /** Number of this memory, counted from 1 for each memory artifact. */
    number: number;
    memory: MemoryKind;
    text: string;
    /** After this transaction, no memory of the agent's first `through` actions is missing. */
    through: number;
  };
  memory_written: { artifact_id: Id; bytes: number };
  memory_refused: { artifact_id: Id; code: RefusalCode; message: string; through: number };
  agent_bankrupt: { frozen_ms: number };
  thought_failed: ThoughtFailure & { next_at_ms: number | null; paused: boolean };
};

/** A public fact: who did what to what. Contains no prompts, thoughts, state or content. */
export type PublicEvent = {
  /** Number of this public event, counted from 1. */
  readonly n: number;
  readonly at_ms: number;
  readonly kind: EventKind;
  readonly principal: Id | null;
  readonly target: string | null;
  readonly other: string | null;
  /** Amount that was moved, paid or awarded, or null. */
  readonly amount: number | null;
  readonly code: string | null;
};

/** Several events of one kind and target. `target` is null if they have none or several. */
export type EventSum = Pick<PublicEvent, "kind" | "target"> & {
  readonly count: number;
  /** The sum of all amounts. An event without an amount counts as 0. */
  readonly amount: number;
};

/**
 * What a thought has seen of the inbox. `sums` counts all events since the last thought. It may be
 * empty if `recent` still has every event that the thought has not seen.
 */
export type InboxSeen = {
  /** The number of events that the inbox had received when the thought started. */
  readonly received: number;
  readonly sums: readonly EventSum[];
};

export const ACTION_ENDS = ["action_completed", "action_refused"] as const;

export type ActionEnd = EventOf<(typeof ACTION_ENDS)[number]>;

export const endsAction = <E extends { readonly kind: string }>(
  event: E,
): event is E & { readonly kind: ActionEnd["kind"] } =>
  ACTION_ENDS.some((kind) => kind === event.kind);

/** A description of each kind of event, from which a table in `docs/journal.md` is generated. */
export const EVENT_KINDS: { readonly [Kind in EventKind]: string } = {
  world_created: "a world was created; the event has its limits, costs and seed",
  physics_amended: "a run was resumed with other settings; the event has the new physics",
  random_drawn: "programs drew random numbers; the event has the new state of the generator",
  principal_created: "an account was opened; the event has the first balance and quotas",
  artifact_written: "an artifact was created or changed; the event has the fields that were set",
  artifact_read: "an artifact was read; the event has the price paid",
  artifact_deleted: "an artifact became a tombstone and its bytes were freed",
  artifact_state_changed: "an artifact's own code changed its state",
  ownership_transferred: "an artifact has a new owner",
  ownership_offered: "an artifact was offered to a new owner, who must accept it",
  ownership_offer_ended:
    "an ownership offer ended because the artifact that made the offer has a new owner",
  dangling_contract:
    "an artifact's access contract is missing, so only the artifact's owner has access",
  artifact_invoked:
    "a call of a program succeeded, alone or inside another call; the event has its price and gas",
  invocation_failed: "a program failed; its effects were rolled back, and its gas was charged",
  scrip_transferred: "scrip moved between accounts; the event has the reason",
  scrip_minted: "new scrip came into the world",
  scrip_burned: "scrip left the world, for example to pay for a genesis method",
  scrip_held: "scrip was set aside for a purpose",
  hold_split: "part of a hold was set aside for a nested call",
  hold_spent: "held scrip was paid out or burned",
  hold_released: "the remainder of a hold was returned",
  budget_transferred: "model budget moved between accounts, in micro-dollars",
  quota_transferred: "disk quota or window quota moved between accounts",
  delegation_granted: "a principal allowed a contract to charge this principal, within limits",
  delegation_revoked:
    "a principal ended a grant, so the contract can no longer charge this principal",
  delegation_used: "a contract charged a principal under its grant",
  bid_placed:
    "an artifact was bid; the scrip is held, and the amount is secret until the auction ends",
  bid_cancelled:
    "a bid ended before its auction because the bid was cancelled or the artifact got a new owner",
  auction_resolved:
    "an auction ended; the event has the winners and the one price that they all pay",
  artifact_scored:
    "a winning artifact was scored; the event has the score (0 to 100) and the reason",
  scoring_failed:
    "a winning artifact could not be scored; the price that the winner paid was returned",
  task_posted: "a task with tests and a reward was offered to all agents",
  task_solved: "an artifact passed every test of a task, and the artifact's owner got the reward",
  task_withdrawn: "a task was withdrawn by its poster",
  action_completed:
    "an action succeeded; the event has its cost, its result and the time of the next thought",
  action_refused:
    "an action was refused or failed; the event has the reason and the time of the next thought",
  agent_created: "an agent was created and will think",
  agent_state_changed: "an agent changed its state; the event has the reason",
  agent_frozen: "an agent has too little model budget or quota for its next thought or action",
  agent_unfrozen: "a frozen agent received the budget or quota that it lacked",
  agent_rate_limited: "an agent waits because it has used up a quota for the current window",
  thought_started: "a language model looked at the world and thinks until a set time",
  thought_completed:
    "a mind decided on an action; the event has the reason, memories and the time of the action",
  thought_dropped: "a thought arrived too late and was dropped, but its cost counts",
  agent_slept: "an agent fell asleep, for a set time or until an event",
  agent_woken: "an event woke a sleeping agent",
  agent_handed_over: "an agent has a new owner; its pending action was dropped",
  memory_recorded:
    "an agent recorded a memory in a memory artifact; the memory index is built from these events",
  memory_written:
    "an agent's memory artifact was written without an action; the event has the bytes written",
  memory_refused: "an agent's memory artifact could not be written; the event has the reason",
  agent_bankrupt: "an agent stopped because it was frozen for too long",
  thought_failed: "a mind failed to decide",
};
