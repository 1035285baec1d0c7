import type { MomentFigures, RunMetrics, RunOverview } from "../../../figures/index.ts";
import { barsOf, type LineSpec, type RowsSpec, type Series, STYLES } from "../../../read/index.ts";
import {
  countText,
  dollarText,
  isInPeriod,
  numberText,
  type Period,
  percentText,
} from "../../../text/index.ts";
import type { Tile } from "../parts/parts.ts";
import type { LorenzSpec } from "./lorenz-chart.ts";
import type { MatrixSpec } from "./matrix-chart.ts";

type WealthParts = {
  readonly timeline: Pick<
    RunOverview["timeline"],
    "at_ms" | "wealth" | "wealth_p10" | "wealth_p90"
  >;
  readonly wealth: Pick<RunOverview["wealth"], "agents">;
};

export const wealthLines = ({ timeline, wealth }: WealthParts, linesMax: number): LineSpec => {
  const lines = timeline.wealth.slice(0, linesMax).toSorted((a, b) => a.order - b.order);
  const styles = stylesOf(lines.map(({ order }) => order));
  const all = lines.length === 1 ? "1 agent" : `all ${lines.length} agents`;
  const isPart = lines.length < wealth.agents;
  const who = isPart ? `the ${countText(lines.length, "agent")} with the highest peaks` : all;
  return {
    title: `Wealth over time: ${who}`,
    note: "Free and held scrip of each agent.",
    unit: "scrip",
    isRanked: true,
    atMs: timeline.at_ms,
    ...(isPart ? { spread: spreadOf(timeline) } : {}),
    series: lines.map(({ id, scrip }, at) => ({
      label: id,
      order: styles[at] ?? 0,
      values: scrip,
    })),
  };
};

const spreadOf = ({ wealth_p10: low, wealth_p90: high }: WealthParts["timeline"]) => {
  const label = "The grey band: 10 to 90 % of the agents at each moment";
  return { label, low, high, names: ["all agents 10 %", "all agents 90 %"] as const };
};

/**
 * A change of the richest agent, at the first sample at which `leader` is ahead. `before` was ahead
 * at the sample before, or null if two agents were.
 */
type Overtaking = {
  readonly atMs: number;
  readonly leader: string;
  readonly before: string | null;
};

/** A lead over fewer samples does not count: two agents that are close change often. */
const LEAD_SAMPLES_MIN = 5;
const OVERTAKINGS_MAX = 4;

/** The last changes of the richest agent, in the whole run or in a range, in order of time. */
export const overtakings = (
  { at_ms: atMs, wealth }: Pick<RunOverview["timeline"], "at_ms" | "wealth">,
  range: Period | null = null,
): readonly Overtaking[] => {
  const found: Overtaking[] = [];
  let leader: string | null = null;
  let next = { id: "", place: 0 };
  for (const place of atMs.keys()) {
    const ahead = richestAt(wealth, place);
    if (ahead === null || ahead === leader) {
      next = { id: "", place };
      continue;
    }
    if (ahead !== next.id) next = { id: ahead, place };
    if (leader !== null && place - next.place < LEAD_SAMPLES_MIN - 1) continue;
    if (leader !== null) {
      const before = richestAt(wealth, next.place - 1);
      found.push({ atMs: atMs[next.place] ?? 0, leader: ahead, before });
    }
    leader = ahead;
  }
  return found.filter((each) => isInPeriod(range, each.atMs)).slice(-OVERTAKINGS_MAX);
};

/** The only agent with the most scrip at a sample, or null. */
const richestAt = (wealth: RunOverview["timeline"]["wealth"], place: number): string | null => {
  let most = Number.NEGATIVE_INFINITY;
  let richest: string | null = null;
  for (const { id, scrip } of wealth) {
    const value = scrip[place] ?? null;
    if (value === null || value < most) continue;
    richest = value === most ? null : id;
    most = value;
  }
  return richest;
};

/** A style for each agent by age. An agent keeps its style unless an older agent has the same. */
const stylesOf = (orders: readonly number[]): readonly number[] => {
  const taken = new Set<number>();
  for (const order of orders) {
    let style = order % STYLES;
    while (taken.has(style) && taken.size < STYLES) style = (style + 1) % STYLES;
    taken.add(style);
  }
  return [...taken];
};

export const distribution = ({ wealth }: Pick<RunOverview, "wealth">): LorenzSpec => ({
  title: "Distribution of wealth",
  note: "Lorenz curve. The further it is below the diagonal, the more unequal is wealth.",
  points: wealth.lorenz,
  gini: wealth.gini,
});

export const PRICE_INDEX = "price index";

export const prices = ({ timeline }: RunOverview): LineSpec => ({
  title: "Prices of services",
  note: "Index of the prices of program calls, by spending. It is 1 at the start.",
  unit: "index",
  top: 1.1,
  atMs: timeline.at_ms,
  series: [{ label: PRICE_INDEX, values: timeline.price_index }],
});

