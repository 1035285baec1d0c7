import type { AgentState } from "./agent.ts";
import type { Artifact } from "./artifact.ts";
import { accept, type Decision, type Refused, refuse } from "./decision.ts";
import type { Event } from "./event.ts";
import type { Id } from "./ids.ts";
import { offersBefore } from "./lien.ts";
import { withdrawn } from "./mint/index.ts";
import { chainProblem } from "./owner-chain.ts";
import { find } from "./read.ts";
import { physicsOf, type State } from "./state.ts";
import { type Subject, stamp } from "./subject.ts";
import { diskFull } from "./write.ts";

/** Why `to` cannot become the owner of the artifact, or null. */
export const unownable = (state: State, artifact: Artifact, to: Id): Refused | null => {
  if (!state.accounts.has(to)) {
    return refuse("invalid_argument", `"${to}" is no principal, and only principals own`);
  }
  // What owns itself stands at the top of a chain of its own.
  const refused = to === artifact.id ? null : chainProblem(state, to, { artifact: artifact.id });
  return refused ?? diskFull(state, to, { adds: artifact.sizeBytes, what: artifact.id });
};

/** Agents in these states go on with whoever owns them now; the others stay as they are. */
const GO_ON: ReadonlySet<AgentState> = new Set(["running", "sleeping", "paused"]);

/** An artifact that passes to a new owner, and because of whom. */
type Change = { readonly by: Subject; readonly artifact: Artifact; readonly to: Id };

/**
 * An artifact passes to a new owner. What it and all that it owns had offered is offered no more, a
 * bid on it goes back, and an agent forgets what it was about to do, and looks about it anew:
 * whoever owns it may tell it otherwise.
 */
export const handedOver = (state: State, { by, artifact, to }: Change): readonly Event[] => {
  const { id, owner: from } = artifact;
  const passed: Event = {
    ...stamp(by),
    kind: "ownership_transferred",
    artifact_id: id,
    from,
    to,
  };
  const ended = offersBefore(state, id).map(
    (offer): Event => ({
      ...stamp(by),
      kind: "ownership_offer_ended",
      artifact_id: offer.artifact,
      from: offer.from,
      to: offer.to,
    }),
  );
  const events = [passed, ...ended, ...withdrawn(state, by, id)];
  const agent = artifact.canExecute ? state.agents.get(id) : undefined;
  if (agent === undefined) return events;
  const { min_delay_ms } = physicsOf(state).agents;
  const changed: Event = {
    ...stamp(by),
    kind: "agent_handed_over",
    agent: id,
    from,
    to,
    // What an agent does to itself is being done, and is not dropped.
    dropped: agent.pending !== null && by.origin !== id,
    due_at_ms: GO_ON.has(agent.state) ? by.atMs + min_delay_ms : null,
  };
  return [...events, changed];
};

export type HandOver = { readonly by: Subject; readonly artifact: Id; readonly to: Id };

const owned = (state: State, request: HandOver): Decision<Artifact> => {
  const found = find(state, request.artifact);
  if (found.kind !== "accepted") return found;
  const { owner, id } = found.answer;
  if (owner === request.by.actor) return found;
  return refuse("not_owner", `${request.by.actor} does not own ${id}; ${owner} does`);
};

/** To oneself nothing happens; to anybody else it is an offer until accepted. */
export const decideOffer = (state: State, request: HandOver): Decision => {
  const found = owned(state, request);
  if (found.kind !== "accepted") return found;
  const artifact = found.answer;
  if (request.to === artifact.owner)
    return accept([], { artifact: artifact.id, owner: request.to });
  const refused = unownable(state, artifact, request.to);
  if (refused !== null) return refused;
  const { by, to } = request;
  const offer: Event = {
    ...stamp(by),
    kind: "ownership_offered",
    artifact_id: artifact.id,
    from: artifact.owner,
    to,
  };
  const next = `${to} takes it with genesis_ledger.accept("${artifact.id}")`;
  return accept([offer], { artifact: artifact.id, offered_to: to, next });
};

/**
 * What code gives to whoever called it, or to the acting principal, is theirs at once. What is
 * locked to its contract is an offer even so: whoever owned it could neither open nor delete it.
 */
export const decideGive = (
  state: State,
  request: HandOver & { readonly askers: readonly Id[] },
): Decision => {
  if (!request.askers.includes(request.to)) return decideOffer(state, request);
  const found = owned(state, request);
  if (found.kind !== "accepted") return found;
  const { by, to } = request;
  if (to === found.answer.owner) return accept([], { artifact: found.answer.id, owner: to });
  if (found.answer.accessLocked) return decideOffer(state, request);
  return passOn(state, { by, artifact: found.answer, to });
};

const passOn = (state: State, change: Change): Decision => {
  const { artifact, to } = change;
  const refused = unownable(state, artifact, to);
  if (refused !== null) return refused;
  return accept(handedOver(state, change), { artifact: artifact.id, owner: to });
};

/** exists → offered to whoever accepts, by its owner of now → theirs to own. */

export const decideAccept = (state: State, by: Subject, artifact: Id): Decision => {
  const found = find(state, artifact);
  if (found.kind !== "accepted") return found;
  const offer = state.offers.get(artifact);
  if (offer === undefined || offer.to !== by.actor || offer.from !== found.answer.owner) {
    return refuse("not_found", `${artifact} is not on offer to ${by.actor}`);
  }
  return passOn(state, { by, artifact: found.answer, to: by.actor });
};
