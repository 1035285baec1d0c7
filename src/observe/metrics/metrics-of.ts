import { isReserved } from "../../kernel/index.ts";
import type { Ring } from "./alarms.ts";
import { flowSum } from "./balances.ts";
import { hhi } from "./concentration.ts";
import type { CountedFrom } from "./counted-from.ts";
import { gini } from "./gini.ts";
import { earnedIn, INCOME_SOURCES, incomeOfAll, NO_INCOME, revenueIn } from "./income.ts";
import { lorenz } from "./lorenz.ts";
import { frozenShare } from "./roster.ts";
import type { Sheets, Turnover } from "./run-meter.ts";
import type { PrincipalMetrics, RunMetrics, WealthMetrics, WorkMetrics } from "./run-metrics.ts";
import { divisionOfLabour, specialisation } from "./specialisation.ts";
import type { Timeline } from "./timeline.ts";

/** What a `RunMeter` has counted up to a moment. */
type Counted = {
  readonly base: CountedFrom;
  readonly events: number;
  readonly lastSeq: number;
  readonly atMs: number;
  readonly sheets: Sheets;
  readonly turnover: Turnover;
  readonly rings: readonly Ring[];
  readonly timeline: Timeline;
};

/** Works the figures out of what was counted. */
export const metricsOf = (counted: Counted): RunMetrics => {
  const { base, events, lastSeq, atMs, sheets, timeline } = counted;
  const { tally, roster, graph, capital, services } = sheets;
  const { trades, lives } = tally.total();
  const agents = roster.ids();
  const principals = principalsOf(counted);
  return {
    from_seq: base.seq,
    from_ms: base.at_ms,
    last_seq: lastSeq,
    at_ms: atMs,
    events,
    money: moneyOf(counted),
    wealth: wealthOf(principals.filter(({ agent }) => agent)),
    revenue: {
      total: principals.reduce((sum, { revenue }) => sum + revenue, 0),
      by_source: incomeOfAll(principals.map(({ income }) => income)),
      hhi: hhi(principals.map(({ revenue }) => revenue)),
      division_of_labour: divisionOfLabour(
        principals.map(({ income }) => INCOME_SOURCES.map((source) => income[source])),
      ),
    },
    trades: {
      total: Object.values(trades).reduce((sum, count) => sum + count, 0),
      by_kind: trades,
    },
    network: graph.network(agents),
    capital: capital.capital(),
    work: workOf(counted),
    lives: { ...lives, frozen_share: frozenShare(roster.frozen(atMs)) },
    principals,
    services: services.services(),
    alarms: counted.rings,
    timeline,
  };
};

const minutesOf = ({ atMs, base }: Counted): number => (atMs - base.at_ms) / 60_000;

const perMinute = (count: number, counted: Counted): number => {
  const minutes = minutesOf(counted);
  return minutes === 0 ? 0 : count / minutes;
};

const moneyOf = (counted: Counted): RunMetrics["money"] => {
  const { sheets, turnover } = counted;
  const { supply } = sheets.tally.total();
  const { amount, payments, supplyTime } = turnover;
  return {
    supply: sheets.books.supply,
    ...supply,
    turnover: amount,
    payments,
    velocity_per_min: supplyTime === 0 ? 0 : (amount * 60_000) / supplyTime,
    price_index: sheets.prices.value,
  };
};

const wealthOf = (agents: readonly PrincipalMetrics[]): WealthMetrics => {
  const amounts = agents.map(({ wealth }) => wealth).sort((a, b) => a - b);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
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

const workOf = (counted: Counted): WorkMetrics => {
  const { actions, thinking } = counted.sheets.tally.total();
  const { thoughts, costMicros, apiCostMicros } = counted.sheets.tally.thoughts();
  return {
    actions: actions.total,
    succeeded: actions.succeeded,
    success_rate: actions.total === 0 ? 0 : actions.succeeded / actions.total,
    top_errors: Object.entries(actions.by_error)
      .map(([code, times]) => ({ code, times }))
      .toSorted((a, b) => b.times - a.times || (a.code < b.code ? -1 : 1)),
    thoughts,
    thoughts_failed: thinking.failed,
    actions_per_min: perMinute(actions.total, counted),
    thoughts_per_min: perMinute(thoughts, counted),
    cost_micros: costMicros,
    api_cost_micros: apiCostMicros,
  };
};

const principalsOf = (counted: Counted): readonly PrincipalMetrics[] => {
  const { roster, books, incomes } = counted.sheets;
  const agents = roster.ids();
  const known = new Set(agents);
  const others = [...new Set([...books.ids(), ...incomes.ids()])].filter((id) => !known.has(id));
  const inPrograms = scripInPrograms(counted.sheets);
  const all = [...agents, ...others.sort()].map((id) => ({
    ...principalOf(id, counted),
    in_own_programs: inPrograms.get(id) ?? 0,
  }));
  return all.filter(({ agent, began_with, wealth, earned }) => {
    return agent || began_with + wealth + earned > 0;
  });
};

/** What programs that hold money have, by who owns them; an agent has its own. */
export const scripInPrograms = ({
  books,
  capital,
  roster,
}: Sheets): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const id of books.ids()) {
    const owner = roster.stateOf(id) === null ? capital.ownerOf(id) : null;
    if (owner !== null) sums.set(owner, (sums.get(owner) ?? 0) + books.wealthOf(id));
  }
  return sums;
};

const principalOf = (
  id: string,
  { sheets, atMs }: Counted,
): Omit<PrincipalMetrics, "in_own_programs"> => {
  const { tally, incomes, books, roster, graph } = sheets;
  // What comes to an artifact of genesis is only on its way.
  const income = isReserved(id) ? NO_INCOME : incomes.of(id);
  const { total: actions, succeeded } = tally.actionsOf(id);
  const { thoughts, costMicros, apiCostMicros } = tally.thoughtsOf(id);
  const state = roster.stateOf(id);
  return {
    id,
    agent: state !== null,
    state,
    wealth: books.wealthOf(id),
    began_with: books.beganWith(id),
    received: flowSum(books.receivedBy(id)),
    given: flowSum(books.givenBy(id)),
    received_by: books.receivedBy(id),
    given_by: books.givenBy(id),
    earned: earnedIn(income),
    income,
    specialisation: specialisation(INCOME_SOURCES.map((source) => income[source])),
    revenue: revenueIn(income),
    paid: graph.paidBy(id),
    burned: books.burnedBy(id),
    actions,
    succeeded,
    thoughts,
    cost_micros: costMicros,
    api_cost_micros: apiCostMicros,
    frozen_share: frozenShare(roster.frozenOf(id, atMs)),
  };
};
