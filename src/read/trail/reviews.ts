import {
  type EventOf,
  type Json,
  type Proposal,
  type ReviewDecision,
  type State,
  unansweredDecision,
  waitingProposals,
  worldRow,
} from "../../kernel/index.ts";
import type { JournalReader } from "../../world/index.ts";
import { countedFrom, eventsOf } from "../log/log.ts";

/** An action that an agent has proposed to a reviewer. */
export type ProposedAction = {
  /** The number of the proposal. */
  readonly id: number;
  /** The event that proposed it. A fork gives earlier ones the event that it starts after. */
  readonly seq: number;
  readonly at_ms: number;
  readonly agent: string;
  /** In the mind's format. */
  readonly action: Json;
  readonly reasoning: string;
  /** The most scrip that it can cost. */
  readonly cost: number;
};

export type WaitingAction = ProposedAction & {
  /** How long it has waited in the time of the run. */
  readonly waiting_ms: number;
  /** What happens at which time without a reviewer. Null: it waits on. */
  readonly unanswered: { readonly decision: ReviewDecision["kind"]; readonly at_ms: number } | null;
};

export type ReviewedAction = ProposedAction & {
  /** Null: it ended without a decision, for example because the agent was paused. */
  readonly decided: {
    readonly seq: number;
    readonly at_ms: number;
    readonly decided_by: EventOf<"proposal_decided">["decided_by"];
    readonly decision: ReviewDecision;
  } | null;
};

export type RunReviews = {
  /** The oldest first. */
  readonly waiting: readonly WaitingAction[];
  /** The newest first. */
  readonly reviewed: readonly ReviewedAction[];
  /** The number of all actions that do not wait any more. `reviewed` has only the newest ones. */
  readonly reviewed_total: number;
};

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
export const reviewsIn = (
  journal: JournalReader,
  { state, upTo, inherited, limit }: Span,
): RunReviews => {
  const base = countedFrom(journal);
  const proposed = new Map<number, ProposedAction>();
  for (const proposal of waitingProposals(inherited)) {
    proposed.set(proposal.number, shown(proposal, base.seq));
  }
  for (const event of eventsOf(journal, "action_proposed", { after: base.seq, upTo })) {
    const { seq, at_ms, principal, proposal: id, action, reasoning, cost } = event;
    proposed.set(id, { id, seq, at_ms, agent: principal ?? "", action, reasoning, cost });
  }
  const decided = new Map<number, ReviewedAction["decided"]>();
  for (const event of eventsOf(journal, "proposal_decided", { after: base.seq, upTo })) {
    const { seq, at_ms, proposal, decided_by, decision } = event;
    decided.set(proposal, { seq, at_ms, decided_by, decision });
  }
  const waiting = waitingProposals(state).map((proposal) => {
    const seq = proposed.get(proposal.number)?.seq ?? base.seq;
    return { ...shown(proposal, seq), ...waitOf(state, proposal) };
  });
  const isWaiting = new Set(waiting.map(({ id }) => id));
  const reviewed = [...proposed.values()]
    .filter(({ id }) => !isWaiting.has(id))
    .map((action) => ({ ...action, decided: decided.get(action.id) ?? null }));
  const newest = reviewed.sort((a, b) => b.id - a.id).slice(0, limit);
  return { waiting, reviewed: newest, reviewed_total: reviewed.length };
};

const shown = (proposal: Proposal, seq: number): ProposedAction => {
  const { number: id, atMs: at_ms, agent, action, reasoning, cost } = proposal;
  return { id, seq, at_ms, agent, action, reasoning, cost };
};

const waitOf = (state: State, { agent, atMs }: Proposal) => {
  const decision = unansweredDecision(state, agent);
  const due = state.agents.get(agent)?.due ?? null;
  const unanswered =
    decision === null || due === null ? null : { decision: decision.kind, at_ms: due.atMs };
  return { waiting_ms: worldRow(state).now - atMs, unanswered };
};
