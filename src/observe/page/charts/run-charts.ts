import type { BestSeller, RunMetrics } from "../../metrics/index.ts";
import type { BarSpec } from "./bar-chart.ts";
import type { LineSpec, Series } from "./line-chart.ts";
import type { LorenzSpec } from "./lorenz-chart.ts";

/** What of a run is drawn on every page that shows one; the pages choose, and cut what is long. */
export type RunFigures = Pick<RunMetrics, "from_ms" | "timeline" | "wealth">;

/** Of the richest agents, as many as there is room for. */
export const wealthLines = ({ timeline, wealth }: RunFigures, linesMax: number): LineSpec => {
  const lines = timeline.wealth.slice(0, linesMax);
  const some = lines.length < wealth.agents ? ` of the ${lines.length} richest` : "";
  return {
    title: `Wealth over time${some}`,
    note: "Scrip of each agent, free and held.",
    unit: "scrip",
    atMs: timeline.at_ms,
    series: lines.map(({ id, scrip }) => ({ label: id, values: scrip })),
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
const aMinute = (
  { from_ms, timeline: { at_ms } }: RunFigures,
  counts: readonly number[],
): Series["values"] =>
  counts.map((count, at) => {
    const spanMs = (at_ms[at] ?? 0) - (at_ms[at - 1] ?? from_ms);
    return spanMs === 0 ? null : (count * 60_000) / spanMs;
  });

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
