import { statusCounts } from "./metrics/roster.ts";
import type { CountedFrom, RunMetrics } from "./metrics/run-metrics.ts";
import { bestSellers } from "./metrics/services.ts";

const LIST_MAX = 15;

/** The figures at the top of the report page and of the dashboard, all as of the same event. */
export type RunOverview = ReturnType<typeof overviewOf>;

/** Returns an overview of bounded size, because dashboards request overviews repeatedly. */
export const overviewOf = (metrics: RunMetrics, base: CountedFrom) => {
  const { principals, services, network: _, gains_from_trade: __, ...bounded } = metrics;
  const { from_seq, last_seq, events, ...figures } = bounded;
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
