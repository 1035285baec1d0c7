import type { Purpose } from "./account.ts";
import type { AgentState } from "./agent.ts";
import type { Interface } from "./artifact.ts";
import type { HoldId, Id } from "./ids.ts";
import type { Json, JsonObject } from "./json.ts";
import type { MemoryKind } from "./memory-kind.ts";
import type { MintHappening } from "./mint/index.ts";
import type { Patch } from "./patch.ts";
import type { Physics, Quotas, Resource } from "./physics.ts";
import type { PrngState } from "./prng.ts";
import type { RefusalCode } from "./refusal.ts";
import type { Sleep } from "./sleep.ts";

/**
 * What happened. Events cross into the journal and to agents, so their keys are the wire's.
 * `principal` is who asked for it, directly or through code that it invoked; `by` and `caller` are
 * the immediate actors.
 */
export type Event = Stamp & Happening;
export type EventKind = Happening["kind"];
/** The event of one kind. */
export type EventOf<K extends EventKind> = Extract<Event, { readonly kind: K }>;

type Stamp = { readonly at_ms: number; readonly principal: Id | null };
/** Events that move money or what stands beside it in the books. */
export type BookEvent = Stamp & MoneyHappening;
/** Events of the mint and its tasks. */
export type MintEvent = Stamp & MintHappening;
/** Events in the life of an agent. */
export type AgentEvent = Stamp & (ActionHappening | AgentHappening);

type Happening =
  | WorldHappening
  | ArtifactHappening
  | InvocationHappening
  | MoneyHappening
  | MintHappening
  | ActionHappening
  | AgentHappening;

type WorldHappening =
  | { readonly kind: "world_created"; readonly physics: Physics }
  | { readonly kind: "physics_amended"; readonly physics: Physics }
  | {
      readonly kind: "principal_created";
      readonly id: Id;
      readonly scrip: number;
      readonly llm_budget_micros: number;
      readonly disk_quota: number;
      readonly quotas: Quotas;
      readonly parent: Id | null;
    }
  | { readonly kind: "random_drawn"; readonly draws: number; readonly prng: PrngState };

/** The fields of an artifact that a write named. */
export type WrittenFields = {
  readonly type?: string;
  readonly content?: string;
  readonly code?: string | null;
  readonly methods?: readonly string[];
  /** By which the code can be compared with others; empty where it was taken away. */
  readonly print?: string;
  readonly price?: number;
  readonly read_price?: number;
  readonly access?: Id;
  readonly access_locked?: true;
  readonly interface?: Interface | null;
  readonly depends_on?: readonly Id[];
  readonly metadata?: JsonObject;
  readonly has_standing?: true;
  readonly can_execute?: true;
  readonly memory_artifact_id?: Id;
};

type ArtifactHappening =
  | {
      readonly kind: "artifact_written";
      readonly artifact_id: Id;
      readonly by: Id;
      readonly owner: Id;
      readonly created: boolean;
      readonly version: number;
      readonly size_bytes: number;
      readonly fields: WrittenFields;
    }
  | {
      readonly kind: "artifact_read";
      readonly artifact_id: Id;
      readonly by: Id;
      readonly version: number;
      readonly price: number;
    }
  | { readonly kind: "artifact_deleted"; readonly artifact_id: Id; readonly by: Id }
  | {
      readonly kind: "artifact_state_changed";
      readonly artifact_id: Id;
      readonly state: string;
      readonly size_bytes: number;
    }
  | {
      readonly kind: "ownership_transferred";
      readonly artifact_id: Id;
      readonly from: Id;
      readonly to: Id;
    }
  | {
      readonly kind: "ownership_offered";
      readonly artifact_id: Id;
      readonly from: Id;
      readonly to: Id;
    }
  | {
      /** Whoever made the offer is another's now. */
      readonly kind: "ownership_offer_ended";
      readonly artifact_id: Id;
      readonly from: Id;
      readonly to: Id;
    }
  | { readonly kind: "dangling_contract"; readonly artifact_id: Id; readonly contract: Id };

type InvocationHappening =
  | {
      readonly kind: "artifact_invoked";
      readonly artifact_id: Id;
      readonly method: string;
      readonly caller: Id;
      readonly depth: number;
      readonly price: number;
      readonly paid_to: Id | null;
      readonly gas: number;
      readonly log?: string;
    }
  | {
      readonly kind: "invocation_failed";
      readonly artifact_id: Id;
      readonly method: string;
      readonly caller: Id;
      readonly depth: number;
      readonly code: RefusalCode;
      readonly message: string;
      readonly gas: number;
      readonly fused: boolean;
      readonly log?: string;
    };

/** Why scrip moved. */
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

