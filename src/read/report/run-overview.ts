import type { CountedFrom } from "../log/log.ts";
import { statusCounts } from "../metrics/roster.ts";
import type { KeyFigures } from "../metrics/run-metrics.ts";
import { bestSellers } from "../metrics/services.ts";
import type { LorenzPoint } from "../metrics/statistics.ts";
import type { Timeline } from "../metrics/timeline.ts";

const LIST_MAX = 15;
/** A chart of a Lorenz curve does not show more points. */
const LORENZ_POINTS_MAX = 200;

/** The figures at the top of the report page and of the dashboard, all as of the same event. */
export type RunOverview = ReturnType<typeof overviewOf>;

export const overviewOf = (figures: KeyFigures, timeline: Timeline, base: CountedFrom) => ({
  ...momentOf(figures, base),
  timeline,
});

/** What the overview shows of one moment. */
export type MomentFigures = ReturnType<typeof momentOf>;

/** Returns figures of bounded size, because dashboards request them repeatedly. */
export const momentOf = (figures: KeyFigures, base: CountedFrom) => {
  const { principals, services, from_seq: _, last_seq: __, events: ___, ...bounded } = figures;
  const agents = principals.filter(({ agent }) => agent);
  return {
    ...bounded,
    wealth: { ...figures.wealth, lorenz: thinned(figures.wealth.lorenz) },
    counted_from: base,
    statuses: statusCounts(agents.map(({ state }) => state ?? "")),
    sellers: bestSellers(services).slice(0, LIST_MAX),
    richest: agents
      .toSorted((a, b) => b.wealth - a.wealth)
      .slice(0, LIST_MAX)
      .map(({ id, wealth }) => ({ id, wealth })),
  };
};

const thinned = (points: readonly LorenzPoint[]): readonly LorenzPoint[] => {
  const step = Math.ceil(points.length / LORENZ_POINTS_MAX);
  return points.filter((_, at) => at % step === 0 || at === points.length - 1);
};
