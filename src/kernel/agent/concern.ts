import type { Event, EventFor, EventKind } from "../event.ts";
import { submissionOf } from "../mint/status.ts";
import { type Id, parseId } from "../primitives/ids.ts";
import { physicsOf, type State } from "../state.ts";

/** The agents that an event concerns. `isForAll` is true if it concerns every agent. */
export type Concern = { readonly agents: ReadonlySet<Id>; readonly isForAll: boolean };

/** An event and whom it concerns. */
export type Happened = { readonly event: Event; readonly concern: Concern };

const EVERYONE = Symbol("everyone");

type Names = readonly (Id | null | undefined | typeof EVERYONE)[];
type Concerned<K extends EventKind> = (event: EventFor<K>, state: State) => Names;

/** An artifact and its owner. For an artifact that is an agent, both are concerned. */
const partiesOf = (state: State, id: Id | null | undefined): Names =>
  id === null || id === undefined ? [] : [id, state.artifacts.get(id)?.owner];

const ofArtifact = ({ artifact_id }: { readonly artifact_id: Id }, state: State): Names =>
  partiesOf(state, artifact_id);

/** An agent whose own code calls a program is concerned. The owner of a calling program is not. */
const ofCall = (
  { artifact_id, caller }: { readonly artifact_id: Id; readonly caller: Id },
  state: State,
): Names => [...partiesOf(state, artifact_id), state.agents.has(caller) ? caller : null];

/** An agent's changes concern the agent's owner. */
const ofPrincipal = ({ principal }: Event, state: State): Names => partiesOf(state, principal);

const ofSubmission = (
  event: { readonly submission: string; readonly artifact_id: Id },
  state: State,
): Names => [submissionOf(state, event.submission)?.bidder, ...ofArtifact(event, state)];

const ofReceiver = ({ to }: { readonly to: Id | null }): Names => [to];

/** A payment concerns its receiver and the owner of the artifact that it was made for. */
const ofPayment = (
  { to, artifact_id }: { readonly to: Id | null; readonly artifact_id?: Id },
  state: State,
): Names => [to, ...partiesOf(state, artifact_id)];

/** The agent to which an artifact is offered: a transfer, a new offer or a deletion ends this. */
const offeredTo = ({ artifact_id }: { readonly artifact_id: Id }, state: State): Id | undefined =>
  state.offers.get(artifact_id)?.to;

const ofOwnership = (
  event: { readonly artifact_id: Id; readonly from: Id; readonly to: Id },
  state: State,
): Names => [event.from, event.to, offeredTo(event, state), ...ofArtifact(event, state)];

const ofGrant = (event: { readonly grantor: Id; readonly contract: Id }, state: State): Names => [
  event.grantor,
  ...partiesOf(state, event.contract),
];

const ofTask = ({ task }: { readonly task: string }, state: State): Names => [
  state.tasks.get(task)?.poster,
];

