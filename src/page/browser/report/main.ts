import "../base.css";
import "./report.css";
import "../parts/printable-text.ts";
import { html, render } from "htm/preact";
import { gainsText, overviewOf, type RunOverview } from "../../../figures/index.ts";
import {
  countText,
  dollarText,
  momentText,
  numberText,
  percentText,
  shortened,
  timeText,
} from "../../../text/index.ts";
import type { ReportPage } from "../../html/page-document.ts";
import { charts, LineChart, LorenzChart, MatrixChart, RowsChart } from "../charts/index.ts";
import { breakable, Panel, Tiles } from "../parts/parts.ts";
import { type Column, numberColumn, SortedTable, textColumn } from "../parts/table.ts";
// This comes last, because it overrides the other style sheets.
import "../media.css";

const SELLERS_MAX = 12;
const EARNERS_MAX = 14;

const Report = (page: ReportPage) => {
  const { metrics, counted_from: from, narrative } = page.report;
  const overview = overviewOf(metrics, metrics.timeline, from);
  return html`
    <${Header} ...${page} />
    <section class="narrative" aria-label="The run in plain words">
      ${narrative.map((text) => html`<p>${breakable(text)}</p>`)}
    </section>
    <${Tiles} tiles=${charts.tilesOf(overview)} />
    <${Charts} title="Wealth">
      <${LineChart} spec=${charts.wealthLines(metrics, Infinity)} wide=${true} />
      <${LorenzChart} spec=${charts.distribution(overview)} />
      <${RowsChart} spec=${charts.incomes(metrics, EARNERS_MAX)} />
    <//>
    <${Charts} title="Trade">
      <${MatrixChart} spec=${charts.network(metrics)} wide=${true} />
      ${linesOf(overview, "Trade")}
      <${RowsChart} spec=${charts.sellers(overview, SELLERS_MAX)} />
    <//>
    <${Charts} title="Money">
      ${linesOf(overview, "Money")}
    <//>
    <${Charts} title="Work">${linesOf(overview, "Work")}<//>
    <${Tables} report=${page.report} />
    <footer>
      All figures come from the run's journal, in run time; docs/report.md defines them. This file
      works without a network.
    </footer>
  `;
};

const linesOf = (overview: RunOverview, section: (typeof charts.RUN_LINES)[number]["section"]) =>
  charts.RUN_LINES.filter((line) => line.section === section).map(
    ({ specOf }) => html`<${LineChart} spec=${specOf(overview)} />`,
  );

type ChartsParts = { readonly title: string; readonly children?: unknown };

const Charts = ({ title, children }: ChartsParts) => html`
  <section aria-label=${title}>
    <h2>${title}</h2>
    <div class="pictures">${children}</div>
  </section>
`;

const Header = ({ run, header, report }: ReportPage) => {
  const { counted_from: from, metrics } = report;
  const facts = [
    countText(metrics.wealth.agents, "agent"),
    `${timeText(metrics.at_ms)} of run time`,
    countText(metrics.events, "event"),
    `seed ${header.seed}`,
    `${header.clock} clock`,
    `version ${header.version}`,
    ...(from.run === null ? [] : [`forked from ${from.run}: ${countedText(from)}`]),
  ];
  return html`
    <header>
      <p class="kicker">catallaxy · run report</p>
      <h1><bdi>${run}</bdi></h1>
      <p class="about">${facts.join(" · ")}</p>
      <${ChangedSettings} settings=${header.settings} />
    </header>
  `;
};

const countedText = ({ seq, at_ms }: ReportPage["report"]["counted_from"]): string =>
  `figures count from event ${numberText(seq)}, ${momentText(at_ms)}`;

/** The maximum length of a setting's value. Longer values, such as lists, are truncated. */
const SETTING_CHARS_MAX = 80;

const ChangedSettings = ({ settings }: Pick<ReportPage["header"], "settings">) => {
  if (settings === null) return html`<p class="about">settings unknown</p>`;
  if (settings.length === 0) return html`<p class="about">all settings have their defaults</p>`;
  return html`
    <dl class="settings" aria-label="Settings that differ from the defaults">
      ${settings.map(
        ({ key, value, shipped }) => html`<div>
          <dt><bdi>${key}</bdi></dt>
          <dd class="setting-value"><bdi>${cut(value)}</bdi></dd>
          <dd>${shipped === null ? "added" : `instead of ${cut(shipped)}`}</dd>
        </div>`,
      )}
    </dl>
  `;
};

const cut = (text: string): string => shortened(text, SETTING_CHARS_MAX);

const ROWS_FIRST = 50;