const bars = (
  [title, note, part]: readonly [title: string, note: string, part: string],
  rows: readonly (readonly [label: string, scrip: number])[],
): RowsSpec =>
  barsOf({
    title,
    note,
    unit: "scrip",
    parts: [part],
    rows: rows.map(([label, scrip]) => ({ label, values: [scrip] })),
  });

export const sellers = (
  { sellers: all }: Pick<RunOverview, "sellers">,
  barsMax: number,
): RowsSpec =>
  bars(
    ["Best sellers", "Programs by revenue from calls.", "revenue"],
    all.slice(0, barsMax).map(({ artifact, revenue }) => [artifact, revenue]),
  );

export const richest = (
  { richest: all }: Pick<RunOverview, "richest">,
  barsMax: number,
): RowsSpec =>
  bars(
    ["Richest agents", "Scrip, free and held.", "wealth"],
    all.slice(0, barsMax).map(({ id, wealth }) => [id, wealth]),
  );

const SOURCES = [
  "programs",
  "reads and fees",
  "mint",
  "proceeds",
  "tasks",
  "sales",
  "credit and other",
];

export const incomes = ({ principals }: RunMetrics, barsMax: number): RowsSpec => {
  const earners = principals
    .filter(({ earned }) => earned > 0)
    .sort((a, b) => b.earned - a.earned)
    .slice(0, barsMax);
  return barsOf({
    title: "Income by source",
    note: `The ${countText(earners.length, "principal")} with the most income.`,
    unit: "scrip",
    parts: SOURCES,
    rows: earners.map(({ id, income: of }) => ({
      label: id,
      values: [
        of.services,
        of.reads + of.fees,
        of.mint,
        of.proceeds,
        of.tasks,
        of.sales,
        of.credit + of.other,
      ],
    })),
  });
};

/** `when` is the part of the run with the payments, such as `from 2:00.0 to 2:30.0`. */
export const network = (
  { network: trade }: Pick<RunMetrics, "network">,
  when: string | null = null,
): MatrixSpec => {
  const { density, reciprocity, components } = trade;
  return {
    title: "Trade network",
    note: withPayments(
      when,
      "Principals in rows paid the principals in columns. Darker cells carried more scrip. " +
        `Programs are in italics. Density ${percentText(density)}, ` +
        `reciprocity ${percentText(reciprocity)}, separate networks: ${components}.`,
    ),
    network: trade,
  };
};

/** A note, after a sentence that says which payments it is about. */
export const withPayments = (when: string | null, note: string): string =>
  when === null ? note : `Payments ${when}. ${note}`;

const mint = ({ timeline }: RunOverview): LineSpec => ({
  title: "Scrip minted and burned",
  note: "Minted (up) and burned (down) in each interval.",
  empty: "No scrip was minted or burned yet. The mint pays for programs after its next auction.",
  unit: "scrip",
  atMs: timeline.at_ms,
  series: [
    { label: "minted", values: timeline.minted, style: "bars" },
    { label: "burned", values: timeline.burned.map((amount) => -amount), style: "bars" },
  ],
});

const velocity = ({ timeline }: RunOverview): LineSpec => ({
  title: "Velocity of money",
  note: "How often each scrip was spent per minute, on average.",
  empty: "No payment was made yet.",
  unit: "times / min",
  atMs: timeline.at_ms,
  series: [
    {
      label: "velocity",
      values: timeline.velocity_per_min.map((rate, at) => (isPartial(timeline, at) ? null : rate)),
      style: "area",
    },
  ],
});

const pace = (overview: RunOverview): LineSpec => {
  const { at_ms, actions, thoughts, trades } = overview.timeline;
  return {
    title: "Pace",
    note: "Total thoughts, actions and trades of all agents.",
    unit: "each / min",
    atMs: at_ms,
    series: [
      { label: "actions", values: perMinute(overview, actions) },
      { label: "thoughts", values: perMinute(overview, thoughts) },
      { label: "trades", values: perMinute(overview, trades) },
    ],
  };
};

const refusals = ({ timeline }: RunOverview): LineSpec => ({
  title: "Refused actions",
  note: "Number of refusals, by error code.",
  empty: "No action was refused.",
  unit: "refusals",
  top: 2,
  atMs: timeline.at_ms,
  series: timeline.errors.map(({ code, times }) => ({ label: code, values: times, style: "bars" })),
});

