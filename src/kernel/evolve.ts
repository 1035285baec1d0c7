import {
  actionCompleted,
  actionRefused,
  agentBankrupt,
  agentCreated,
  agentFrozen,
  agentHandedOver,
  agentRateLimited,
  agentSlept,
  agentStateChanged,
  agentUnfrozen,
  agentWoken,
  memoryKept,
  memoryRecorded,
  thoughtCompleted,
  thoughtDropped,
  thoughtFailed,
} from "./agent/evolve-agent.ts";
import {
  artifactDeleted,
  artifactInvoked,
  artifactRead,
  artifactWritten,
  invocationFailed,
  ownershipOfferEnded,
  ownershipOffered,
  ownershipTransferred,
  stateChanged,
} from "./artifact/evolve-artifact.ts";
import type { Event } from "./event.ts";
import {
  burnScrip,
  holdScrip,
  mintScrip,
  moveBudget,
  moveQuota,
  moveScrip,
  openAccount,
  releaseHold,
  spendHold,
  splitHold,
} from "./ledger/books.ts";
import { delegationGranted, delegationRevoked, delegationUsed } from "./ledger/delegation.ts";
import { emptyUsage } from "./ledger/rolling-window.ts";
import {
  artifactScored,
  auctionResolved,
  bidPlaced,
  submissionEnded,
  taskEnded,
  taskPosted,
} from "./mint/evolve-mint.ts";
import { invariant, unreachable } from "./primitives/invariant.ts";
import { seedPrng } from "./primitives/prng.ts";
import { publicFacts, withPublicEvent } from "./search/public-log.ts";
import { newWorldRow, type State, worldRow } from "./state.ts";

/**
 * Applies an event: changes the state in place, through tables that can be rolled back. It never
 * refuses: an event that does not fit the state is a bug and breaks an invariant.
 */
export const evolve = (state: State, event: Event): void => {
  const before = state.world.get("world")?.now ?? event.at_ms;
  invariant(event.at_ms >= before, `time runs forward: ${event.at_ms} comes after ${before}`);
  apply(state, event);
  const world = worldRow(state);
  const facts = publicFacts(event);
  if (facts === null && world.now === event.at_ms) return;
  if (facts === null) {
    state.world.put("world", { ...world, now: event.at_ms });
    return;
  }
  const n = world.publicEvents + 1;
  const { at_ms, kind, principal } = event;
  const entry = { n, at_ms, kind, principal, ...facts };
  const keptMax = world.physics.genesis.event_log_max;
  const publicLog = withPublicEvent(world.publicLog, entry, keptMax);
  state.world.put("world", { ...world, now: at_ms, publicLog, publicEvents: n });
};

const apply = (state: State, event: Event): void => {
  switch (event.kind) {
    case "world_created": {
      const prng = seedPrng(event.physics.seed, "world");
      return state.world.put("world", newWorldRow(event.physics, prng, event.at_ms));
    }
    case "physics_amended":
      return state.world.put("world", { ...worldRow(state), physics: event.physics });
    case "random_drawn":
      return state.world.put("world", { ...worldRow(state), prng: event.prng });
    case "principal_created":
      state.usages.put(event.id, emptyUsage());
      return openAccount(state, event);
    case "artifact_written":
      return artifactWritten(state, event);
    case "artifact_read":
      return artifactRead(state, event);
    case "artifact_deleted":
      return artifactDeleted(state, event);
    case "artifact_state_changed":
      return stateChanged(state, event);
    case "ownership_transferred":
      return ownershipTransferred(state, event);
    case "ownership_offered":
      return ownershipOffered(state, event);
    case "ownership_offer_ended":
      return ownershipOfferEnded(state, event);
    case "artifact_invoked":
      return artifactInvoked(state, event);
    case "invocation_failed":
      return invocationFailed(state, event);
    case "dangling_contract":
      return;

    case "scrip_transferred":
      return moveScrip(state, event);
    case "scrip_minted":
      return mintScrip(state, event);
    case "scrip_burned":
      return burnScrip(state, event);
    case "scrip_held":
      return holdScrip(state, event);
    case "hold_split":
      return splitHold(state, event);
    case "hold_spent":
      return spendHold(state, event);
    case "hold_released":
      return releaseHold(state, event);
    case "budget_transferred":
      return moveBudget(state, event);
    case "quota_transferred":
      return moveQuota(state, event);
    case "delegation_granted":
      return delegationGranted(state, event);
    case "delegation_revoked":
      return delegationRevoked(state, event);
    case "delegation_used":
      return delegationUsed(state, event);

    case "agent_created":
      return agentCreated(state, event);
    case "agent_state_changed":
      return agentStateChanged(state, event);
    case "agent_frozen":
      return agentFrozen(state, event);
    case "agent_unfrozen":
      return agentUnfrozen(state, event);
    case "agent_rate_limited":
      return agentRateLimited(state, event);
    case "thought_completed":
      return thoughtCompleted(state, event);
    case "agent_slept":
      return agentSlept(state, event);
    case "agent_woken":
      return agentWoken(state, event);
    case "agent_handed_over":
      return agentHandedOver(state, event);
    case "agent_bankrupt":
      return agentBankrupt(state, event);
    case "memory_recorded":
      return memoryRecorded(state, event);
    case "memory_kept":
      return memoryKept(state, event);
    case "memory_refused":
      return;
    case "thought_dropped":
      return thoughtDropped(state, event);
    case "thought_failed":
      return thoughtFailed(state, event);
    case "action_completed":
      return actionCompleted(state, event);
    case "action_refused":
      return actionRefused(state, event);

    case "bid_placed":
      return bidPlaced(state, event);
    case "bid_cancelled":
    case "scoring_failed":
      return submissionEnded(state, event);
    case "auction_resolved":
      return auctionResolved(state, event);
    case "artifact_scored":
      return artifactScored(state, event);
    case "task_posted":
      return taskPosted(state, event);
    case "task_solved":
    case "task_withdrawn":
      return taskEnded(state, event);
    default:
      return unreachable(event);
  }
};