type MoneyHappening =
  | {
      readonly kind: "scrip_transferred";
      readonly from: Id;
      readonly to: Id;
      readonly amount: number;
      readonly reason: Reason;
      readonly artifact_id?: Id;
      readonly memo?: string;
    }
  | {
      readonly kind: "scrip_minted";
      readonly to: Id;
      readonly amount: number;
      readonly reason: string;
    }
  | {
      readonly kind: "scrip_burned";
      readonly from: Id;
      readonly amount: number;
      readonly reason: string;
    }
  | {
      readonly kind: "scrip_held";
      readonly hold: HoldId;
      readonly from: Id;
      readonly amount: number;
      readonly purpose: Purpose;
    }
  | {
      readonly kind: "hold_split";
      readonly hold: HoldId;
      readonly into: HoldId;
      readonly amount: number;
      readonly purpose: Purpose;
    }
  | {
      readonly kind: "hold_spent";
      readonly hold: HoldId;
      readonly to: Id | null;
      readonly amount: number;
      readonly reason: Reason | "burned";
      readonly artifact_id?: Id;
    }
  | { readonly kind: "hold_released"; readonly hold: HoldId; readonly into: HoldId | null }
  | {
      readonly kind: "budget_transferred";
      readonly from: Id;
      readonly to: Id;
      readonly micros: number;
    }
  | {
      readonly kind: "quota_transferred";
      readonly from: Id;
      readonly to: Id;
      readonly resource: Resource | "disk";
      readonly amount: number;
    }
  | {
      /** The grantor lets a contract charge it, within bounds. */
      readonly kind: "delegation_granted";
      readonly grantor: Id;
      readonly contract: Id;
      readonly max_per_call: number;
      readonly max_per_window: number;
    }
  | { readonly kind: "delegation_revoked"; readonly grantor: Id; readonly contract: Id }
  | {
      readonly kind: "delegation_used";
      readonly grantor: Id;
      readonly contract: Id;
      readonly amount: number;
    };

/** What an action cost its principal, beside the money that events name. */
export type Charge = { readonly scrip: number; readonly gas: number; readonly bytes: number };

/** Common to both ends of an action. `next_at_ms` is when the agent thinks again. */
type ActionEnd = {
  readonly action: string;
  readonly target: string | null;
  readonly method: string | null;
  readonly message: string;
  readonly charged: Charge;
  /** JSON text of the answer or of what a refusal adds; null where it is what the action read. */
  readonly result: string | null;
  /** True when the text is only the beginning of it. */
  readonly cut: boolean;
  readonly next_at_ms: number | null;
};

type ActionHappening =
  | ({ readonly kind: "action_completed" } & ActionEnd)
  | ({
      readonly kind: "action_refused";
      readonly code: RefusalCode;
      readonly retriable: boolean;
      /** Set when failures in a row have reached the bound and the agent is paused. */
      readonly paused: boolean;
    } & ActionEnd);

/** What a thought cost. Tokens and money are 0 for offline minds that think for free. */
export type ThoughtUsage = {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micros: number;
  /** The part of the cost that is owed to a provider, and not to the physics of this world. */
  readonly api_cost_micros: number;
};

/** The agent is the principal of each of these, unless the event names one. */
type AgentHappening =
  | {
      readonly kind: "agent_created";
      readonly id: Id;
      readonly memory_artifact_id: Id;
      readonly order: number;
      readonly due_at_ms: number;
    }
  | {
      readonly kind: "agent_state_changed";
      readonly from: AgentState;
      readonly to: AgentState;
      readonly reason: string;
      readonly due_at_ms: number | null;
    }
  | {
      readonly kind: "agent_frozen";
      readonly needs_micros: number;
      readonly has_micros: number;
    }
  | {
      /** The principal is whoever paid; the agent goes on because of it. */
      readonly kind: "agent_unfrozen";
      readonly agent: Id;
      readonly due_at_ms: number;
    }
  | {
      readonly kind: "agent_rate_limited";
      readonly resource: Resource;
      readonly until_ms: number;
    }
  | {
      readonly kind: "thought_completed";
      readonly action: Json;
      readonly reasoning: string;
      /** How what the mind keeps has changed. */
      readonly mind: Patch;
      readonly usage: ThoughtUsage;
      readonly act_at_ms: number;
      /** What it wants to sleep for once it has acted. */
      readonly sleep: Sleep | null;
    }
  | {
      /** A thought that came when nobody waited for it any more; it is paid and nothing follows. */
      readonly kind: "thought_dropped";
      readonly reason: string;
      readonly usage: ThoughtUsage;
    }
  | {
      readonly kind: "agent_slept";
      readonly sleep: Sleep;
      readonly due_at_ms: number;
    }
  | {
      /** The principal is whoever did what the agent waited for. */
      readonly kind: "agent_woken";
      readonly agent: Id;
      readonly reason: string;
      readonly due_at_ms: number;
    }
  | {
      /** The agent has a new owner, who controls it from its next iteration on. */
      readonly kind: "agent_handed_over";
      readonly agent: Id;
      readonly from: Id;
      readonly to: Id;
      /** True when an action that it had decided on was dropped because of it. */
      readonly dropped: boolean;
      readonly due_at_ms: number | null;
    }
  | {
      /** One thing that the agent remembers, counted from 1 on. */
      readonly kind: "memory_recorded";
      readonly number: number;
      readonly memory: MemoryKind;
      readonly text: string;
      /** The actions of which it now remembers all that it ever will. */
      readonly through: number;
    }
  | {
      /** The agent wrote its memory or working memory without taking an action. */
      readonly kind: "memory_kept";
      readonly artifact_id: Id;
      readonly bytes: number;
    }
  | {
      /** Its memory could not be written; nothing is lost but that. */
      readonly kind: "memory_refused";
      readonly artifact_id: Id;
      readonly code: RefusalCode;
      readonly message: string;
    }
  | {
      /** It has been frozen for too long and stops for good. */
      readonly kind: "agent_bankrupt";
      readonly frozen_ms: number;
    }
  | {
      readonly kind: "thought_failed";
      readonly reason: "llm_error" | "insufficient_llm_tokens" | "intent_rejected";
      readonly message: string;
      /** How what the mind keeps has changed all the same; absent where it has not. */
      readonly mind?: Patch;
      readonly usage: ThoughtUsage;
      readonly next_at_ms: number | null;
      readonly paused: boolean;
    };
