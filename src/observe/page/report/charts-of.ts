import type { Report } from "../../economy-report.ts";
import {
  barChart,
  element,
  type LineSpec,
  lineChart,
  lorenzChart,
  networkChart,
  percentText,
  type Series,
} from "../charts/index.ts";

/** The pictures of a report, by subject. */
export const chartsOf = (report: Report): readonly HTMLElement[] => [
  section("Wealth", [wide(wealthLines(report)), lorenz(report), incomes(report)]),
  section("Trade", [wide(network(report)), prices(report), services(report)]),
  section("Money", [mint(report), velocity(report)]),
  section("Work", [pace(report), errors(report), cost(report), frozen(report)]),
];

const section = (name: string, figures: readonly HTMLElement[]): HTMLElement =>
  element(
    "section",
    { "aria-label": name },
    element("h2", {}, name),
    element("div", { class: "grid" }, ...figures.map(panel)),
  );

const panel = (figure: HTMLElement): HTMLElement => {
  const isWide = figure.classList.contains("is-wide");
  return element("div", { class: isWide ? "panel is-wide" : "panel" }, figure);
};

const wide = (figure: HTMLElement): HTMLElement => {
  figure.classList.add("is-wide");
  return figure;
};

const overTime = (report: Report, spec: Omit<LineSpec, "atMs">): HTMLElement =>
  lineChart({ ...spec, atMs: report.metrics.timeline.at_ms }).root;

const wealthLines = (report: Report): HTMLElement => {
  const { wealth } = report.metrics.timeline;
  const some =
    wealth.length < report.metrics.wealth.agents ? ` of the ${wealth.length} richest` : "";
  return overTime(report, {
    title: `Wealth over time${some}`,
    note: "Scrip of each agent, free and held.",
    unit: "scrip",
    series: wealth.map(({ id, scrip }) => ({ label: id, values: scrip })),
  });
};

const lorenz = ({ metrics }: Report): HTMLElement =>
  lorenzChart({
    title: "Who has how much",
    note: "The further the curve hangs below the diagonal, the less even (Lorenz).",
    points: metrics.wealth.lorenz,
    gini: metrics.wealth.gini,
  }).root;

const EARNERS_MAX = 14;
/** The sources that matter to readers, those alike taken together. */
const PARTS = ["programs", "reads and fees", "mint", "tasks", "sales", "credit and other"];

const incomes = ({ metrics }: Report): HTMLElement => {
  const earners = metrics.principals
    .filter(({ earned }) => earned > 0)
    .sort((a, b) => b.earned - a.earned)
    .slice(0, EARNERS_MAX);
  return barChart({
    title: "Income by source",
    note: `What was received, of the ${earners.length} who earned most.`,
    unit: "scrip",
    parts: PARTS,
    rows: earners.map(({ id, income: of }) => ({
      label: id,
      values: [
        of.services,
        of.reads + of.fees,
        of.mint + of.mint_share,
        of.tasks,
        of.sales,
        of.credit + of.other,
      ],
    })),
  }).root;
};

const network = ({ metrics }: Report): HTMLElement => {
  const { density, reciprocity, components } = metrics.network;
  return networkChart({
    title: "Trade network",
    note:
      "Who paid whom: a node grows with what it received, a line with what was paid; grey are " +
      `programs with a purse. Density ${percentText(density)}, answered ` +
      `${percentText(reciprocity)}, parts ${components}.`,
    network: metrics.network,
  }).root;
};

const prices = (report: Report): HTMLElement =>
  overTime(report, {
    title: "Prices of services",
    note: "Index over all programs that were sold; 1 at the beginning.",
    unit: "index",
    top: 1.1,
    series: [{ label: "price index", values: report.metrics.timeline.price_index }],
  });

const SERVICES_MAX = 12;

const services = ({ metrics }: Report): HTMLElement =>
  barChart({
    title: "Best sellers",
    note: "Programs by what was paid for their calls.",
    unit: "scrip",
    parts: ["revenue"],
    rows: metrics.services
      .slice(0, SERVICES_MAX)
      .map(({ artifact, revenue }) => ({ label: artifact, values: [revenue] })),
  }).root;

const mint = (report: Report): HTMLElement => {
  const { timeline } = report.metrics;
  return overTime(report, {
    title: "Scrip made and destroyed",
    note: "What the mint paid out (up) and what was burned (down), in each stretch of time.",
    unit: "scrip",
    series: [
      { label: "minted", values: timeline.minted, style: "bars" },
      { label: "burned", values: timeline.burned.map((amount) => -amount), style: "bars" },
    ],
  });
};

const velocity = (report: Report): HTMLElement =>
  overTime(report, {
    title: "Velocity of money",
    note: "How often the average scrip changed hands.",
    unit: "times / min",
    series: [
      { label: "velocity", values: report.metrics.timeline.velocity_per_min, style: "area" },
    ],
  });

/** Counts in stretches of time, as so many a minute. */
const aMinute = (report: Report, counts: readonly number[]): Series["values"] => {
  const { at_ms } = report.metrics.timeline;
  return counts.map((count, at) => {
    const spanMs = (at_ms[at] ?? 0) - (at_ms[at - 1] ?? report.metrics.from_ms);
    return spanMs === 0 ? null : (count * 60_000) / spanMs;
  });
};

const pace = (report: Report): HTMLElement => {
  const { thoughts, actions, trades } = report.metrics.timeline;
  return overTime(report, {
    title: "Pace",
    note: "Thoughts, actions and trades of all agents together.",
    unit: "each / min",
    series: [
      { label: "actions", values: aMinute(report, actions) },
      { label: "thoughts", values: aMinute(report, thoughts) },
      { label: "trades", values: aMinute(report, trades) },
    ],
  });
};

const errors = (report: Report): HTMLElement =>
  overTime(report, {
    title: "Refused actions",
    note: "By the reason that was given.",
    unit: "refusals",
    top: 2,
    series: report.metrics.timeline.errors.map(({ code, times }) => ({
      label: code,
      values: times,
      style: "bars",
    })),
  });

const cost = (report: Report): HTMLElement => {
  const { cost_micros, api_cost_micros } = report.metrics.timeline;
  const dollars = (micros: readonly number[]): Series["values"] =>
    aMinute(report, micros).map((value) => (value === null ? null : value / 1e6));
  const owed = report.metrics.work.api_cost_micros > 0;
  return overTime(report, {
    title: "Cost of thinking",
    note: "Taken from the agents' model budgets, and the part that is owed to providers.",
    unit: "USD / min",
    series: [
      { label: "budgets", values: dollars(cost_micros), style: "area" },
      ...(owed ? [{ label: "providers", values: dollars(api_cost_micros) }] : []),
    ],
  });
};

const frozen = (report: Report): HTMLElement =>
  overTime(report, {
    title: "Frozen",
    note: "Share of the agents' time in which they could not pay for a thought.",
    unit: "% of time",
    series: [
      {
        label: "frozen",
        values: report.metrics.timeline.frozen_share.map((share) => 100 * share),
        style: "area",
      },
    ],
  });
