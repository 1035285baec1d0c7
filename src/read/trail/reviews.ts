import { countedFrom, eventsOf } from "../../figures/index.ts";
import {
  type EventOf,
  type Proposal,
  proposalCost,
  type State,
  unansweredDecision,
  waitingProposals,
  worldRow,
} from "../../kernel/index.ts";
import type { JournalReader } from "../../world/index.ts";

/** An action that an agent has proposed to a reviewer. */
export type ProposedAction = ReturnType<typeof shown>;
export type WaitingAction = ProposedAction & ReturnType<typeof waitOf>;

export type ReviewedAction = ProposedAction & {
  /** Null: it ended without a decision, for example because the agent was paused. */
  readonly decided:
    | (Pick<EventOf<"proposal_decided">, "at_ms" | "decided_by" | "decision"> & {
        readonly seq: number;
      })
    | null;
};

export type RunReviews = ReturnType<typeof reviewsIn>;

type Span = {
  /** The state after event `upTo`. */
  readonly state: State;
  readonly upTo: number;
  /** The state that a fork starts with. */
  readonly inherited: State;
  /** The most reviewed actions to return. */
  readonly limit: number;
};

/** The actions of a run that wait for a reviewer, and those that do not wait any more. */
export const reviewsIn = (journal: JournalReader, { state, upTo, inherited, limit }: Span) => {
  const base = countedFrom(journal);
  const proposed = new Map<number, ProposedAction>();
  for (const proposal of waitingProposals(inherited)) {
    proposed.set(proposal.number, shown(proposal, base.seq));
  }
  for (const event of eventsOf(journal, "action_proposed", { after: base.seq, upTo })) {
    const { seq, at_ms: atMs, principal, proposal: number, action, reasoning, cost } = event;
    const agent = principal ?? "";
    proposed.set(number, shown({ number, atMs, agent, action, reasoning, cost }, seq));
  }
  const decided = new Map<number, ReviewedAction["decided"]>();
  for (const event of eventsOf(journal, "proposal_decided", { after: base.seq, upTo })) {
    const { seq, at_ms, proposal, decided_by, decision } = event;
    decided.set(proposal, { seq, at_ms, decided_by, decision });
  }
  const waiting = waitingProposals(state).map((proposal) => {
    const seq = proposed.get(proposal.number)?.seq ?? base.seq;
    const cost = proposalCost(state, proposal);
    return { ...shown({ ...proposal, cost }, seq), ...waitOf(state, proposal) };
  });
  const isWaiting = new Set(waiting.map(({ id }) => id));
  const reviewed = [...proposed.values()]
    .filter(({ id }) => !isWaiting.has(id))
    .map((action) => ({ ...action, decided: decided.get(action.id) ?? null }));
  const newest = reviewed.sort((a, b) => b.id - a.id).slice(0, limit);
  return {
    /** The oldest first. */
    waiting,
    /** The newest first. `reviewed_total` is the number of all that do not wait any more. */
    reviewed: newest,
    reviewed_total: reviewed.length,
  };
};

const shown = (
  {
    number,
    atMs,
    agent,
    action,
    reasoning,
    cost,
  }: Pick<Proposal, "number" | "atMs" | "action" | "reasoning" | "cost"> & {
    readonly agent: string;
  },
  seq: number,
) => ({
  /** The number of the proposal. */
  id: number,
  /** The event that proposed it. A fork gives earlier ones the event that it starts after. */
  seq,
  at_ms: atMs,
  agent,
  /** In the mind's format. */
  action,
  reasoning,
  /** The most scrip that it can cost: now if it waits, else when it was proposed. */
  cost,
});

const waitOf = (state: State, { agent, atMs }: Proposal) => {
  const decision = unansweredDecision(state, agent);
  const due = state.agents.get(agent)?.due ?? null;
  const unanswered =
    decision === null || due === null ? null : { decision: decision.kind, at_ms: due.atMs };
  return {
    /** How long it has waited in the time of the run. */
    waiting_ms: worldRow(state).now - atMs,
    /** What happens at which time without a reviewer. Null: it waits on. */
    unanswered,
  };
};
