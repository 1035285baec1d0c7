import { type Agent, type Id, type State, worldRow } from "../kernel/index.ts";
import type { RunReading } from "./metrics/run-metrics.ts";
import { gini } from "./metrics/statistics.ts";
import type { Tally } from "./metrics/tally.ts";

/** The economy in a few figures: totals are of the state, the rest is of the counted events. */
export const economyOf = (state: State, tally: Tally) => {
  const { endowed, minted, burned } = worldRow(state).supply;
  const wealth = [...state.agents.rows()].map(({ id }) => wealthIn(state, id));
  return {
    scrip_total: endowed + minted - burned,
    scrip_minted: tally.supply.minted,
    scrip_burned: tally.supply.burned,
    gini: Math.round(gini(wealth) * 10_000) / 10_000,
    trades: Object.values(tally.trades).reduce((sum, count) => sum + count, 0),
    invocations_paid: tally.trades.service,
    artifacts: state.catalogue.size,
    principals: state.accounts.size,
  };
};

/** All scrip of a principal, free and held. */
export const wealthIn = (state: State, id: Id): number => {
  const account = state.accounts.get(id);
  return account === undefined ? 0 : account.scrip + account.held;
};

/** All agents, in the order they were created. */
export const agentsIn = (state: State): readonly Agent[] =>
  [...state.agents.rows()].sort((a, b) => a.order - b.order);

export const agentLine = (
  state: State,
  { id, state: agentState }: Agent,
  { actionsOf }: Pick<RunReading, "actionsOf">,
) => {
  const account = state.accounts.get(id);
  const { total: actions, succeeded } = actionsOf(id);
  return {
    id,
    state: agentState,
    /** Free scrip; `held` is set aside for bids and calls. */
    scrip: account?.scrip ?? 0,
    held: account?.held ?? 0,
    llm_budget_micros: account?.llmBudgetMicros ?? 0,
    disk_used: account?.diskUsed ?? 0,
    actions,
    succeeded,
  };
};
