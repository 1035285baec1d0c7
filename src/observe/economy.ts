import { type Agent, type Id, type State, wholeOf } from "../kernel/index.ts";
import { gini, type RunReading, type Tally } from "./metrics/index.ts";

/**
 * The economy in a few figures; keys as in the JSON that other programs rely on. What there is, is
 * of the state; what was minted, burned, traded and paid, is of the events that were counted.
 */
export type Economy = {
  readonly scrip_total: number;
  readonly scrip_minted: number;
  readonly scrip_burned: number;
  /** Over the agents' scrip, free and held. */
  readonly gini: number;
  /** Of all kinds. */
  readonly trades: number;
  readonly invocations_paid: number;
  readonly artifacts: number;
  readonly principals: number;
};

export const economyOf = (state: State, tally: Tally): Economy => {
  const { endowed, minted, burned } = wholeOf(state).supply;
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

export type AgentLine = {
  readonly id: string;
  readonly state: string;
  /** Free; what is set aside for bids and calls is `held`. */
  readonly scrip: number;
  readonly held: number;
  readonly llm_budget_micros: number;
  readonly disk_used: number;
  readonly actions: number;
  readonly succeeded: number;
};

/** All agents, in the order they were created. */
export const agentsIn = (state: State): readonly Agent[] =>
  [...state.agents.rows()].sort((a, b) => a.order - b.order);

/** One line an agent, in the order they were created. */
export const agentLines = (state: State, reading: RunReading): readonly AgentLine[] =>
  agentsIn(state).map((agent) => agentLine(state, agent, reading));

export const agentLine = (
  state: State,
  { id, state: is }: Agent,
  { actionsOf }: Pick<RunReading, "actionsOf">,
): AgentLine => {
  const account = state.accounts.get(id);
  const { total: actions, succeeded } = actionsOf(id);
  return {
    id,
    state: is,
    scrip: account?.scrip ?? 0,
    held: account?.held ?? 0,
    llm_budget_micros: account?.llmBudgetMicros ?? 0,
    disk_used: account?.diskUsed ?? 0,
    actions,
    succeeded,
  };
};
