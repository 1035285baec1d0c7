import type { OverviewOfRun } from "../../dashboard/index.ts";
import type { BarSpec, LineSpec, LorenzSpec, Series } from "../charts/index.ts";
import { lastBefore } from "./tiles.ts";

/** What is drawn on the overview. */
export type Specs = {
  readonly lines: readonly LineSpec[];
  readonly lorenz: LorenzSpec;
  readonly bars: readonly BarSpec[];
};

const WEALTH_LINES = 12;
const BARS = 10;

/** The pictures of a run, up to a moment of it; null: up to now. */
export const specsOf = (overview: OverviewOfRun, atMs: number | null): Specs => {
  const timeline = upTo(overview.timeline, atMs);
  const lines = [wealth, pace, prices, mint, refusals, cost];
  return {
    lines: lines.map((line) => ({ ...line(timeline), atMs: timeline.at_ms })),
    lorenz: {
      title: "Who has how much",
      note: "The further the curve hangs below the diagonal, the less even (Lorenz).",
      points: overview.wealth.lorenz,
      gini: overview.wealth.gini,
    },
    bars: [richest(overview), sellers(overview)],
  };
};

type Line = (timeline: Timeline) => Omit<LineSpec, "atMs">;

const wealth: Line = (timeline) => ({
  title: "Wealth over time",
  note: "Scrip of the richest agents, free and held.",
  unit: "scrip",
  series: timeline.wealth
    .slice(0, WEALTH_LINES)
    .map(({ id, scrip }) => ({ label: id, values: scrip })),
});

const pace: Line = (timeline) => ({
  title: "Pace",
  note: "Thoughts, actions and trades of all agents together.",
  unit: "each / min",
  series: [
    { label: "actions", values: aMinute(timeline, timeline.actions) },
    { label: "thoughts", values: aMinute(timeline, timeline.thoughts) },
    { label: "trades", values: aMinute(timeline, timeline.trades) },
  ],
});

const prices: Line = (timeline) => ({
  title: "Prices of services",
  note: "Index over all programs that were sold; 1 at the beginning.",
  unit: "index",
  top: 1.1,
  series: [{ label: "price index", values: timeline.price_index }],
});

const mint: Line = (timeline) => ({
  title: "Scrip made and destroyed",
  note: "What the mint paid out (up) and what was burned (down), in each stretch of time.",
  unit: "scrip",
  series: [
    { label: "minted", values: timeline.minted, style: "bars" },
    { label: "burned", values: timeline.burned.map((amount) => -amount), style: "bars" },
  ],
});

const refusals: Line = (timeline) => ({
  title: "Refused actions",
  note: "By the reason that was given.",
  unit: "refusals",
  top: 2,
  series: timeline.errors.map(({ code, times }) => ({ label: code, values: times })),
});

const cost: Line = (timeline) => ({
  title: "Cost of thinking",
  note: "Taken from the agents' model budgets.",
  unit: "USD / min",
  series: [
    {
      label: "budgets",
      values: aMinute(timeline, timeline.cost_micros).map((value) =>
        value === null ? null : value / 1e6,
      ),
      style: "area",
    },
  ],
});

const richest = (overview: OverviewOfRun): BarSpec => ({
  title: "Richest agents",
  note: "Scrip, free and held.",
  unit: "scrip",
  parts: ["wealth"],
  rows: overview.richest.slice(0, BARS).map(({ id, wealth }) => ({ label: id, values: [wealth] })),
});

const sellers = ({ services }: OverviewOfRun): BarSpec => ({
  title: "Best sellers",
  note: "Programs by what was paid for their calls.",
  unit: "scrip",
  parts: ["revenue"],
  rows: services
    .slice(0, BARS)
    .map(({ artifact, revenue }) => ({ label: artifact, values: [revenue] })),
});

type Timeline = OverviewOfRun["timeline"];

/** Counts in stretches of time, as so many a minute. */
const aMinute = ({ at_ms }: Timeline, counts: readonly number[]): Series["values"] =>
  counts.map((count, at) => {
    const before = at_ms[at - 1];
    const spanMs = before === undefined ? 0 : (at_ms[at] ?? 0) - before;
    return spanMs === 0 ? null : (count * 60_000) / spanMs;
  });

/** What was known of a run at a moment of it. */
const upTo = (timeline: Timeline, atMs: number | null): Timeline => {
  if (atMs === null) return timeline;
  const size = lastBefore(timeline.at_ms, atMs) + 1;
  const cut = <Value>(values: readonly Value[]): readonly Value[] => values.slice(0, size);
  return {
    ...timeline,
    at_ms: cut(timeline.at_ms),
    price_index: cut(timeline.price_index),
    minted: cut(timeline.minted),
    burned: cut(timeline.burned),
    trades: cut(timeline.trades),
    actions: cut(timeline.actions),
    thoughts: cut(timeline.thoughts),
    cost_micros: cut(timeline.cost_micros),
    errors: timeline.errors.map(({ code, times }) => ({ code, times: cut(times) })),
    wealth: timeline.wealth.map(({ id, scrip }) => ({ id, scrip: cut(scrip) })),
  };
};
