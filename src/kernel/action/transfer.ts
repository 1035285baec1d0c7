import type { AgentState } from "../agent/agent.ts";
import { stateChange } from "../agent/events.ts";
import type { Artifact } from "../artifact/artifact.ts";
import { offersOf, ownerChainRefusal } from "../artifact/owners.ts";
import { find, findOwned } from "../artifact/tables.ts";
import { accept, type Refused, refuse } from "../core/decision.ts";
import type { Id } from "../core/ids.ts";
import { physicsOf } from "../core/world.ts";
import { diskRefusal } from "../ledger/quota.ts";
import { type Subject, stamp } from "../ledger/subject.ts";
import { withdrawalEvents } from "../mint/bidding.ts";
import type { ActionDecision, ActionEvent, ActionTables } from "./events.ts";

export const ownershipRefusal = (
  state: ActionTables,
  artifact: Artifact,
  to: Id,
): Refused | null => {
  if (!state.accounts.has(to)) {
    return refuse(
      "invalid_argument",
      `"${to}" is not a principal, and only principals can own artifacts`,
    );
  }
  // If the artifact becomes its own owner, there is no chain to check.
  const refused = to === artifact.id ? null : ownerChainRefusal(state, to, artifact.id);
  return refused ?? diskRefusal(state, to, artifact.sizeBytes, artifact.id);
};

/** Agents in these states continue under the new owner. Agents in other states keep their state. */
const CONTINUES: ReadonlySet<AgentState> = new Set(["running", "sleeping", "paused", "in_review"]);

/**
 * Returns the events of a transfer. A transfer ends all offers by the artifact and by principals
 * that the artifact owns, and refunds an open bid with the artifact. A transferred agent drops its
 * pending action unless the agent started the transfer, and thinks again if in `CONTINUES`.
 */
export const transferEvents = (
  state: ActionTables,
  by: Subject,
  artifact: Artifact,
  to: Id,
): readonly ActionEvent[] => {
  const { id, owner: from } = artifact;
  const move = { artifact_id: id, from, to };
  const passed: ActionEvent = { ...stamp(by), kind: "ownership_transferred", ...move };
  const ended = offersOf(state, id).map((offer): ActionEvent => {
    const about = { artifact_id: offer.artifact, from: offer.from, to: offer.to };
    return { ...stamp(by), kind: "ownership_offer_ended", ...about };
  });
  const events = [passed, ...ended, ...withdrawalEvents(state, by, id)];
  const agent = artifact.canExecute ? state.agents.get(id) : undefined;
  if (agent === undefined) return events;
  const handedOver: ActionEvent = {
    ...stamp(by),
    kind: "agent_handed_over",
    agent: id,
    from,
    to,
    // If the agent itself started the transfer, its running action is kept.
    dropped: (agent.pending !== null || agent.state === "in_review") && by.origin !== id,
  };
  if (!CONTINUES.has(agent.state)) return [...events, handedOver];
  const due_at_ms = by.atMs + physicsOf(state).agents.min_delay_ms;
  const continues = { to: "running", reason: `${to} owns it now`, due_at_ms } as const;
  return [...events, handedOver, stateChange(stamp(by), agent, continues)];
};

export type TransferRequest = { readonly by: Subject; readonly artifact: Id; readonly to: Id };

export const decideOffer = (state: ActionTables, request: TransferRequest): ActionDecision => {
  const found = findOwned(state, request.by.actor, request.artifact);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  if (request.to === artifact.owner)
    return accept([], { artifact: artifact.id, owner: request.to });
  const refused = ownershipRefusal(state, artifact, request.to);
  if (refused !== null) return refused;
  const { by, to } = request;
  const offered = { artifact_id: artifact.id, from: artifact.owner, to };
  const offer: ActionEvent = { ...stamp(by), kind: "ownership_offered", ...offered };
  const next = `${to} takes it with genesis_ledger.accept("${artifact.id}")`;
  return accept([offer], { artifact: artifact.id, offered_to: to, next });
};

/**
 * Transfers an artifact at once if the receiver is one of `callers`, else offers it. An artifact
 * with locked access is only offered, because a new owner could not change its access or delete it.
 */
export const decideGive = (
  state: ActionTables,
  request: TransferRequest & { readonly callers: readonly Id[] },
): ActionDecision => {
  if (!request.callers.includes(request.to)) return decideOffer(state, request);
  const found = findOwned(state, request.by.actor, request.artifact);
  if (found.kind !== "accepted") return found;
  const { by, to } = request;
  if (to === found.answer.owner) return accept([], { artifact: found.answer.id, owner: to });
  if (found.answer.accessLocked) return decideOffer(state, request);
  return transferTo(state, by, found.answer, to);
};

const transferTo = (
  state: ActionTables,
  by: Subject,
  artifact: Artifact,
  to: Id,
): ActionDecision => {
  const refused = ownershipRefusal(state, artifact, to);
  if (refused !== null) return refused;
  return accept(transferEvents(state, by, artifact, to), { artifact: artifact.id, owner: to });
};

/** Checks, in this order: existence, the owner's offer to the actor, the actor as new owner. */
export const decideAccept = (state: ActionTables, by: Subject, artifact: Id): ActionDecision => {
  const found = find(state, artifact);
  if (found.kind !== "accepted") return found;
  const offer = state.offers.get(artifact);
  if (offer === undefined || offer.to !== by.actor || offer.from !== found.answer.owner) {
    return refuse(
      "not_found",
      `${artifact} is not offered to ${by.actor}; offers() lists your offers`,
    );
  }
  return transferTo(state, by, found.answer, by.actor);
};
