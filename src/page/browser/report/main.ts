import "../base.css";
import "./report.css";
import "../parts/printable-text.ts";
import { html, render } from "htm/preact";
import { overviewOf, type RunOverview } from "../../../read/index.ts";
import { shortened } from "../../../text/index.ts";
import type { ReportPage } from "../../html/html-report.ts";
import {
  ChartPanel,
  charts,
  lineChart,
  lorenzChart,
  matrixChart,
  rowsChart,
} from "../charts/index.ts";
import { breakable, Tiles } from "../parts/parts.ts";
import { countText, momentText, numberText, timeText } from "../parts/text.ts";
import { Tables } from "./tables.ts";
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
      <${ChartPanel} make=${lineChart} spec=${charts.wealthLines(metrics, Infinity)} wide=${true} />
      <${ChartPanel} make=${lorenzChart} spec=${charts.distribution(overview)} />
      <${ChartPanel} make=${rowsChart} spec=${charts.incomes(metrics, EARNERS_MAX)} />
    <//>
    <${Charts} title="Trade">
      <${ChartPanel} make=${matrixChart} spec=${charts.network(metrics)} wide=${true} />
      ${linesOf(overview, "Trade")}
      <${ChartPanel} make=${rowsChart} spec=${charts.sellers(overview, SELLERS_MAX)} />
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
    ({ specOf }) => html`<${ChartPanel} make=${lineChart} spec=${specOf(overview)} />`,
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

const place = document.getElementById("report");
const page: ReportPage = JSON.parse(document.getElementById("figures")?.textContent ?? "");
if (place !== null) {
  place.replaceChildren();
  render(html`<${Report} ...${page} />`, place);
}
