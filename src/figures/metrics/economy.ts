import {
  type Agent,
  type Artifact,
  type Id,
  NO_USAGE,
  type State,
  worldRow,
} from "../../kernel/index.ts";
import type { Activity } from "./activity.ts";
import type { RunFigures } from "./run-meter.ts";
import { gini, sumOf } from "./statistics.ts";

/** Key figures. Stocks such as `gini` come from the state, flows such as `trades` from events. */
export const economyOf = (state: State, activity: Activity) => {
  const { endowed, minted, burned } = worldRow(state).supply;
  const wealth = [...state.agents.rows()].map(({ id }) => wealthIn(state, id));
  return {
    scrip_total: endowed + minted - burned,
    scrip_minted: activity.supply.minted,
    scrip_burned: activity.supply.burned,
    gini: Math.round(gini(wealth) * 10_000) / 10_000,
    trades: sumOf(Object.values(activity.trades)),
    invocations_paid: activity.trades.service,
    artifacts: state.catalogue.size,
    principals: state.accounts.size,
  };
};

export const wealthIn = (state: State, id: Id): number => {
  const account = state.accounts.get(id);
  return account === undefined ? 0 : account.scrip + account.held;
};

export const agentsIn = (state: State): readonly Agent[] =>
  [...state.agents.rows()].sort((a, b) => a.order - b.order);

/** A principal's free scrip, `held` scrip (set aside for bids and calls) and other resources. */
export const meansOf = (state: State, id: Id) => {
  const account = state.accounts.get(id);
  return {
    scrip: account?.scrip ?? 0,
    held: account?.held ?? 0,
    llm_budget_micros: account?.llmBudgetMicros ?? 0,
    disk_used: account?.diskUsed ?? 0,
    disk_quota: account?.diskQuota ?? 0,
  };
};

/**
 * An agent in the shape that all JSON documents share. Some documents add fields. `thoughts` are all
 * thoughts, also those that failed.
 */
export const agentFigures = (
  state: State,
  agent: Agent,
  counts: { readonly thoughts: number; readonly actions: number; readonly succeeded: number },
) => {
  const { id, group } = agent;
  return {
    id,
    owner: state.artifacts.get(id)?.owner ?? id,
    parent: state.accounts.get(id)?.parent ?? null,
    group,
    state: agent.state,
    reason: agent.reason,
    cause: agent.cause,
    wealth: wealthIn(state, id),
    ...meansOf(state, id),
    thoughts: counts.thoughts,
    actions: counts.actions,
    succeeded: counts.succeeded,
  };
};

/** The figures of an agent, counted from the start of the run. */
export const agentLine = (state: State, agent: Agent, figures: RunFigures) => {
  const { total: actions, succeeded } = figures.actionsOf(agent.id);
  const { thoughts } = figures.thoughtsOf(agent.id);
  return agentFigures(state, agent, { thoughts, actions, succeeded });
};

/** The calls, reads and revenue of an artifact since an earlier state. */
export const tradeSince = (id: Id, now: State, earlier: State) => {
  const [last, first] = [now.trades.get(id) ?? NO_USAGE, earlier.trades.get(id) ?? NO_USAGE];
  return {
    invocations: last.calls - first.calls,
    invocations_by_others: last.callsByOthers - first.callsByOthers,
    failures: last.failures - first.failures,
    reads: last.reads - first.reads,
    revenue: last.revenue - first.revenue,
  };
};

/** Finds an artifact by an unchecked id, for example from the command line. */
export const artifactNamed = (state: State, id: string): Artifact | undefined =>
  [...state.artifacts.rows()].find((each) => each.id === id);