/** The ids that an event concerns, or null for kinds that concern no agent. */
export const CONCERNED: { readonly [K in EventKind]: Concerned<K> | null } = {
  world_created: null,
  physics_amended: null,
  schedule_planned: null,
  schedule_executed: null,
  random_drawn: null,
  principal_created: ({ parent }) => [parent],

  artifact_written: (event, state) => [event.owner, ...ofArtifact(event, state)],
  artifact_read: ofArtifact,
  artifact_deleted: (event, state) => [offeredTo(event, state), ...ofArtifact(event, state)],
  artifact_state_changed: null,
  ownership_transferred: ofOwnership,
  ownership_offered: ofOwnership,
  ownership_offer_ended: ofOwnership,
  dangling_contract: ofArtifact,
  artifact_invoked: (event, state) => [...ofCall(event, state), ...(event.named ?? [])],
  invocation_failed: ofCall,

  scrip_transferred: ofPayment,
  scrip_minted: ofReceiver,
  scrip_burned: null,
  scrip_held: null,
  hold_split: null,
  hold_spent: ofPayment,
  hold_released: ({ hold }, state) => [state.holds.get(hold)?.owner],
  proceeds_collected: null,
  proceeds_shared: ofReceiver,
  proceeds_burned: null,
  compute_bid_placed: null,
  compute_bid_cancelled: null,
  standing_order_set: null,
  compute_sold: () => [EVERYONE],
  compute_bought: ({ buyer }, state) => partiesOf(state, buyer),
  compute_granted: ofReceiver,
  budget_issued: ofReceiver,
  budget_withdrawn: null,
  budget_transferred: ofReceiver,
  quota_transferred: ofReceiver,
  delegation_granted: ofGrant,
  delegation_revoked: ofGrant,
  delegation_used: ofGrant,

  bid_placed: (event, state) => [event.bidder, ...ofArtifact(event, state)],
  bid_cancelled: ofSubmission,
  auction_resolved: ({ won, lost, void: voided }, state) => [
    EVERYONE,
    ...[...won, ...lost, ...voided].map((id) => submissionOf(state, id)?.bidder),
  ],
  artifact_scored: ofSubmission,
  scoring_failed: ofSubmission,
  task_posted: ({ poster }) => [EVERYONE, poster],
  task_solved: (event, state) => [...ofTask(event, state), event.solver],
  task_withdrawn: ofTask,

  action_completed: null,
  action_refused: ({ target }, state) => partiesOf(state, parseId(target)),
  agent_created: ({ id }, state) => partiesOf(state, id),
  agent_state_changed: ({ agent }, state) => partiesOf(state, agent),
  agent_frozen: ofPrincipal,
  agent_unfrozen: ({ agent }, state) => partiesOf(state, agent),
  agent_rate_limited: null,
  agent_handed_over: ({ agent, from, to }) => [agent, from, to],
  agent_bankrupt: ofPrincipal,
  bankruptcy_deferred: null,
  thought_started: null,
  thought_completed: null,
  thought_dropped: null,
  thought_failed: null,
  memory_recorded: null,
  memory_written: null,
  workspace_changed: null,
  memory_refused: null,
  message_sent: null,
  messages_read: null,
  sender_blocked: null,
  sender_unblocked: null,
  contacts_set: null,
  review_set: null,
  action_proposed: null,
  proposal_decided: null,
};

const NO_CONCERN: Concern = { agents: new Set(), isForAll: false };

/**
 * Returns whom an event concerns, including the agent that caused it. An event about an artifact
 * without a loop concerns the nearest agent among its owners. `state` is the state before the
 * event.
 */
export const concernOf = (state: State, event: Event): Concern => {
  const names = namesIn(state, event);
  if (names === null) return NO_CONCERN;
  const agents = new Set<Id>();
  for (const name of names) {
    const agent = name === EVERYONE ? null : agentFor(state, name);
    if (agent !== null) agents.add(agent);
  }
  return { agents, isForAll: names.includes(EVERYONE) };
};

const namesIn = <K extends EventKind>(state: State, event: EventFor<K>): Names | null =>
  CONCERNED[event.kind]?.(event, state) ?? null;

const agentFor = (state: State, name: Id | null | undefined): Id | null => {
  let id = name ?? null;
  if (id === null || state.agents.has(id)) return id;
  const linksMax = physicsOf(state).artifacts.owner_chain_max;
  for (let links = 0; links <= linksMax; links++) {
    if (state.agents.has(id)) return id;
    const owner: Id | undefined = state.artifacts.get(id)?.owner;
    if (owner === undefined || owner === id) return null;
    id = owner;
  }
  return null;
};

/**
 * Returns the agents that get a public event in their inbox: those it concerns, except the agent
 * that caused it. No agent gets an event if another event of the same transaction says the same.
 */
export const inboxesFor = (event: Event, { agents }: Concern): readonly Id[] =>
  isSaidByAnother(event) ? [] : [...agents].filter((agent) => agent !== event.principal);

const isSaidByAnother = (event: Event): boolean => {
  switch (event.kind) {
    case "scrip_transferred":
      // The event of the call or the read also has the price.
      return event.reason === "price" || event.reason === "read_price";
    case "invocation_failed":
      // `action_refused` has the same code.
      return event.depth === 0;
    case "agent_created":
      // `principal_created` says it to the parent.
      return true;
    case "agent_handed_over":
      // `ownership_transferred` names the same parties.
      return true;
    default:
      return false;
  }
};
