import { isReserved } from "../../kernel/index.ts";
import { INCOME_SOURCES } from "../../run/index.ts";
import type { CountedFrom } from "../log/log.ts";
import type { AlarmPeriod } from "./alarms.ts";
import { flowSum } from "./balances.ts";
import type { EventCounters } from "./event-counters.ts";
import { frozenShare } from "./roster.ts";
import { addTo, divisionOfLabour, gini, hhi, lorenz, specialisation, sumOf } from "./statistics.ts";
import type { Timeline } from "./timeline.ts";
import { earnedIn, type Income, incomeOfAll, NO_INCOME, revenueIn } from "./trade.ts";

/**
 * All figures of a run up to one moment, as JSON. `docs/report.md` describes each figure. Amounts
 * are in scrip, costs of models in micro-dollars, and shares from 0 to 1. Times are run times, so a
 * replay gives the same figures.
 */
export type RunMetrics = ReturnType<typeof metricsOf>;
type PrincipalMetrics = RunMetrics["principals"][number];

/** The start and the end of the events that a `RunMeter` has counted, and their number. */
export type CountedTo = {
  readonly base: CountedFrom;
  events: number;
  lastSeq: number;
  atMs: number;
};

/** The counters of a `RunMeter` at one moment. */
type Counted = Readonly<CountedTo> & {
  readonly counters: EventCounters;
  /** The integral of the scrip supply over run time in ms. */
  readonly supplyTime: number;
  readonly alarms: readonly AlarmPeriod[];
};

/** All figures, with those that need a pass over all payments, goods and samples. */
export const metricsOf = (counted: Counted, timeline: Timeline) => {
  const { graph, goods, roster } = counted.counters;
  return {
    ...keyFiguresOf(counted),
    network: graph.network(roster.ids()),
    gains_from_trade: goods.gains(),
    timeline,
  };
};

/** The figures that a page of a live run asks for again and again. */
export type KeyFigures = ReturnType<typeof keyFiguresOf>;

export const keyFiguresOf = (counted: Counted) => {
  const { base, events, lastSeq, atMs, counters } = counted;
  const { activity, roster, capital, sales, services } = counters;
  const { trades, lives } = activity.total();
  const principals = principalsOf(counted);
  return {
    /** The number and the run time of the last event before counting starts. */
    from_seq: base.seq,
    from_ms: base.at_ms,
    last_seq: lastSeq,
    at_ms: atMs,
    events,
    money: moneyOf(counted),
    wealth: wealthOf(principals.filter(({ agent }) => agent)),
    revenue: {
      total: sumOf(principals.map(({ revenue }) => revenue)),
      by_source: incomeOfAll(principals.map(({ income }) => income)),
      hhi: hhi(principals.map(({ revenue }) => revenue)),
      division_of_labour: divisionOfLabour(principals.map(({ income }) => bySource(income))),
    },
    trades: { total: sumOf(Object.values(trades)), by_kind: trades },
    capital: capital.capital(),
    compute: sales.compute(),
    work: workOf(counted),
    lives: { ...lives, frozen_share: frozenShare(roster.frozen(atMs)) },
    /** Agents by time of creation, then other principals that had or earned scrip, by id. */
    principals,
    services: services.services(),
    schedule: activity.scheduled(),
    alarms: counted.alarms,
  };
};

const bySource = (income: Income): readonly number[] =>
  INCOME_SOURCES.map((source) => income[source]);

const moneyOf = ({ counters, supplyTime }: Counted) => {
  const { activity, balances, graph, prices, sales } = counters;
  const { turnover, payments } = graph;
  return {
    supply: balances.supply,
    ...activity.total().supply,
    proceeds: sales.proceeds(),
    turnover,
    payments,
    velocity_per_min: supplyTime === 0 ? 0 : (turnover * 60_000) / supplyTime,
    price_index: prices.value,
    price_movers: prices.movers(),
  };
};

const wealthOf = (agents: readonly { readonly id: string; readonly wealth: number }[]) => {
  const amounts = agents.map(({ wealth }) => wealth).sort((a, b) => a - b);
  const total = sumOf(amounts);
  const [lower, upper] = [amounts[(amounts.length - 1) >> 1] ?? 0, amounts[amounts.length >> 1]];
  const most = amounts.at(-1) ?? 0;
  return {
    agents: amounts.length,
    total,
    mean: amounts.length === 0 ? 0 : total / amounts.length,
    median: (lower + (upper ?? 0)) / 2,
    gini: gini(amounts),
    lorenz: lorenz(amounts),
    richest: agents.find(({ wealth }) => wealth === most)?.id ?? null,
    richest_share: total === 0 ? 0 : most / total,
  };
};

