import { statusCounts } from "./metrics/roster.ts";
import type { CountedFrom, RunMetrics } from "./metrics/run-metrics.ts";
import { type BestSeller, bestSellers } from "./metrics/services.ts";

/** Maximum length of the lists that grow with the world. */
const LIST_MAX = 15;

/** The figures at the top of the report page and of the dashboard, all at the same event. */
export type RunOverview = Pick<
  RunMetrics,
  | "from_ms"
  | "at_ms"
  | "money"
  | "wealth"
  | "revenue"
  | "trades"
  | "capital"
  | "work"
  | "lives"
  | "alarms"
  | "timeline"
> & {
  readonly counted_from: CountedFrom;
  /** The number of agents by status. */
  readonly statuses: string;
  readonly sellers: readonly BestSeller[];
  readonly richest: readonly { readonly id: string; readonly wealth: number }[];
};

/** Its size does not grow with the world, as dashboards request it repeatedly. */
export const overviewOf = (metrics: RunMetrics, base: CountedFrom): RunOverview => {
  const { principals, services, network: _, from_seq, last_seq, events, ...figures } = metrics;
  const agents = principals.filter(({ agent }) => agent);
  return {
    ...figures,
    counted_from: base,
    statuses: statusCounts(agents.map(({ state }) => state ?? "")),
    sellers: bestSellers(services).slice(0, LIST_MAX),
    richest: agents
      .toSorted((a, b) => b.wealth - a.wealth)
      .slice(0, LIST_MAX)
      .map(({ id, wealth }) => ({ id, wealth })),
  };
};
