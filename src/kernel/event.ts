import type { WriteRequest } from "./action/action.ts";
import type { Agent, AgentCause, AgentState, MemoryKind, Shortage, Sleep } from "./agent/agent.ts";
import type { Decider, OwnReviewTerms, ReviewDecision } from "./agent/review.ts";
import type { Purpose } from "./ledger/account.ts";
import type { Message } from "./messages/message.ts";
import type { TaskTest } from "./mint/mint-state.ts";
import type { HoldId, Id } from "./primitives/ids.ts";
import type { Json } from "./primitives/json.ts";
import type { Patch } from "./primitives/patch.ts";
import type { PrngState } from "./primitives/prng.ts";
import type { RefusalCode } from "./refusal.ts";
import type { Schedule } from "./schedule/schedule.ts";
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
  schedule_planned: Schedule;
  /**
   * An entry of the schedule was executed; the events of its change follow. `problem` says why it
   * could not be executed, or is null. `due_at_ms` is the scheduled time.
   */
  schedule_executed: { due_at_ms: number; change: string; problem: string | null };
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

export type Told = { readonly to: Id; readonly text: string };

type InvocationEvents = {
  artifact_invoked: Invocation & {
    price: number;
    paid_to: Id | null;
    log?: string;
    /**
     * Whom the program notified. If the call changed the program's state, also the agents that its
     * arguments name.
     */
    named?: readonly Id[];
    /** What the program told agents about the call. Only these agents see their text. */
    told?: readonly Told[];
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
  | "task";

/**
 * Why a bid for model budget ended without a sale: its bidder withdrew or replaced it, the settings
 * of the world no longer have an auction, or the bidder stopped for good.
 */
export type ComputeBidEnd = "withdrawn" | "replaced" | "no_auction" | "stopped";

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
  /** Held scrip became proceeds of the mint, which are then shared or burned. */
  proceeds_collected: { hold: HoldId; amount: number; artifact_id: Id };
  /** `payer` caused the sharing, and `of_price` of `amount` is a part of the price it paid. */
  proceeds_shared: { to: Id; amount: number; payer: Id | null; of_price: number };
  proceeds_burned: { amount: number };
  compute_bid_placed: { bidder: Id; lots: number; limit_price: number; hold: HoldId };
  compute_bid_cancelled: { bidder: Id; reason: ComputeBidEnd };
  standing_order_set: { principal_id: Id; lots: number; limit_price: number | null };
  /** `price` is null, and the numbers of lots are 0, if the supply was divided without payment. */
  compute_sold: {
    sale: number;
    price: number | null;
    offered: number;
    asked: number;
    sold: number;
  };
  /** `hold` is the hold of the buyer's bid, or null if the buyer paid from free scrip. */
  compute_bought: { buyer: Id; lots: number; price: number; micros: number; hold: HoldId | null };
  compute_granted: { to: Id; micros: number };
  /** The schedule brought model budget into the world, or took it out. */
  budget_issued: { to: Id; micros: number };
  budget_withdrawn: { from: Id; micros: number };
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
  /** The number of the last message that the mind has read. Absent: none. */
  readonly read_through?: number;
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
  /** The sleep that starts. Absent for all other changes. */
  readonly sleep?: Sleep;
};

/** `principal` is the agent, unless a field `agent` or `id` names the agent. */
type AgentEvents = {
  action_completed: ActionOutcome;
  action_refused: ActionOutcome & { code: RefusalCode; retriable: boolean };
  agent_created: {
    id: Id;
    memory_artifact_id: Id;
    group: string | null;
    /** The addresses to which the agent may send messages. Absent: all. */
    contacts?: readonly Id[];
    /** What artifacts are worth to the agent. Absent: it values none. */
    values?: Agent["values"];
    order: number;
    due_at_ms: number;
  };
  /** No other event changes an agent's state. `principal` is the principal that caused it. */
  agent_state_changed: AgentStateChange & { agent: Id; from: AgentState };
  /** `needs` and `has` are micro-dollars of model budget, or the quota of a window. */
  agent_frozen: Shortage;
  /** `principal` is the payer, or null if the world sold or divided model budget. */
  agent_unfrozen: { agent: Id };
  agent_rate_limited: { resource: Resource; until_ms: number };
  thought_started: { ends_at_ms: number };
  thought_completed: CompletedThought & { act_at_ms: number };
  thought_dropped: { reason: string; usage: ThoughtUsage };
  agent_handed_over: { agent: Id; from: Id; to: Id; dropped: boolean };
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
  /** `patch` changes the object that the content of the workspace is in JSON. */
  workspace_changed: { artifact_id: Id; patch: Patch; version: number; size_bytes: number };
  memory_refused: { artifact_id: Id; code: RefusalCode; message: string; through: number };
  /**
   * `scrip` is what the agent has, `offer` the most that its order pays for a lot of model budget,
   * and `price` what a lot costs, or null if none are sold.
   */
  agent_bankrupt: { frozen_ms: number; scrip: number; offer: number; price: number | null };
  bankruptcy_deferred: { due_at_ms: number };
  thought_failed: ThoughtFailure & { next_at_ms: number | null };
  /** `principal` is null if the operator of the run is the sender. */
  message_sent: {
    number: number;
    from: Id;
    to: Id;
    text: string;
    reply_to: number | null;
    forwards: number | null;
    path: readonly Id[];
    thread: number;
    scrip: number;
    reset: Message["reset"];
  };
  messages_read: { owner: Id; through: number };
  sender_blocked: { owner: Id; sender: Id };
  sender_unblocked: { owner: Id; sender: Id };
  contacts_set: { agent: Id; contacts: readonly Id[] | null };
  review_set: { agent: Id } & OwnReviewTerms;
  /** `cost` is the most scrip that the action can cost. `proposal` counts from 1 in the world. */
  action_proposed: { proposal: number; action: Json; reasoning: string; cost: number };
  proposal_decided: { proposal: number; agent: Id; decided_by: Decider; decision: ReviewDecision };
};

/** A public fact: who did what to what. Contains no prompts, thoughts, state or content. */
export type PublicEvent = {
  /** Number of this public event, counted from 1. */
  readonly n: number;
  readonly at_ms: number;
  readonly kind: EventKind;
  readonly principal: Id | null;
  readonly target: string | null;
  /** The called method of `target`, or null. */
  readonly method: string | null;
  readonly other: string | null;
  /** Amount that was moved, paid or awarded, or null. */
  readonly amount: number | null;
  readonly code: string | null;
};

/** A public event in an inbox. `text` is what the called program told this agent alone. */
export type InboxEvent = PublicEvent & { readonly text?: string };

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
