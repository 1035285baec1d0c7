import { partiesOf } from "../artifact/owners.ts";
import { liveArtifact } from "../artifact/tables.ts";
import { must } from "../core/errors.ts";
import { type EventIn, rowsOf, type Stamp } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import { sipHash, wordsOf } from "../core/random.ts";
import { changeWorld, physicsOf, worldRow } from "../core/world.ts";
import { quotaOf } from "../ledger/account.ts";
import type { LedgerEvent } from "../ledger/events.ts";
import {
  type Agent,
  type AgentState,
  type AgentStateChange,
  type AgentTables,
  type BornTerms,
  type Lack,
  NO_COUNTERS,
  type OwnReviewTerms,
  type Proposal,
  type Shortage,
} from "./agent.ts";
import { emptyInbox } from "./inbox.ts";

export const agentNamed = (state: AgentTables, id: Id | null): Agent =>
  must(
    id === null ? null : state.agents.get(id),
    `the agent of a recorded event must exist: ${id}`,
  );

/** Changes fields of an agent's row. */
export const changeAgent = (state: AgentTables, agent: Agent, change: Partial<Agent>): void =>
  state.agents.put(agent.id, { ...agent, ...change });

/** The accepted proposal of an agent, whose action is due. */
export const acceptedProposal = (state: AgentTables, id: Id): Proposal | null => {
  const proposal = state.proposals.get(id);
  return proposal === undefined || proposal.stage === "waits" ? null : proposal;
};

/** Forgets the proposal of an agent. */
export const endProposal = (state: AgentTables, id: Id): void => {
  if (state.proposals.has(id)) state.proposals.remove(id);
};

/** Changes of a state that are private, or that another public event of the transaction tells. */
const isToldElsewhere = (
  event: AgentStateChange & { agent: Id; from: AgentState; principal: Id | null },
): boolean => {
  const { principal, agent, from, to, cause } = event;
  // Sleeps and reviews are private.
  if (from === "sleeping" || to === "sleeping" || to === "in_review") return true;
  // `agent_frozen`, `agent_bankrupt`, `agent_unfrozen` and `agent_handed_over` have the details.
  return to === "frozen" || principal !== agent || cause === "bankrupt";
};

const row = rowsOf<AgentTables>();

