import type { RunMetrics } from "./metrics/index.ts";

type ServiceMetrics = RunMetrics["services"][number];

/** What one program has brought to all who have sold it. */
export type BestSeller = Pick<ServiceMetrics, "artifact" | "sales" | "revenue">;

/** Programs by what was paid for their calls, whoever got it; the greatest sum first. */
export const bestSellers = (services: readonly ServiceMetrics[]): readonly BestSeller[] => {
  const sums = new Map<string, BestSeller>();
  for (const { artifact, sales, revenue } of services) {
    const before = sums.get(artifact) ?? { sales: 0, revenue: 0 };
    sums.set(artifact, {
      artifact,
      sales: before.sales + sales,
      revenue: before.revenue + revenue,
    });
  }
  return [...sums.values()].sort(
    (a, b) => b.revenue - a.revenue || (a.artifact < b.artifact ? -1 : 1),
  );
};
