import { type BestSeller, bestSellers } from "../best-sellers.ts";
import type { CountedFrom, RunMetrics } from "../metrics/index.ts";
import { standingsText } from "../standing.ts";

/** Of lists that grow with the world, so much is shown at a glance. */
const SHOWN = 15;

/** What a page shows of a run at a glance; everything in it is of the same events. */
export type OverviewOfRun = Pick<
  RunMetrics,
  "from_ms" | "at_ms" | "wealth" | "timeline" | "alarms"
> & {
  readonly counted_from: CountedFrom;
  readonly sellers: readonly BestSeller[];
  readonly richest: readonly { readonly id: string; readonly wealth: number }[];
  /** How it stands with each agent. */
  readonly standings: string;
};

/** Small, however many agents there are: it is asked for again and again while a run goes on. */
export const overviewOf = (metrics: RunMetrics, base: CountedFrom): OverviewOfRun => ({
  counted_from: base,
  from_ms: metrics.from_ms,
  at_ms: metrics.at_ms,
  wealth: metrics.wealth,
  sellers: bestSellers(metrics.services).slice(0, SHOWN),
  standings: standingsText(
    metrics.principals.flatMap(({ state }) => (state === null ? [] : [state])),
  ),
  richest: metrics.principals
    .filter(({ agent }) => agent)
    .toSorted((a, b) => b.wealth - a.wealth)
    .slice(0, SHOWN)
    .map(({ id, wealth }) => ({ id, wealth })),
  timeline: metrics.timeline,
  alarms: metrics.alarms,
});
