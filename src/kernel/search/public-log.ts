import type { Event, EventOf, PublicEvent } from "../event.ts";
import { memoryIds, parseId } from "../primitives/ids.ts";
import { append, dropOldest, type Log, logLength } from "../primitives/log.ts";

type Facts = Omit<PublicEvent, "n" | "at_ms" | "kind" | "principal">;
const NOTHING: Facts = { target: null, other: null, amount: null, code: null };

/** The public facts of an event, null for a private event. */
export const publicFacts = (event: Event): Facts | null => {
  switch (event.kind) {
    case "principal_created":
      return { ...NOTHING, target: event.id, amount: event.scrip };
    case "artifact_written":
      return isPrivate(event) ? null : { ...NOTHING, target: event.artifact_id };
    case "artifact_read":
      return { ...NOTHING, target: event.artifact_id, amount: event.price };
    case "artifact_deleted":
      return { ...NOTHING, target: event.artifact_id };
    case "ownership_transferred":
    case "ownership_offered":
    case "ownership_offer_ended":
      return { ...NOTHING, target: event.artifact_id, other: event.to };
    case "dangling_contract":
      return { ...NOTHING, target: event.artifact_id, other: event.contract };
    case "artifact_invoked":
      return { ...NOTHING, target: event.artifact_id, other: event.caller, amount: event.price };
    case "invocation_failed":
      return { ...NOTHING, target: event.artifact_id, other: event.caller, code: event.code };
    case "scrip_transferred":
      return {
        ...NOTHING,
        target: event.artifact_id ?? null,
        other: event.to,
        amount: event.amount,
      };
    case "scrip_minted":
      return { ...NOTHING, other: event.to, amount: event.amount };
    case "scrip_burned":
      return { ...NOTHING, amount: event.amount };
    case "budget_transferred":
      return { ...NOTHING, other: event.to, amount: event.micros };
    case "quota_transferred":
      return { ...NOTHING, other: event.to, amount: event.amount };
    case "delegation_granted":
    case "delegation_revoked":
      return { ...NOTHING, target: event.contract, other: event.grantor };
    case "delegation_used": {
      const { contract: target, grantor: other, amount } = event;
      return { ...NOTHING, target, other, amount };
    }
    case "world_created":
    case "physics_amended":
    case "random_drawn":
    case "artifact_state_changed":
    case "scrip_held":
    case "hold_split":
    case "hold_spent":
    case "hold_released":
      return null;
    case "action_refused":
      // A target that is not an id stays private.
      return { ...NOTHING, target: parseId(event.target), code: event.code };
    case "agent_created":
      return { ...NOTHING, target: event.id };
    case "agent_frozen":
      return { ...NOTHING, amount: event.needs_micros };
    case "agent_unfrozen":
      return { ...NOTHING, other: event.agent };
    case "agent_rate_limited":
      return { ...NOTHING, target: event.resource };
    case "agent_state_changed":
      return { ...NOTHING, target: event.to };
    case "agent_handed_over":
      return { ...NOTHING, target: event.agent, other: event.to };
    case "agent_bankrupt":
      return { ...NOTHING, target: event.principal };
    case "agent_woken":
      return { ...NOTHING, other: event.agent };
    case "agent_slept":
    case "memory_recorded":
    case "memory_kept":
    case "memory_refused":
    case "thought_dropped":
    case "action_completed":
    case "thought_completed":
    case "thought_failed":
      return null;
    case "bid_placed":
    case "bid_cancelled":
      // Bids are sealed: the amount stays secret.
      return { ...NOTHING, target: event.artifact_id };
    case "auction_resolved":
      return { ...NOTHING, amount: event.price };
    case "artifact_scored":
      return { ...NOTHING, target: event.artifact_id, amount: event.score };
    case "scoring_failed":
      return { ...NOTHING, target: event.artifact_id };
    case "task_posted":
      return { ...NOTHING, target: event.task, amount: event.reward };
    case "task_solved":
      return { ...NOTHING, target: event.task, other: event.solver, amount: event.reward };
    case "task_withdrawn":
      return { ...NOTHING, target: event.task };
  }
};

/** An agent's own memory, and an operator's change of an agent, are private. */
const isPrivate = (event: EventOf<"artifact_written">): boolean => {
  const { artifact_id: id, by, principal, created } = event;
  const { memory, working } = memoryIds(by);
  return id === memory || id === working || (principal === null && !created);
};

export const withPublicEvent = (
  log: Log<PublicEvent>,
  event: PublicEvent,
  keptMax: number,
): Log<PublicEvent> => {
  const longer = append(log, event);
  return dropOldest(longer, Math.max(0, logLength(longer) - keptMax));
};