/** Events about an agent as others know it. `src/kernel/loop/events.ts` has those of its loop. */
export const AGENT_EVENTS = {
  agent_created: row<
    { id: Id; memory_artifact_id: Id; order: number; due_at_ms: number } & BornTerms
  >({
    about: "an agent was created and will think",
    evolve: (state, event) => {
      const { id, order, group, contacts = null, values = {} } = event;
      const { secret, codesWritten, physics } = worldRow(state);
      changeWorld(state, { agentsMade: order + 1 });
      if (codesWritten === 0) {
        // The texts of the agents make the secret. Once code is written, it stays the same.
        const texts = [id, event.memory_artifact_id].map(
          (text) => liveArtifact(state, text)?.content ?? "",
        );
        changeWorld(state, { secret: sipHash(secret, wordsOf(texts.join(" "))) });
      }
      state.agents.put(id, {
        id,
        order,
        group,
        contacts,
        values,
        state: "running",
        reason: "it has run since it was created",
        cause: null,
        due: { step: "think", atMs: event.due_at_ms },
        thinking: null,
        pending: null,
        reasoning: "",
        sleep: null,
        epoch: 0,
        needs: null,
        waitsFor: null,
        delayMs: physics.agents.min_delay_ms,
        counters: NO_COUNTERS,
        actions: [],
        failures: [],
        last: null,
        remembered: 0,
        mind: null,
      });
      state.inboxes.put(id, emptyInbox(id));
    },
    concerns: ({ id }, state) => partiesOf(state, id),
    facts: ({ id }) => ({ target: id }),
    // `principal_created` says it to the parent.
    isToldElsewhere: () => true,
  }),

  /** No other event changes an agent's state. `principal` is the principal that caused it. */
  agent_state_changed: row<AgentStateChange & { agent: Id; from: AgentState }>({
    about: "an agent changed its state; the event has both states and the reason",
    evolve: (state, event) => {
      const agent = agentNamed(state, event.agent);
      const { at_ms, from, to, reason, cause = null, due_at_ms, sleep } = event;
      if (state.sleepers.has(agent.id)) state.sleepers.remove(agent.id);
      if (sleep !== undefined && sleep.until.length > 0) {
        const earliestMs = at_ms + agent.delayMs;
        state.sleepers.put(agent.id, { agent: agent.id, until: sleep.until, earliestMs });
      }
      const accepted = from === "in_review" ? acceptedProposal(state, agent.id) : null;
      // Any other end of a review ends the proposal.
      if (to !== "in_review" && accepted === null) endProposal(state, agent.id);
      const step = accepted === null ? "think" : "act";
      // An agent that starts again has no failures, except after a sleep or a review.
      const isForgiven = to === "running" && from !== "sleeping" && from !== "in_review";
      changeAgent(state, agent, {
        // The change drops the pending action and invalidates a running thought.
        pending: accepted?.action ?? null,
        reasoning: "",
        sleep: accepted?.sleep ?? null,
        epoch: agent.epoch + 1,
        state: to,
        reason,
        cause,
        due: due_at_ms === null ? null : { step, atMs: due_at_ms },
        needs: to === "frozen" ? agent.needs : null,
        waitsFor: null,
        ...(isForgiven && {
          counters: { ...agent.counters, errors: 0 },
          delayMs: physicsOf(state).agents.min_delay_ms,
        }),
      });
    },
    concerns: ({ agent }, state) => partiesOf(state, agent),
    facts: (event) => (isToldElsewhere(event) ? null : { target: event.to }),
  }),

  /** `needs` and `has` are micro-dollars of model budget, or the quota of a window. */
  agent_frozen: row<Shortage>({
    about: "an agent has too little model budget or quota for its next thought or action",
    evolve: (state, { principal, lacks, needs, terms = null, at_ms }) =>
      changeAgent(state, agentNamed(state, principal), {
        needs: { lacks, amount: needs, terms, sinceMs: at_ms },
      }),
    concerns: ({ principal }, state) => partiesOf(state, principal),
    facts: ({ lacks, needs }) => ({ target: lacks, amount: needs }),
  }),

  /** `principal` is the payer, or null if the world sold or divided model budget. */
  agent_unfrozen: row<{ agent: Id }>({
    about: "a frozen agent received the budget or quota that it lacked",
    concerns: ({ agent }, state) => partiesOf(state, agent),
    facts: ({ agent }) => ({ other: agent }),
  }),

  agent_handed_over: row<{ agent: Id; from: Id; to: Id; dropped: boolean }>({
    about: "an agent has a new owner; its pending action was dropped",
    concerns: ({ agent, from, to }) => [agent, from, to],
    facts: ({ agent, to }) => ({ target: agent, other: to }),
    // `ownership_transferred` names the same parties.
    isToldElsewhere: () => true,
  }),

  contacts_set: row<{ agent: Id; contacts: readonly Id[] | null }>({
    about: "to whom an agent may send messages; null: to all",
    evolve: (state, { agent, contacts }) =>
      changeAgent(state, agentNamed(state, agent), { contacts }),
  }),

  review_set: row<{ agent: Id } & OwnReviewTerms>({
    about: "which actions of an agent wait for a reviewer, and what happens without an answer",
    evolve: (state, { agent, review, review_default }) => {
      if (review !== null || review_default !== null) {
        state.reviewed.put(agent, { agent, review, review_default });
      } else if (state.reviewed.has(agent)) state.reviewed.remove(agent);
    },
  }),
};

export type AgentEvents = typeof AGENT_EVENTS;
/** The events that the rooms up to this one can cause. */
export type AgentEvent = LedgerEvent | EventIn<AgentEvents>;

/** Returns the event that changes the state of an agent. */
export const stateChange = (
  { at_ms, principal }: Stamp,
  { id, state: from }: Agent,
  change: AgentStateChange,
): EventIn<AgentEvents, "agent_state_changed"> => ({
  at_ms,
  principal,
  kind: "agent_state_changed",
  agent: id,
  from,
  ...change,
});

/** Returns the events that unfreeze an agent, if a gift covers the lack that froze the agent. */
export const unfrozen = (
  state: AgentTables,
  when: Stamp,
  to: Id,
  what: Lack | "disk",
  amount: number,
): readonly AgentEvent[] => {
  const account = state.accounts.get(to);
  const agent = state.agents.get(to);
  const needs = agent?.needs ?? null;
  if (agent?.state !== "frozen" || account === undefined || needs?.lacks !== what) return [];
  const has = what === "llm_budget" ? account.llmBudgetMicros : quotaOf(account, what);
  if (has + amount < needs.amount) return [];
  const { at_ms } = when;
  const reason = when.principal === null ? "it got model budget" : `funded by ${when.principal}`;
  const continues = { to: "running", reason, due_at_ms: at_ms } as const;
  return [{ ...when, kind: "agent_unfrozen", agent: to }, stateChange(when, agent, continues)];
};

type ReviewSet = EventIn<AgentEvents, "review_set">;

/** Returns the event that gives an agent terms. */
export const reviewSet = (
  when: Stamp,
  agent: Id,
  { review, review_default }: OwnReviewTerms,
): ReviewSet => ({ ...when, kind: "review_set", agent, review, review_default });
