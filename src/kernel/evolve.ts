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
} from "./books.ts";
import { chronicled, publicFacts } from "./chronicle.ts";
import { delegationGranted, delegationRevoked, delegationUsed } from "./delegation.ts";
import type { AgentEvent, BookEvent, Event, MintEvent } from "./event.ts";
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
} from "./evolve-agent.ts";
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
} from "./evolve-artifact.ts";
import { invariant } from "./invariant.ts";
import { evolveMint } from "./mint/index.ts";
import { seedPrng } from "./prng.ts";
import { emptyUsage } from "./rate-tracker.ts";
import { newWhole, type State, wholeOf } from "./state.ts";

/**
 * Applies what happened. It changes the state in place, through tables that can be rolled back, and
 * never refuses: an event that does not fit the state is a bug and breaks an invariant.
 */
export const evolve = (state: State, event: Event): void => {
  const before = state.whole.get("world")?.now ?? event.at_ms;
  invariant(event.at_ms >= before, `time runs forward: ${event.at_ms} comes after ${before}`);
  apply(state, event);
  const whole = wholeOf(state);
  const facts = publicFacts(event);
  if (facts === null && whole.now === event.at_ms) return;
  if (facts === null) {
    state.whole.put("world", { ...whole, now: event.at_ms });
    return;
  }
  const n = whole.publicEvents + 1;
  const { at_ms, kind, principal } = event;
  const entry = { n, at_ms, kind, principal, ...facts };
  const keptMax = whole.physics.genesis.event_log_max;
  const chronicle = chronicled(whole.chronicle, entry, keptMax);
  state.whole.put("world", { ...whole, now: at_ms, chronicle, publicEvents: n });
};

const apply = (state: State, event: Event): void => {
  switch (event.kind) {
    case "world_created": {
      const prng = seedPrng(event.physics.seed, "world");
      return state.whole.put("world", newWhole(event.physics, prng, event.at_ms));
    }
    case "physics_amended":
      return state.whole.put("world", { ...wholeOf(state), physics: event.physics });
    case "random_drawn":
      return state.whole.put("world", { ...wholeOf(state), prng: event.prng });
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
    default:
      return applyToBooks(state, event);
  }
};

/** Money: of the events that `apply` leaves over, those of the books. */
const applyToBooks = (state: State, event: BookEvent | AgentEvent | MintEvent): void => {
  switch (event.kind) {
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
    default:
      return applyToAgents(state, event);
  }
};

/** The life of agents; what is left over is the mint's. */
const applyToAgents = (state: State, event: AgentEvent | MintEvent): void => {
  switch (event.kind) {
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
      return undefined;
    case "thought_dropped":
      return thoughtDropped(state, event);
    case "thought_failed":
      return thoughtFailed(state, event);
    case "action_completed":
      return actionCompleted(state, event);
    case "action_refused":
      return actionRefused(state, event);
    default:
      return evolveMint(state, event);
  }
};
