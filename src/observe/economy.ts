import {
  type Agent,
  type Artifact,
  type Id,
  NO_TRADE,
  type State,
  worldRow,
} from "../kernel/index.ts";
import type { RunReading } from "./metrics/run-meter.ts";
import { gini, sumOf } from "./metrics/statistics.ts";
import type { Tally } from "./metrics/tally.ts";

/** Key figures. Totals come from the state; all others come from the counted events. */
export const economyOf = (state: State, tally: Tally) => {
  const { endowed, minted, burned } = worldRow(state).supply;
  const wealth = [...state.agents.rows()].map(({ id }) => wealthIn(state, id));
  return {
    scrip_total: endowed + minted - burned,
    scrip_minted: tally.supply.minted,
    scrip_burned: tally.supply.burned,
    gini: Math.round(gini(wealth) * 10_000) / 10_000,
    trades: sumOf(Object.values(tally.trades)),
    invocations_paid: tally.trades.service,
    artifacts: state.catalogue.size,
    principals: state.accounts.size,
  };
};

export const wealthIn = (state: State, id: Id): number => {
  const account = state.accounts.get(id);
  return account === undefined ? 0 : account.scrip + account.held;
};

/** All agents, in the order they were created. */
export const agentsIn = (state: State): readonly Agent[] =>
  [...state.agents.rows()].sort((a, b) => a.order - b.order);

/** Free scrip, `held` scrip (set aside for bids and calls), and the other resources. */
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

export const agentLine = (state: State, { id, state: status }: Agent, reading: RunReading) => {
  const { disk_quota: _, ...means } = meansOf(state, id);
  const { total: actions, succeeded } = reading.actionsOf(id);
  return { id, state: status, ...means, actions, succeeded };
};

/** The trade with an artifact since an earlier state. */
export const tradeSince = (id: Id, now: State, earlier: State) => {
  const [last, first] = [now.trades.get(id) ?? NO_TRADE, earlier.trades.get(id) ?? NO_TRADE];
  return {
    invocations: last.calls - first.calls,
    invocations_by_others: last.callsByOthers - first.callsByOthers,
    failures: last.failures - first.failures,
    reads: last.reads - first.reads,
    revenue: last.revenue - first.revenue,
  };
};

/** Finds an artifact by a name that may be any text. */
export const artifactNamed = (state: State, id: string): Artifact | undefined =>
  [...state.artifacts.rows()].find((each) => each.id === id);
