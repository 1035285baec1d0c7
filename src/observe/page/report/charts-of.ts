import { bestSellers } from "../../best-sellers.ts";
import type { Report } from "../../economy-report.ts";
import {
  barChart,
  cost,
  distribution,
  element,
  type LineSpec,
  lineChart,
  lorenzChart,
  mint,
  networkChart,
  pace,
  percentText,
  prices,
  refusals,
  sellers,
  wealthLines,
  wholeStretches,
} from "../charts/index.ts";

const SELLERS_MAX = 12;

/** The pictures of a report, by subject. */
export const chartsOf = (report: Report): readonly HTMLElement[] => {
  const { metrics } = report;
  return [
    section("Wealth", [
      wide(line(wealthLines(metrics, Number.POSITIVE_INFINITY))),
      lorenzChart(distribution(metrics)).root,
      incomes(report),
    ]),
    section("Trade", [
      wide(network(report)),
      line(prices(metrics)),
      barChart(sellers(bestSellers(metrics.services), SELLERS_MAX)).root,
    ]),
    section("Money", [line(mint(metrics)), line(velocity(report))]),
    section("Work", [
      line(pace(metrics)),
      line(refusals(metrics)),
      line(cost(metrics)),
      line(frozen(report)),
    ]),
  ];
};

const line = (spec: LineSpec): HTMLElement => lineChart(spec).root;

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

const velocity = ({ metrics: { timeline } }: Report): LineSpec => ({
  title: "Velocity of money",
  note: "How often the average scrip changed hands.",
  unit: "times / min",
  atMs: timeline.at_ms,
  series: [
    {
      label: "velocity",
      values: wholeStretches(timeline, timeline.velocity_per_min),
      style: "area",
    },
  ],
});

const frozen = ({ metrics: { timeline } }: Report): LineSpec => ({
  title: "Frozen",
  note: "Share of the agents' time in which they could not pay for a thought.",
  unit: "% of time",
  atMs: timeline.at_ms,
  series: [
    { label: "frozen", values: timeline.frozen_share.map((share) => 100 * share), style: "area" },
  ],
});
