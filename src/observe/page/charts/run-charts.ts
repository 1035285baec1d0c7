import type { BestSeller } from "../../best-sellers.ts";
import type { RunMetrics } from "../../metrics/index.ts";
import type { BarSpec } from "./bar-chart.ts";
import type { LineSpec, Series } from "./line-chart.ts";
import type { LorenzSpec } from "./lorenz-chart.ts";

/** What of a run is drawn on every page that shows one; the pages choose, and cut what is long. */
export type RunFigures = Pick<RunMetrics, "from_ms" | "timeline" | "wealth">;

/** Of the richest agents, as many as there is room for. */
export const wealthLines = ({ timeline, wealth }: RunFigures, linesMax: number): LineSpec => {
  const lines = timeline.wealth.slice(0, linesMax).toSorted((a, b) => a.order - b.order);
  const who =
    lines.length < wealth.agents
      ? `the ${lines.length} agents that were ever richest`
      : `all ${lines.length} agents`;
  return {
    title: `Wealth over time: ${who}`,
    note: "Scrip of each agent, free and held.",
    unit: "scrip",
    atMs: timeline.at_ms,
    series: lines.map(({ id, order, scrip }) => ({ label: id, order, values: scrip })),
  };
};

export const distribution = ({ wealth }: RunFigures): LorenzSpec => ({
  title: "Who has how much",
  note: "The further the curve hangs below the diagonal, the less even (Lorenz).",
  points: wealth.lorenz,
  gini: wealth.gini,
});

export const prices = ({ timeline }: RunFigures): LineSpec => ({
  title: "Prices of services",
  note: "Index over all programs that were sold; 1 at the beginning.",
  unit: "index",
  top: 1.1,
  atMs: timeline.at_ms,
  series: [{ label: "price index", values: timeline.price_index }],
});

export const sellers = (best: readonly BestSeller[], barsMax: number): BarSpec => ({
  title: "Best sellers",
  note: "Programs by what was paid for their calls.",
  unit: "scrip",
  parts: ["revenue"],
  rows: best
    .slice(0, barsMax)
    .map(({ artifact, revenue }) => ({ label: artifact, values: [revenue] })),
});

export const mint = ({ timeline }: RunFigures): LineSpec => ({
  title: "Scrip made and destroyed",
  note: "What the mint paid out (up) and what was burned (down), in each stretch of time.",
  unit: "scrip",
  atMs: timeline.at_ms,
  series: [
    { label: "minted", values: timeline.minted, style: "bars" },
    { label: "burned", values: timeline.burned.map((amount) => -amount), style: "bars" },
  ],
});

/** Counts in stretches of time, as so many a minute. */
const aMinute = ({ from_ms, timeline }: RunFigures, counts: readonly number[]): Series["values"] =>
  counts.map((count, at) => {
    const { at_ms } = timeline;
    const spanMs = (at_ms[at] ?? 0) - (at_ms[at - 1] ?? from_ms);
    return spanMs === 0 || isPart(timeline, at) ? null : (count * 60_000) / spanMs;
  });

/**
 * Whether a moment ends the last stretch before its time: what is scaled up from a part of one
 * leaps as nothing in the run did, so that it is not drawn.
 */
const isPart = ({ at_ms, width_ms }: RunFigures["timeline"], at: number): boolean =>
  at > 1 && at === at_ms.length - 1 && (at_ms[at] ?? 0) - (at_ms[at - 1] ?? 0) < width_ms;

/** Rates without that of a stretch that is not over. */
export const wholeStretches = (
  timeline: RunFigures["timeline"],
  rates: Series["values"],
): Series["values"] => rates.map((rate, at) => (isPart(timeline, at) ? null : rate));

export const pace = (figures: RunFigures): LineSpec => {
  const { at_ms, actions, thoughts, trades } = figures.timeline;
  return {
    title: "Pace",
    note: "Thoughts, actions and trades of all agents together.",
    unit: "each / min",
    atMs: at_ms,
    series: [
      { label: "actions", values: aMinute(figures, actions) },
      { label: "thoughts", values: aMinute(figures, thoughts) },
      { label: "trades", values: aMinute(figures, trades) },
    ],
  };
};

export const refusals = ({ timeline }: RunFigures): LineSpec => ({
  title: "Refused actions",
  note: "By the reason that was given.",
  unit: "refusals",
  top: 2,
  atMs: timeline.at_ms,
  series: timeline.errors.map(({ code, times }) => ({
    label: code,
    values: times,
    style: "bars",
  })),
});

export const cost = (figures: RunFigures): LineSpec => {
  const { at_ms, cost_micros, api_cost_micros } = figures.timeline;
  const dollars = (micros: readonly number[]): Series["values"] =>
    aMinute(figures, micros).map((value) => (value === null ? null : value / 1e6));
  const owed = api_cost_micros.some((micros) => micros > 0);
  return {
    title: "Cost of thinking",
    note: "Taken from the agents' model budgets, and the part that is owed to providers.",
    unit: "USD / min",
    atMs: at_ms,
    series: [
      { label: "budgets", values: dollars(cost_micros), style: "area" },
      ...(owed ? [{ label: "providers", values: dollars(api_cost_micros) }] : []),
    ],
  };
};
