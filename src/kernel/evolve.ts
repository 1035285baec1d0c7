import { type Concern, concernOf, inboxesFor } from "./agent/concern.ts";
import { AGENT_CHANGES } from "./agent/evolve-agent.ts";
import { withEvent } from "./agent/inbox.ts";
import { PROPOSAL_CHANGES } from "./agent/proposal.ts";
import { ARTIFACT_CHANGES } from "./artifact/evolve-artifact.ts";
import { COMPUTE_CHANGES } from "./compute/evolve-compute.ts";
import type { Event, EventFor, EventKind } from "./event.ts";
import { MONEY_CHANGES } from "./ledger/books.ts";
import { GRANT_CHANGES } from "./ledger/delegation.ts";
import { MESSAGE_CHANGES } from "./messages/evolve-messages.ts";
import { MINT_CHANGES } from "./mint/evolve-mint.ts";
import type { Id } from "./primitives/ids.ts";
import { invariant, must } from "./primitives/invariant.ts";
import { seedPrng } from "./primitives/prng.ts";
import { SCHEDULE_CHANGES } from "./schedule/execute.ts";
import { publicFacts, withPublicEvent } from "./search/public-log.ts";
import { type Changes, newWorldRow, type State, worldRow } from "./state.ts";

/**
 * Applies an event to the state in place, and returns whom it concerns. Throws `InvariantBroken` if
 * the event does not fit.
 */
export const evolve = (state: State, event: Event): Concern => {
  const before = state.world.get("world")?.now ?? event.at_ms;
  invariant(
    event.at_ms >= before,
    `time must not run backwards: ${event.at_ms} comes after ${before}`,
  );
  const concern = concernOf(state, event);
  apply(state, event);
  publish(state, event, concern);
  return concern;
};

/** Moves the world's time, and adds a public event to the public log and to inboxes. */
const publish = (state: State, event: Event, concern: Concern): void => {
  const world = worldRow(state);
  const facts = publicFacts(event);
  if (facts === null) {
    if (world.now !== event.at_ms) state.world.put("world", { ...world, now: event.at_ms });
    return;
  }
  const n = world.publicEvents + 1;
  const { at_ms, kind, principal } = event;
  const entry = { n, at_ms, kind, principal, ...facts };
  const keptMax = world.physics.genesis.event_log_max;
  const publicLog = withPublicEvent(world.publicLog, entry, keptMax);
  state.world.put("world", { ...world, now: at_ms, publicLog, publicEvents: n });
  for (const agent of inboxesFor(event, concern)) {
    const inbox = must(state.inboxes.get(agent), `an agent must have an inbox: ${agent}`);
    const received = { ...entry, ...textFor(agent, event) };
    state.inboxes.put(agent, withEvent(inbox, received, world.physics.agents.inbox_events_max));
  }
};

/** What a program told an agent about its call. */
const textFor = (agent: Id, event: Event): { readonly text?: string } => {
  const told = event.kind === "artifact_invoked" ? (event.told ?? []) : [];
  const found = told.find(({ to }) => to === agent);
  return found === undefined ? {} : { text: found.text };
};

const apply = <K extends EventKind>(state: State, event: EventFor<K>): void => {
  invariant(Object.hasOwn(CHANGES, event.kind), `unknown kind of event: ${event.kind}`);
  CHANGES[event.kind](state, event);
};

const noChange = (): void => {};

const CHANGES: Changes<EventKind> = {
  world_created: (state, { physics, at_ms }) => {
    const prng = seedPrng(physics.seed, "world");
    state.world.put("world", newWorldRow(physics, prng, at_ms));
  },
  physics_amended: (state, { physics }) =>
    state.world.put("world", { ...worldRow(state), physics }),
  random_drawn: (state, { prng }) => state.world.put("world", { ...worldRow(state), prng }),
  dangling_contract: noChange,
  ...MONEY_CHANGES,
  ...GRANT_CHANGES,
  ...ARTIFACT_CHANGES,
  ...AGENT_CHANGES,
  ...MESSAGE_CHANGES,
  ...PROPOSAL_CHANGES,
  ...MINT_CHANGES,
  ...COMPUTE_CHANGES,
  ...SCHEDULE_CHANGES,
};
