import type { EventKind } from "./event.ts";
import type { Id } from "./ids.ts";
import type { Resource } from "./physics.ts";

/**
 * The kinds of event for which an agent can be woken: those that the public learns of and that can
 * concern one who sleeps.
 */
export const WAKING_KINDS = [
  "principal_created",
  "artifact_written",
  "artifact_read",
  "artifact_deleted",
  "ownership_transferred",
  "ownership_offered",
  "dangling_contract",
  "artifact_invoked",
  "invocation_failed",
  "scrip_transferred",
  "scrip_minted",
  "budget_transferred",
  "quota_transferred",
  "delegation_granted",
  "delegation_revoked",
  "delegation_used",
  "action_refused",
  "agent_created",
  "agent_frozen",
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
] as const satisfies readonly EventKind[];
type WakingKind = (typeof WAKING_KINDS)[number];

/** What ends a sleep before its time: the first of these to come true. */
export type Wake =
  /** An event of this kind that concerns the sleeper; those of auctions and tasks concern all. */
  | { readonly event: WakingKind }
  | { readonly scrip_at_least: number }
  | { readonly llm_budget_at_least: number }
  /** So much of a rolling window is free. */
  | { readonly resource: Resource; readonly available: number };

/** How many things one sleep may wait for. */
export const WAKES_MAX = 8;

/** A sleep that an agent asks for beside its action, bounded by `sleep_max_ms`. */
export type Sleep = { readonly for_ms: number; readonly until: readonly Wake[] };

/** An agent that sleeps until something happens; whatever does, it rests until `earliestMs`. */
export type Sleeper = {
  readonly agent: Id;
  readonly until: readonly Wake[];
  readonly earliestMs: number;
};