const cost = (overview: RunOverview): LineSpec => {
  const { at_ms, cost_micros, api_cost_micros } = overview.timeline;
  const dollars = (micros: readonly number[]): Series["values"] =>
    perMinute(overview, micros).map((value) => (value === null ? null : value / 1e6));
  const isOwed = api_cost_micros.some((micros) => micros > 0);
  const owedText = isOwed ? "The other line is real money." : "Nothing is owed to providers.";
  return {
    title: "Cost of thinking",
    note: `Spent from the agents' model budgets, which are simulated. ${owedText}`,
    empty: "No thought has cost anything yet.",
    unit: "USD / min",
    atMs: at_ms,
    series: [
      { label: "model budgets", values: dollars(cost_micros), style: "area" },
      ...(isOwed ? [{ label: "owed to providers", values: dollars(api_cost_micros) }] : []),
    ],
  };
};

const compute = ({ timeline }: RunOverview): LineSpec => ({
  title: "Price of model budget",
  note: "Scrip per lot at the last sale of the world.",
  empty: "No model budget was sold yet. See Books for the next sale.",
  unit: "scrip / lot",
  top: 2,
  atMs: timeline.at_ms,
  series: [{ label: "price", values: timeline.compute_price }],
});

const computeSales = ({ timeline }: RunOverview): LineSpec => ({
  title: "Model budget sold",
  note: "Lots that the world sold in each interval.",
  empty: "No model budget was sold yet.",
  unit: "lots",
  top: 2,
  atMs: timeline.at_ms,
  series: [{ label: "lots", values: timeline.compute_lots, style: "bars" }],
});

const frozen = ({ timeline }: RunOverview): LineSpec => ({
  title: "Frozen",
  note: "Share of time in which agents could not pay for a thought.",
  empty: "No agent was frozen.",
  unit: "% of time",
  atMs: timeline.at_ms,
  series: [
    { label: "frozen", values: timeline.frozen_share.map((share) => 100 * share), style: "area" },
  ],
});

/**
 * The charts over time. The report shows all of them, by section; the dashboard shows those that are
 * live, in this order.
 */
export const RUN_LINES: readonly {
  readonly section: "Trade" | "Money" | "Work";
  readonly isLive: boolean;
  readonly specOf: (overview: RunOverview) => LineSpec;
}[] = [
  { section: "Work", isLive: true, specOf: pace },
  { section: "Trade", isLive: true, specOf: prices },
  { section: "Money", isLive: true, specOf: mint },
  { section: "Money", isLive: false, specOf: velocity },
  { section: "Work", isLive: true, specOf: refusals },
  { section: "Work", isLive: true, specOf: cost },
  { section: "Money", isLive: true, specOf: compute },
  { section: "Money", isLive: false, specOf: computeSales },
  { section: "Work", isLive: false, specOf: frozen },
];

/** Converts the counts of each interval to rates per minute. */
const perMinute = (
  { from_ms, timeline }: RunOverview,
  counts: readonly number[],
): Series["values"] =>
  counts.map((count, at) => {
    const { at_ms } = timeline;
    const spanMs = (at_ms[at] ?? 0) - (at_ms[at - 1] ?? from_ms);
    return spanMs === 0 || isPartial(timeline, at) ? null : (count * 60_000) / spanMs;
  });

/** True if `at` is the last interval and incomplete. Its rate could show a false jump. */
const isPartial = ({ at_ms, width_ms }: RunOverview["timeline"], at: number): boolean =>
  at > 1 && at === at_ms.length - 1 && (at_ms[at] ?? 0) - (at_ms[at - 1] ?? 0) < width_ms;

export const tilesOf = (overview: MomentFigures): readonly Tile[] => {
  const { money, wealth, revenue, trades, capital, work, lives, statuses } = overview;
  const { cost_micros: cost, api_cost_micros: owed } = work;
  const supplied = `${numberText(money.minted)} minted, ${numberText(money.burned)} burned`;
  const velocity = numberText(money.velocity_per_min);
  const succeeded = `${percentText(work.success_rate)} succeeded`;
  return [
    ["Scrip", numberText(money.supply), supplied],
    [
      "Trades",
      numberText(trades.total),
      `${countText(money.payments, "payment")}, ${numberText(money.turnover)} scrip`,
    ],
    ["Gini", rounded(wealth.gini), "0 if all agents have the same scrip, 1 if one has all"],
    ["Velocity", velocity, "how often each scrip is spent per minute, on average"],
    ["Price index", numberText(money.price_index), "1 at the start"],
    ["HHI", rounded(revenue.hhi), "concentration of revenue"],
    ["Agents", numberText(wealth.agents), statuses],
    ["Actions", numberText(work.actions), work.actions === 0 ? "none yet" : succeeded],
    ["Frozen", percentText(lives.frozen_share), "of the agents' time"],
    ["Reuse", percentText(capital.reuse_share), `of ${countText(capital.programs, "program")}`],
    ["Budget spent", dollarText(cost), `simulated, on ${countText(work.thoughts, "thought")}`],
    ["Owed to providers", dollarText(owed), "real money, for calls of models"],
  ];
};

const rounded = (value: number): string => numberText(Math.round(value * 1_000) / 1_000);