const Tables = ({
  report: { metrics, groups: byGroup, model_calls },
}: Pick<ReportPage, "report">) => [
  section("Groups", groups, byGroup.some(({ group }) => group !== null) ? byGroup : []),
  section("Principals", principals, metrics.principals),
  section("Gains from trade", gains, metrics.gains_from_trade.artifacts),
  section("Services", services, metrics.services),
  section("Errors", errors(metrics.work.actions), metrics.work.top_errors),
  section("Models", models, model_calls.by_model),
  section("Schedule", schedule, metrics.schedule),
  section("Alarms", alarms, metrics.alarms),
];

const section = <Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]) =>
  rows.length === 0
    ? null
    : html`<${Panel} title=${title} class="is-table">
        <${SortedTable} caption=${title} columns=${columns} rows=${rows} first=${ROWS_FIRST} />
      <//>`;

type Metrics = ReportPage["report"]["metrics"];

const groups: readonly Column<ReportPage["report"]["groups"][number]>[] = [
  textColumn("group", ({ group }) => group ?? "none"),
  numberColumn("agents", "agents"),
  numberColumn("wealth", "wealth"),
  numberColumn("mean wealth", "mean_wealth"),
  numberColumn("Gini", "gini"),
  numberColumn("earned", "earned"),
  numberColumn("paid", "paid"),
  numberColumn("actions", "actions"),
  numberColumn("failed", ({ actions, succeeded }) => actions - succeeded),
  numberColumn("thoughts", "thoughts"),
  numberColumn("budget spent", "cost_micros", dollarText),
];

const principals: readonly Column<Metrics["principals"][number]>[] = [
  textColumn("principal", ({ id }) => id),
  textColumn("state", ({ state }) => state ?? "program"),
  numberColumn("wealth", "wealth"),
  numberColumn("in own programs", "in_own_programs"),
  numberColumn("began with", "began_with"),
  numberColumn("earned", "earned"),
  numberColumn("of it sold", "revenue"),
  numberColumn("paid", "paid"),
  numberColumn("burned", "burned"),
  numberColumn("specialised", "specialisation", percentText),
  numberColumn("thoughts", "thoughts"),
  numberColumn("actions", "actions"),
  numberColumn("failed", ({ actions, succeeded }) => actions - succeeded),
  numberColumn("budget spent", "cost_micros", dollarText),
  numberColumn("frozen", "frozen_share", percentText),
];

const services: readonly Column<Metrics["services"][number]>[] = [
  textColumn("program", ({ artifact }) => artifact),
  textColumn("seller", ({ seller }) => seller),
  numberColumn("revenue", "revenue"),
  numberColumn("calls", "sales"),
  numberColumn("customers", "customers"),
  numberColumn("first price", "first_price"),
  numberColumn("last price", "last_price"),
];

const gains: readonly Column<Metrics["gains_from_trade"]["artifacts"][number]>[] = [
  textColumn("artifact", ({ artifact }) => artifact),
  textColumn("made by", ({ maker }) => maker ?? "no one"),
  textColumn("owned by", ({ owner }) => owner ?? "no one"),
  numberColumn("price", "price"),
  textColumn("gains", gainsText),
  numberColumn("realised", "realised"),
  numberColumn("possible", "possible"),
  numberColumn("efficiency", "efficiency", percentText),
];

const errors = (actions: number): readonly Column<Metrics["work"]["top_errors"][number]>[] => [
  textColumn("code", ({ code }) => code),
  numberColumn("times", "times"),
  numberColumn("of all actions", ({ times }) => times / actions, percentText),
];

const models: readonly Column<ReportPage["report"]["model_calls"]["by_model"][number]>[] = [
  textColumn("model", ({ model }) => model),
  numberColumn("calls", "calls"),
  numberColumn("failed", "failures"),
  numberColumn("tokens in", "input_tokens"),
  numberColumn("tokens out", "output_tokens"),
  numberColumn("owed", (row) => row.cost_usd * 1e6, dollarText),
];

const schedule: readonly Column<Metrics["schedule"][number]>[] = [
  numberColumn("at", "at_ms", (ms) => momentText(ms ?? 0)),
  { ...textColumn("change", ({ change }) => change), isProse: true },
  {
    ...textColumn("effect", ({ problem }) => (problem === null ? "done" : `not done: ${problem}`)),
    isProse: true,
  },
];

const alarms: readonly Column<Metrics["alarms"][number]>[] = [
  textColumn("alarm", ({ alarm }) => alarm),
  numberColumn("from", "from_ms", (ms) => momentText(ms ?? 0)),
  numberColumn("to", "to_ms", (ms) => (ms === null ? "the end" : momentText(ms))),
  { ...textColumn("cause", ({ cause }) => cause), isProse: true },
];

const place = document.getElementById("report");
const page: ReportPage = JSON.parse(document.getElementById("figures")?.textContent ?? "");
if (place !== null) {
  place.replaceChildren();
  render(html`<${Report} ...${page} />`, place);
}
