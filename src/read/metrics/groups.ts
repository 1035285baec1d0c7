import type { PrincipalMetrics } from "./run-metrics.ts";
import { gini, sumOf } from "./statistics.ts";

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
