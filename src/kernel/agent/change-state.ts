import type { EventIn, Stamp } from "../core/event.ts";
import type { Id } from "../core/ids.ts";
import { quotaOf } from "../ledger/account.ts";
import type { Agent, AgentStateChange, AgentTables, Lack, OwnReviewTerms } from "./agent.ts";
import type { AgentEvent, AgentEvents } from "./events.ts";

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
