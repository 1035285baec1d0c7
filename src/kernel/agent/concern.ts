import type { Event, EventFor, EventKind } from "../event.ts";
import { submissionOf } from "../mint/status.ts";
import { type Id, parseId } from "../primitives/ids.ts";
import { physicsOf, type State } from "../state.ts";

type Names = readonly (Id | null | undefined)[];
type Concerned<K extends EventKind> = (event: EventFor<K>, state: State) => Names;

/** An artifact and its owner. For an artifact that is an agent, both are concerned. */
const partiesOf = (state: State, id: Id): Names => [id, state.artifacts.get(id)?.owner];

const ofArtifact = ({ artifact_id }: { readonly artifact_id: Id }, state: State): Names =>
  partiesOf(state, artifact_id);

/** An agent's changes concern the agent's owner. */
const ofPrincipal = ({ principal }: Event, state: State): Names =>
  principal === null ? [] : partiesOf(state, principal);

const ofSubmission = (
  event: { readonly submission: string; readonly artifact_id: Id },
  state: State,
): Names => [submissionOf(state, event.submission)?.bidder, ...ofArtifact(event, state)];

const ofReceiver = ({ to }: { readonly to: Id | null }): Names => [to];

const ofOwnership = (
  event: { readonly artifact_id: Id; readonly from: Id; readonly to: Id },
  state: State,
): Names => [event.from, event.to, ...ofArtifact(event, state)];

const ofGrant = (event: { readonly grantor: Id; readonly contract: Id }, state: State): Names => [
  event.grantor,
  ...partiesOf(state, event.contract),
];

/** The ids that a public event concerns. Null if the event concerns no agent or is private. */
const CONCERNED: { readonly [K in EventKind]: Concerned<K> | null } = {
  world_created: null,
  physics_amended: null,
  random_drawn: null,
  principal_created: ({ parent }) => [parent],

  artifact_written: (event, state) => [event.owner, ...ofArtifact(event, state)],
  artifact_read: ofArtifact,
  artifact_deleted: ofArtifact,
  artifact_state_changed: null,
  ownership_transferred: ofOwnership,
  ownership_offered: ofOwnership,
  ownership_offer_ended: ofOwnership,
  dangling_contract: ofArtifact,
  artifact_invoked: (event, state) => [...ofArtifact(event, state), ...(event.named ?? [])],
  invocation_failed: ofArtifact,

  // The event of a call or a read also has its price.
  scrip_transferred: (event) => (isPrice(event.reason) ? [] : ofReceiver(event)),
  scrip_minted: ofReceiver,
  scrip_burned: null,
  scrip_held: null,
  hold_split: null,
  hold_spent: (event) => (isPrice(event.reason) ? [] : ofReceiver(event)),
  hold_released: null,
  budget_transferred: ofReceiver,
  quota_transferred: ofReceiver,
  delegation_granted: ofGrant,
  delegation_revoked: ofGrant,
  delegation_used: ofGrant,

  bid_placed: ofSubmission,
  bid_cancelled: ofSubmission,
  auction_resolved: ({ won, lost, void: voided }, state) =>
    [...won, ...lost, ...voided].map((id) => submissionOf(state, id)?.bidder),
  artifact_scored: ofSubmission,
  scoring_failed: ofSubmission,
  // Tasks are shown to all agents, so a new task concerns no agent more than the others.
  task_posted: null,
  task_solved: ({ task }, state) => [state.tasks.get(task)?.poster],
  task_withdrawn: null,

  action_completed: null,
  action_refused: ({ target }, state) => {
    const id = parseId(target);
    return id === null ? [] : partiesOf(state, id);
  },
  agent_created: null,
  agent_state_changed: ofPrincipal,
  agent_frozen: ofPrincipal,
  agent_unfrozen: ({ agent }, state) => partiesOf(state, agent),
  agent_rate_limited: null,
  agent_slept: null,
  // The event that wakes an agent is itself in the agent's inbox if it concerns the agent.
  agent_woken: null,
  agent_handed_over: ({ agent, from, to }) => [agent, from, to],
  agent_bankrupt: ofPrincipal,
  thought_started: null,
  thought_completed: null,
  thought_dropped: null,
  thought_failed: null,
  memory_recorded: null,
  memory_written: null,
  memory_refused: null,
};

const isPrice = (reason: string): boolean => reason === "price" || reason === "read_price";

/**
 * Returns the agents that a public event concerns, except the agent that caused it. An event about
 * an artifact without a loop concerns the nearest agent among its owners. `state` is the state
 * before the event.
 */
export const agentsConcerned = (state: State, event: Event): ReadonlySet<Id> => {
  const agents = new Set<Id>();
  for (const name of namesIn(state, event)) {
    const agent = agentFor(state, name);
    if (agent !== null && agent !== event.principal) agents.add(agent);
  }
  return agents;
};

const namesIn = <K extends EventKind>(state: State, event: EventFor<K>): Names =>
  CONCERNED[event.kind]?.(event, state) ?? [];

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
