import type { Event, EventFor, EventKind, EventOf, PublicEvent } from "../event.ts";
import { isMemoryName, parseId } from "../primitives/ids.ts";
import { append, dropOldest, type Log, logLength } from "../primitives/log.ts";

type Facts = Omit<PublicEvent, "n" | "at_ms" | "kind" | "principal">;
const NOTHING: Facts = { target: null, method: null, other: null, amount: null, code: null };

/** The functions that return an event's public facts, by kind. Null if the kind is private. */
const PUBLIC: {
  readonly [K in EventKind]: ((event: EventFor<K>) => Partial<Facts> | null) | null;
} = {
  world_created: null,
  physics_amended: null,
  schedule_planned: null,
  // The events of its change say enough.
  schedule_executed: null,
  random_drawn: null,
  principal_created: ({ id, scrip }) => ({ target: id, amount: scrip }),

  artifact_written: (event) => (isPrivate(event) ? null : { target: event.artifact_id }),
  artifact_read: ({ artifact_id, price }) => ({ target: artifact_id, amount: price }),
  artifact_deleted: ({ artifact_id }) => ({ target: artifact_id }),
  artifact_state_changed: null,
  ownership_transferred: ({ artifact_id, to }) => ({ target: artifact_id, other: to }),
  ownership_offered: ({ artifact_id, to }) => ({ target: artifact_id, other: to }),
  ownership_offer_ended: ({ artifact_id, to }) => ({ target: artifact_id, other: to }),
  dangling_contract: ({ artifact_id, contract }) => ({ target: artifact_id, other: contract }),
  artifact_invoked: ({ artifact_id, method, caller, price }) => ({
    target: artifact_id,
    method,
    other: caller,
    amount: price,
  }),
  invocation_failed: ({ artifact_id, method, caller, code }) => ({
    target: artifact_id,
    method,
    other: caller,
    code,
  }),

  scrip_transferred: ({ artifact_id, principal, from, to, amount }) => ({
    // A program that pays is the target.
    target: artifact_id ?? (from === principal ? null : from),
    other: to,
    amount,
  }),
  scrip_minted: ({ to, amount }) => ({ other: to, amount }),
  scrip_burned: ({ amount }) => ({ amount }),
  scrip_held: null,
  hold_split: null,
  hold_spent: ({ artifact_id, to, amount, reason }) =>
    to === null || reason === "price" || reason === "read_price"
      ? null
      : { target: artifact_id ?? null, other: to, amount },
  hold_released: null,
  proceeds_collected: null,
  proceeds_shared: ({ to, amount }) => ({ other: to, amount }),
  proceeds_burned: null,
  // Orders are secret until the sale.
  compute_bid_placed: null,
  compute_bid_cancelled: null,
  standing_order_set: null,
  compute_sold: ({ price, sold }) => ({ amount: price === null ? null : price * sold }),
  compute_bought: ({ buyer, micros }) => ({ other: buyer, amount: micros }),
  // Every agent gets the same, so `compute_sold` says enough.
  compute_granted: null,
  // An agent sees its own budget. That of others is private.
  budget_issued: null,
  budget_withdrawn: null,
  budget_transferred: ({ to, micros }) => ({ other: to, amount: micros }),
  quota_transferred: ({ to, amount }) => ({ other: to, amount }),
  delegation_granted: ({ contract, grantor }) => ({ target: contract, other: grantor }),
  delegation_revoked: ({ contract, grantor }) => ({ target: contract, other: grantor }),
  delegation_used: ({ contract, grantor, amount }) => ({
    target: contract,
    other: grantor,
    amount,
  }),

  // Bids are secret, so the amount is not public.
  bid_placed: ({ artifact_id }) => ({ target: artifact_id }),
  bid_cancelled: ({ artifact_id }) => ({ target: artifact_id }),
  auction_resolved: ({ price }) => ({ amount: price }),
  artifact_scored: ({ artifact_id, score }) => ({ target: artifact_id, amount: score }),
  scoring_failed: ({ artifact_id }) => ({ target: artifact_id }),
  task_posted: ({ task, reward }) => ({ target: task, amount: reward }),
  task_solved: ({ task, solver, reward }) => ({ target: task, other: solver, amount: reward }),
  task_withdrawn: ({ task }) => ({ target: task }),

  action_completed: null,
  action_refused: ({ target, method, code }) => {
    // A refused action can name any text as its target or method. Only names are public.
    const id = parseId(target);
    return { target: id, method: id !== null && isMethodName(method) ? method : null, code };
  },
  agent_created: ({ id }) => ({ target: id }),
  agent_state_changed: (event) => (isToldElsewhere(event) ? null : { target: event.to }),
  agent_frozen: ({ lacks, needs }) => ({ target: lacks, amount: needs }),
  agent_unfrozen: ({ agent }) => ({ other: agent }),
  agent_rate_limited: ({ resource }) => ({ target: resource }),
  agent_handed_over: ({ agent, to }) => ({ target: agent, other: to }),
  agent_bankrupt: ({ principal }) => ({ target: principal }),
  bankruptcy_deferred: null,
  thought_started: null,
  thought_completed: null,
  thought_dropped: null,
  thought_failed: null,
  memory_recorded: null,
  memory_written: null,
  workspace_changed: null,
  message_sent: null,
  messages_read: null,
  sender_blocked: null,
  sender_unblocked: null,
  contacts_set: null,
  memory_refused: null,
  // What an agent wants to do is private until it does it.
  review_set: null,
  action_proposed: null,
  proposal_decided: null,
};

export const publicFacts = (event: Event): Facts | null => {
  const facts = factsOf(event);
  return facts === null ? null : { ...NOTHING, ...facts };
};

const isMethodName = (name: string | null): boolean => name !== null && /^[\w$]{1,64}$/.test(name);

const factsOf = <K extends EventKind>(event: EventFor<K>): Partial<Facts> | null =>
  PUBLIC[event.kind]?.(event) ?? null;

/**
 * True if a change of state is not public by itself: sleeps and reviews are private. For others, a
 * public event of the same transaction has the details (`agent_frozen`, `agent_unfrozen`,
 * `agent_bankrupt`, `agent_handed_over`).
 */
const isToldElsewhere = (event: EventOf<"agent_state_changed">): boolean => {
  const { principal, agent, from, to, cause } = event;
  if (from === "sleeping" || to === "sleeping" || to === "frozen") return true;
  if (to === "in_review") return true;
  return principal !== agent || cause === "bankrupt";
};

/** True if a write is private: an agent writes its memory, or the operator rewrites an agent. */
const isPrivate = (event: EventOf<"artifact_written">): boolean => {
  const { artifact_id: id, principal, created } = event;
  return principal === null ? !created : isMemoryName(principal, id);
};

export const withPublicEvent = (
  log: Log<PublicEvent>,
  event: PublicEvent,
  keptMax: number,
): Log<PublicEvent> => {
  const longer = append(log, event);
  return dropOldest(longer, Math.max(0, logLength(longer) - keptMax));
};
