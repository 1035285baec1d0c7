import "../base.css";
import "./report.css";
import "../parts/printable-text.ts";
import { html, render } from "htm/preact";
import { overviewOf } from "../../../read/index.ts";
import { shortened } from "../../../text/index.ts";
import type { ReportPage } from "../../html/html-report.ts";
import { barChart, charts, lineChart, lorenzChart, networkChart } from "../charts/index.ts";
import { breakable } from "../parts/breakable.ts";
import { ChartPanel, Tiles } from "../parts/parts.ts";
import { tilesOf } from "../parts/run-tiles.ts";
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
    <${Tiles} tiles=${tilesOf(overview)} />
    <${Charts} title="Wealth">
      <${ChartPanel} make=${lineChart} spec=${charts.wealthLines(metrics, Infinity)} wide=${true} />
      <${ChartPanel} make=${lorenzChart} spec=${charts.distribution(overview)} />
      <${ChartPanel} make=${barChart} spec=${charts.incomes(metrics, EARNERS_MAX)} />
    <//>
    <${Charts} title="Trade">
      <${ChartPanel} make=${networkChart} spec=${charts.network(metrics)} wide=${true} />
      <${ChartPanel} make=${lineChart} spec=${charts.prices(overview)} />
      <${ChartPanel} make=${barChart} spec=${charts.sellers(overview, SELLERS_MAX)} />
    <//>
    <${Charts} title="Money">
      <${ChartPanel} make=${lineChart} spec=${charts.mint(overview)} />
      <${ChartPanel} make=${lineChart} spec=${charts.velocity(overview)} />
      <${ChartPanel} make=${lineChart} spec=${charts.compute(overview)} />
      <${ChartPanel} make=${lineChart} spec=${charts.computeSales(overview)} />
    <//>
    <${Charts} title="Work">
      <${ChartPanel} make=${lineChart} spec=${charts.pace(overview)} />
      <${ChartPanel} make=${lineChart} spec=${charts.refusals(overview)} />
      <${ChartPanel} make=${lineChart} spec=${charts.cost(overview)} />
      <${ChartPanel} make=${lineChart} spec=${charts.frozen(overview)} />
    <//>
    <${Tables} report=${page.report} />
    <footer>
      All figures come from the run's journal, in run time; docs/report.md defines them. This file
      works without a network.
    </footer>
  `;
};

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
