import type { Sleeper } from "./agent/agent.ts";
import { stateChange } from "./agent/events.ts";
import { withEvent } from "./agent/inbox.ts";
import { invariant, must } from "./core/errors.ts";
import { EVERYONE, type PublicFacts } from "./core/event.ts";
import type { Id } from "./core/ids.ts";
import { append, dropOldest, logLength } from "./core/lists.ts";
import { changeWorld, physicsOf, worldRow } from "./core/world.ts";
import { type Event, type EventOf, rowOf } from "./event.ts";
import type { State } from "./state.ts";

/** The agents that an event concerns. `isForAll` is true if it concerns every agent. */
type Concern = { readonly agents: ReadonlySet<Id>; readonly isForAll: boolean };

/** An event, and whom it concerns. */
export type Happened = {
  readonly event: Event;
  readonly concern: Concern;
  /** False for an event of which nothing is public. */
  readonly isPublic: boolean;
};

const NOTHING: PublicFacts = { target: null, method: null, other: null, amount: null, code: null };

/**
 * Applies an event to the state in place, and returns whom it concerns. Throws `InvariantBroken` if
 * the event does not fit.
 */
export const evolve = (state: State, event: Event): Happened => {
  const row = must(rowOf(event), `unknown kind of event: ${event.kind}`);
  const before = state.world.get("world")?.now ?? event.at_ms;
  invariant(
    event.at_ms >= before,
    `time must not run backwards: ${event.at_ms} comes after ${before}`,
  );
  // Whom it concerns is decided by the state before the event.
  const concern = concernOf(state, event);
  row.evolve?.(state, event);
  const facts = row.facts?.(event) ?? null;
  if (facts !== null) publish(state, event, facts, concern);
  else if (worldRow(state).now !== event.at_ms) changeWorld(state, { now: event.at_ms });
  return { event, concern, isPublic: facts !== null };
};

const NO_CONCERN: Concern = { agents: new Set(), isForAll: false };

/**
 * Returns whom an event concerns, including the agent that caused it. An event about an artifact
 * without a loop concerns the nearest agent among its owners. `state` is the state before the
 * event.
 */
const concernOf = (state: State, event: Event): Concern => {
  const names = rowOf(event)?.concerns?.(event, state);
  if (names === undefined) return NO_CONCERN;
  const agents = new Set<Id>();
  for (const name of names) {
    const agent = name === EVERYONE ? null : agentFor(state, name);
    if (agent !== null) agents.add(agent);
  }
  return { agents, isForAll: names.includes(EVERYONE) };
};

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

/** Adds an event to the public log, and to the inboxes of the agents that it concerns. */
const publish = (
  state: State,
  event: Event,
  facts: Partial<PublicFacts>,
  { agents }: Concern,
): void => {
  const { at_ms, kind, principal } = event;
  const { publicEvents, publicLog, physics } = worldRow(state);
  const n = publicEvents + 1;
  const entry = { n, at_ms, kind, principal, ...NOTHING, ...facts };
  const log = append(publicLog, entry);
  const shorter = dropOldest(log, Math.max(0, logLength(log) - physics.genesis.event_log_max));
  changeWorld(state, { now: at_ms, publicLog: shorter, publicEvents: n });
  // No agent gets an event if another event of the same transaction says the same.
  if (rowOf(event)?.isToldElsewhere?.(event) === true) return;
  const told = event.kind === "artifact_invoked" ? (event.told ?? []) : [];
  for (const agent of agents) {
    if (agent === principal) continue;
    const inbox = must(state.inboxes.get(agent), `an agent must have an inbox: ${agent}`);
    const found = told.find(({ to }) => to === agent);
    const received = found === undefined ? entry : { ...entry, text: found.text };
    state.inboxes.put(agent, withEvent(inbox, received, physics.agents.inbox_events_max));
  }
};

type StateChanged = EventOf<"agent_state_changed">;

/**
 * Returns one event for each sleeper that events wake, with the first reason only.
 * `state` is the state after the events. The computing time does not grow with the number of
 * sleepers, except for events that concern every agent.
 */
export const wakeEvents = (
  state: State,
  happened: readonly Happened[],
): readonly StateChanged[] => {
  if (state.sleepers.size === 0) return [];
  const justSlept = new Set(happened.map(({ event }) => fellAsleep(event)));
  const woken = new Map<Id, StateChanged>();
  for (const each of happened) {
    const { event } = each;
    for (const id of candidates(state, each)) {
      const sleeper = woken.has(id) ? undefined : state.sleepers.get(id);
      if (sleeper === undefined) continue;
      // An event condition ignores events of the transaction in which the agent fell asleep.
      const reason = reasonFor(state, sleeper, justSlept.has(id) || !each.isPublic ? null : event);
      if (reason === null) continue;
      const due_at_ms = Math.max(event.at_ms, sleeper.earliestMs);
      const agent = must(state.agents.get(id), "a sleeper must be an agent");
      woken.set(id, stateChange(event, agent, { to: "running", reason, due_at_ms }));
    }
  }
  return [...woken.values()];
};

const fellAsleep = (event: Event): Id | null =>
  event.kind === "agent_state_changed" && event.to === "sleeping" ? event.agent : null;

/** The agents that an event can wake. A balance can wake an agent that has just fallen asleep. */
const candidates = (state: State, { event, concern }: Happened): Iterable<Id> => {
  const slept = fellAsleep(event);
  if (slept !== null) return [slept];
  return concern.isForAll ? [...state.sleepers.keys()].sort() : concern.agents;
};

/** Why a sleeper wakes, or null. `happened` is a public event, or null. */
const reasonFor = (
  state: State,
  { agent, until }: Sleeper,
  happened: Event | null,
): string | null => {
  const { scrip = 0, llmBudgetMicros = 0 } = state.accounts.get(agent) ?? {};
  for (const wake of until) {
    if ("event" in wake && happened?.kind === wake.event) return `${wake.event} happened`;
    if ("scrip_at_least" in wake && scrip >= wake.scrip_at_least) return `it has ${scrip} scrip`;
    if ("llm_budget_at_least" in wake && llmBudgetMicros >= wake.llm_budget_at_least) {
      return `it has ${llmBudgetMicros} micro-dollars`;
    }
  }
  return null;
};