const workOf = ({ counters: { activity }, atMs, base }: Counted) => {
  const { actions, thinking, messages } = activity.total();
  const { thoughts, costMicros, apiCostMicros } = activity.thoughts();
  const minutes = (atMs - base.at_ms) / 60_000;
  const perMinute = (count: number): number => (minutes === 0 ? 0 : count / minutes);
  return {
    actions: actions.total,
    succeeded: actions.succeeded,
    success_rate: actions.total === 0 ? 0 : actions.succeeded / actions.total,
    top_errors: mostFrequent(actions.by_error),
    thoughts,
    thoughts_failed: thinking.failed,
    thought_failures: mostFrequent(thinking.failed_by),
    messages: messages.delivered,
    messages_refused: messages.refused,
    actions_per_min: perMinute(actions.total),
    thoughts_per_min: perMinute(thoughts),
    cost_micros: costMicros,
    api_cost_micros: apiCostMicros,
  };
};

/** Codes with their counts, the most frequent first. Of equal counts, in alphabetical order. */
export const mostFrequent = (counts: { readonly [code: string]: number }) =>
  Object.entries(counts)
    .map(([code, times]) => ({ code, times }))
    .toSorted((a, b) => b.times - a.times || (a.code < b.code ? -1 : 1));

const principalsOf = (counted: Counted) => {
  const { roster, balances, incomes } = counted.counters;
  const agents = roster.ids();
  const known = new Set(agents);
  const others = [...new Set([...balances.ids(), ...incomes.ids()])].filter((id) => !known.has(id));
  const inPrograms = scripInPrograms(counted.counters);
  const all = [...agents, ...others.sort()].map((id) => ({
    ...principalOf(id, counted),
    /** The scrip of the programs that this principal owns. This scrip is not part of `wealth`. */
    in_own_programs: inPrograms.get(id) ?? 0,
  }));
  return all.filter(({ agent, began_with, wealth, earned }) => {
    return agent || began_with + wealth + earned > 0;
  });
};

export const scripInPrograms = ({ balances, capital, roster }: EventCounters) => {
  const sums = new Map<string, number>();
  for (const id of balances.ids()) {
    const owner = roster.statusOf(id) === null ? capital.ownerOf(id) : null;
    if (owner !== null) addTo(sums, owner, balances.wealthOf(id));
  }
  return sums;
};

const principalOf = (id: string, { counters, atMs }: Counted) => {
  const { activity, incomes, balances, roster, graph } = counters;
  // Genesis artifacts have no income, because they only forward scrip to other principals.
  const income = isReserved(id) ? NO_INCOME : incomes.of(id);
  const { total: actions, succeeded } = activity.actionsOf(id);
  const { thoughts, costMicros, apiCostMicros } = activity.thoughtsOf(id);
  const state = roster.statusOf(id);
  return {
    id,
    agent: state !== null,
    /** The group of an agent, from `agent.yaml` or its parent. */
    group: roster.groupOf(id),
    state,
    /** Free and held scrip. The sum is equal to `began_with + received - given`. */
    wealth: balances.wealthOf(id),
    began_with: balances.beganWith(id),
    received: flowSum(balances.receivedBy(id)),
    given: flowSum(balances.givenBy(id)),
    received_by: balances.receivedBy(id),
    given_by: balances.givenBy(id),
    earned: earnedIn(income),
    income,
    specialisation: specialisation(bySource(income)),
    revenue: revenueIn(income),
    paid: graph.paidBy(id),
    burned: balances.burnedBy(id),
    actions,
    succeeded,
    thoughts,
    cost_micros: costMicros,
    api_cost_micros: apiCostMicros,
    frozen_share: frozenShare(roster.frozenOf(id, atMs)),
  };
};

/** The figures of the agents of each group, by name. Agents without a group come last. */
export const groupsOf = (principals: readonly PrincipalMetrics[]) => {
  const agents = principals.filter(({ agent }) => agent);
  const groups = [...Map.groupBy(agents, ({ group }) => group)];
  return groups.toSorted(([a], [b]) => order(a, b)).map(([group, rows]) => rowOf(group, rows));
};

export type GroupFigures = ReturnType<typeof rowOf>;

const order = (a: string | null, b: string | null): number => {
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
};

const rowOf = (group: string | null, agents: readonly PrincipalMetrics[]) => {
  const sum = (figure: (agent: PrincipalMetrics) => number): number => sumOf(agents.map(figure));
  const wealth = agents.map((agent) => agent.wealth).sort((a, b) => a - b);
  return {
    group,
    agents: agents.length,
    wealth: sumOf(wealth),
    mean_wealth: sumOf(wealth) / agents.length,
    /** The inequality of wealth between the agents of the group. */
    gini: gini(wealth),
    began_with: sum((agent) => agent.began_with),
    earned: sum((agent) => agent.earned),
    paid: sum((agent) => agent.paid),
    actions: sum((agent) => agent.actions),
    succeeded: sum((agent) => agent.succeeded),
    thoughts: sum((agent) => agent.thoughts),
    cost_micros: sum((agent) => agent.cost_micros),
  };
};
