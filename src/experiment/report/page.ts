import { html, raw } from "hono/html";
import { contentPolicy } from "../../figures/index.ts";
import { darkStyle, PALETTE_STYLE } from "../../read/index.ts";
import { counted, listed, printable } from "../../text/index.ts";
import {
  estimateText,
  type FindingKind,
  findings,
  pNumber,
  rangeText,
  shortText,
} from "../analysis/findings.ts";
import { changedSettings, type Setting } from "../design/experiment.ts";
import {
  CONTRAST_COLUMNS,
  type ResultColumn,
  SUMMARY_COLUMNS,
  shownColumns,
} from "../result/columns.ts";
import type { ExperimentResult } from "../result/result.ts";
import { DIFFERENCES_NOTE, RUNS_NOTE } from "./chart-specs.ts";
import { type Charts, type DrawnChart, svgElement } from "./charts.ts";
import { cellsOf, type ReportInput } from "./report-input.ts";

/** The style of the page of an experiment. Its colours are those of the page of a run. */
const PAGE_STYLE = `
${PALETTE_STYLE}
*{box-sizing:border-box}
html{background:var(--page);color:var(--ink);-webkit-text-size-adjust:100%;
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
body,figure{margin:0}
main{max-width:76rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{margin:.1rem 0;font-size:clamp(1.7rem,4vw,2.5rem);line-height:1.15;overflow-wrap:anywhere}
h2{margin:2.25rem 0 .6rem;font-size:1.25rem}
h3{margin:0 0 .4rem;font-size:1rem}
p{margin:.3rem 0;max-width:52rem}
.kicker{margin:0;color:var(--ink-soft);font-size:.8rem;letter-spacing:.08em;text-transform:uppercase}
.question{font-size:1.15rem}
.about,.note,figcaption{color:var(--ink-soft);font-size:.88rem}
.panel{min-width:0;margin:0 0 1rem;padding:1rem 1.1rem;overflow-x:auto;break-inside:avoid;
border:1px solid var(--rule);border-radius:.75rem;background:var(--panel)}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(30rem,100%),1fr));gap:1rem}
.charts .panel{margin:0}
svg{display:block;max-width:100%;height:auto;overflow:visible}
ul.findings,ul.warnings{margin:0;padding:0;list-style:none}
.findings li,.warnings li{margin:.45rem 0;padding-left:.8rem;border-left:4px solid var(--rule);
max-width:60rem;overflow-wrap:anywhere}
.findings .is-difference{border-color:var(--tone-3)}
.findings .is-outside_band,
.findings .is-uncertain,.findings .is-too_few,.findings .is-runs{border-color:var(--warn)}
.verdict{display:block;color:var(--ink-soft);font-size:.78rem;letter-spacing:.04em;
text-transform:uppercase}
.warnings li{padding:.45rem .8rem;border-color:var(--warn);background:var(--warn-soft)}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
caption{padding-bottom:.4rem;color:var(--ink-soft);text-align:left}
th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--rule);text-align:left;
vertical-align:top}
th{font-weight:600}
thead th{color:var(--ink-soft);font-weight:normal}
.number{text-align:right;white-space:nowrap}
.is-failed,.is-skipped{color:var(--warn)}
code,pre{font:.85rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
td code{display:block;min-width:16rem;font-size:.78rem}
pre{margin:.4rem 0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.4rem 0;font-size:.9rem}
dt{color:var(--ink-soft)}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:52rem){main{padding:1.5rem .9rem 3rem}}
@media print{:root{--page:#fff}html{font-size:11px}main{max-width:none;padding:0}
.charts{grid-template-columns:1fr 1fr}.panel{overflow:visible;border-radius:0}
td code{min-width:0}h2,h3{break-after:avoid}tr{break-inside:avoid}}
${darkStyle("svg ")}
`
  .replaceAll("\n", "")
  .trim();

/** Escaped HTML, which hono inserts as it is. */
type Html = ReturnType<typeof html>;

/**
 * Creates one HTML file that loads nothing and runs nothing: the content security policy allows
 * only the style in the file. Texts of users and agents are escaped, and control characters in them
 * are shown as codes.
 */
export const reportPage = async (input: ReportInput, charts: Charts): Promise<string> => {
  const { result } = input;
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(contentPolicy({ style: PAGE_STYLE }))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${printable(result.name)} · catallaxy</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<main>
${headerPart(result)}
${warningsPart(result)}
${findingsPart(result)}
${designPart(input)}
${chartsPart("Differences", `${DIFFERENCES_NOTE} n is the number of seeds with a value in both arms, or of runs in the smaller arm if arms are not compared seed by seed.`, charts.differences)}
${chartsPart("Over time", "A line is the mean of the runs of an arm. n is the number of runs.", charts.trajectories)}
${chartsPart("Distributions", RUNS_NOTE, charts.distributions)}
${bandsPart(result)}
${measuresPart(input)}
${differencesPart(result)}
${runsPart(input)}
${repeatPart(input)}
</main>
</body>
</html>
`,
  );
};

const section = (id: string, title: string, content: Html | readonly Html[]): Html => html`<section
aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;

/** A cell of a table: a text, HTML, or a number with all its digits in its title. */
type Cell = string | Html | { readonly shown: string; readonly exact: number | null };

const table = (
  heads: readonly string[],
  rows: readonly Html[],
  caption: Html | string = "",
): Html =>
  html`<div class="panel"><table>${caption}
<thead><tr>${heads.map((head) => html`<th scope="col">${printable(head)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>`;

const row = (cells: readonly Cell[]): Html => html`<tr>${cells.map(cellPart)}</tr>`;

const cellPart = (cell: Cell): Html => {
  if (typeof cell !== "object" || !("exact" in cell)) return html`<td>${cell}</td>`;
  const { shown, exact } = cell;
  if (exact === null) return html`<td class="number">${shown}</td>`;
  return html`<td class="number" title="${exact}">${shown}</td>`;
};

const number = (value: number | null): Cell => ({ shown: shortText(value), exact: value });

const resultCell = <Row>(column: ResultColumn<Row>, row: Row): Cell => {
  if (column.format === "interval") {
    return { shown: rangeText(column.value(row)), exact: null };
  }
  const value = column.value(row);
  if (column.format !== "p") return number(value);
  return { shown: value === null ? "–" : pNumber(value), exact: value };
};

const headerPart = ({ runs, question, source, name, complete }: ExperimentResult): Html => {
  const done = runs.filter(({ status }) => status === "done").length;
  const state = complete ? "complete" : "not complete";
  return html`<header>
<p class="kicker">experiment</p>
<h1>${printable(name)}</h1>
${question === null ? "" : html`<p class="question">${printable(question)}</p>`}
${source === null ? "" : html`<p class="about">Source: ${printable(source)}</p>`}
<p class="about">${done} of ${counted(runs.length, "run")} done; the experiment is ${state}</p>
</header>`;
};

const warningsPart = ({ warnings }: ExperimentResult): Html => {
  if (warnings.length === 0) return html``;
  const rows = warnings.map(({ text }) => html`<li>${printable(text)}</li>`);
  return section("warnings", "Warnings", html`<ul class="warnings">${rows}</ul>`);
};

const VERDICTS: { readonly [K in FindingKind]: string } = {
  difference: "difference",
  uncertain: "uncertain",
  no_difference: "no difference seen",
  too_few: "too few values",
  value: "value",
  outside_band: "outside the band",
  runs: "runs",
};

const findingsPart = (result: ExperimentResult): Html => {
  const rows = findings(result).map(({ kind, text }) => {
    // A number and its percent sign stay on one line.
    const unbroken = text.replaceAll(" %", "\u00a0%");
    return html`<li class="is-${kind}"><span class="verdict">${VERDICTS[kind]}</span
>${unbroken}</li>`;
  });
  if (rows.length === 0) return html``;
  return section("findings", "Findings", html`<ul class="findings">${rows}</ul>`);
};

const designPart = ({ experiment }: ReportInput): Html => {
  const { arms, cells, seeds, base, forkS } = experiment;
  const factors = factorValues(experiment);
  const points = new Set(cells.map((cell) => JSON.stringify(cell.factors))).size;
  const past =
    forkS === null
      ? "Runs with the same seed start with the same random numbers."
      : `Runs with the same seed share one past until ${forkS} s and are then forked.`;
  const crossed = factors.length === 0 ? "" : `, at ${counted(points, "point")} of the factors`;
  const rows = arms.flatMap((name) => {
    const cell = cells.find(({ arm }) => arm === name);
    if (cell === undefined) return [];
    return html`<tr><th scope="row">${printable(name)}</th>
<td>${cell.label === name ? "" : printable(cell.label)}</td>
<td>${settingsList(changedSettings(cell))}</td></tr>`;
  });
  const common = [
    { key: "config", value: base.config },
    { key: "duration", value: base.durationS === null ? null : `${base.durationS}s` },
    { key: "max_actions", value: base.maxActions },
    { key: "max_cost", value: base.maxCostUsd },
    { key: "clock", value: base.clock },
  ].filter(({ value }) => value !== null);
  const caption = html`<caption>Arms, and the settings in which they differ</caption>`;
  return section(
    "design",
    "Design",
    html`<p>${counted(arms.length, "arm")}${crossed}, each run with ${counted(seeds.length, "seed")}
(${seedsText(seeds)}). ${past}
${arms.length < 2 ? "" : `The control is ${printable(arms[0] ?? "")}.`}
Arms differ only in the settings below; everything else is equal.</p>
${table(["arm", "label", "settings"], rows, caption)}
${factors.length === 0 ? "" : html`<h3>Factors</h3>${settingsList(factors)}`}
<h3>Equal in all runs</h3>
${settingsList([...common, ...changedSettings({ treatment: base, factors: {} })])}`,
  );
};

/** The values of each factor, in the order of the cells. */
const factorValues = ({ cells }: ReportInput["experiment"]): readonly Setting[] => {
  const values = new Map<string, Set<unknown>>();
  for (const [key, value] of cells.flatMap(({ factors }) => Object.entries(factors))) {
    values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return [...values].map(([key, all]) => ({ key, value: [...all].join(", ") }));
};

const settingsList = (settings: readonly Setting[]): Html => {
  if (settings.length === 0) return html`<span class="note">the defaults</span>`;
  const rows = settings.map(({ key, value }) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return html`<dt>${printable(key)}</dt><dd><code>${printable(text)}</code></dd>`;
  });
  return html`<dl>${rows}</dl>`;
};

/** `1 to 20`, or a list. */
const seedsText = (seeds: readonly number[]): string => {
  const first = seeds[0] ?? 0;
  const isRange = seeds.length > 2 && seeds.every((seed, at) => seed === first + at);
  return isRange ? `${first} to ${seeds.at(-1)}` : listed(seeds.map(String), 20);
};

const chartsPart = (title: string, note: string, charts: readonly DrawnChart[]): Html => {
  if (charts.length === 0) return html``;
  const drawn = charts.map(
    (chart) => html`<figure class="panel">${raw(svgElement(chart))}
<figcaption>figures/${chart.name}.svg</figcaption></figure>`,
  );
  return html`<section>
<h2>${title}</h2>
<p class="note">${note}</p>
${charts.length > 1 ? html`<div class="charts">${drawn}</div>` : drawn}
</section>`;
};

/** Means next to published figures. */
const bandsPart = ({ bands }: ExperimentResult): Html => {
  if (bands.length === 0) return html``;
  const heads = ["measure", "arm", "n", "mean [95 % interval]", "published", "band", "inside"];
  const rows = bands.map(({ measure, cell, n, mean, ci95, published, low, high, inside }) =>
    row([
      printable(measure),
      printable(cell),
      number(n),
      { shown: estimateText(mean, ci95), exact: mean },
      number(published),
      `${shortText(low)} to ${shortText(high)}`,
      inside === null ? "–" : inside ? "yes" : "no",
    ]),
  );
  return section(
    "bands",
    "Means and their bands",
    html`<p class="note">A band is where the experiment file expects the mean of an arm.</p>
${table(heads, rows)}`,
  );
};

/** The summary of each measure in each cell. */
const measuresPart = (input: ReportInput): Html => {
  const shown = shownColumns(SUMMARY_COLUMNS);
  const measures = Object.entries(input.result.measures);
  const rows = measures.flatMap(([measure, { arms }]) =>
    cellsOf(input).flatMap(({ name }) => {
      const summary = arms[name];
      if (summary === undefined) return [];
      const figures = shown.map((column) => resultCell(column, summary));
      return row([printable(measure), printable(name), ...figures]);
    }),
  );
  const heads = ["measure", "arm", ...shown.map(({ title }) => title)];
  const units = measures.map(
    ([measure, { says }]) => html`<dt>${printable(measure)}</dt><dd>${printable(says)}</dd>`,
  );
  return section(
    "measures",
    "Measures",
    html`<p class="note">The table measures.csv has all digits and bootstrap intervals.</p>
${table(heads, rows)}
<dl>${units}</dl>`,
  );
};

/** Each cell compared with its control. */
const differencesPart = ({ measures }: ExperimentResult): Html => {
  const shown = shownColumns(CONTRAST_COLUMNS);
  const rows = Object.entries(measures).flatMap(([measure, { differences }]) =>
    differences.map((each) =>
      row([
        ...[measure, each.a, each.b].map(printable),
        each.paired ? "yes" : "no",
        ...shown.map((column) => resultCell(column, each)),
      ]),
    ),
  );
  if (rows.length === 0) return html``;
  const heads = ["measure", "a", "b", "paired", ...shown.map(({ title }) => title)];
  return section(
    "comparisons",
    "Comparisons",
    html`<p class="note">p is from a permutation test. The effect is Cohen's d. Detectable is the smallest difference that is
seen in 4 of 5 experiments of this size. The table differences.csv has all digits.</p>
${table(heads, rows)}`,
  );
};

/** All runs with their figures, and the commands that make and open them. */
const runsPart = ({ result, experiment }: ReportInput): Html => {
  const measures = Object.keys(result.measures);
  const factors = [...new Set(result.runs.flatMap((run) => Object.keys(run.factors)))];
  const rows = result.runs.map((run) => {
    const { id, arm, seed, status, figures, command, error } = run;
    const values = factors.map((factor) => printable(String(run.factors[factor] ?? "–")));
    const cells: readonly Cell[] = [
      printable(arm),
      ...values,
      { shown: String(seed), exact: null },
      error === null ? status : `${status}: ${printable(error)}`,
      ...measures.map((measure) => number(figures[measure] ?? null)),
      html`<code>${printable(command)}</code>`,
    ];
    return html`<tr class="is-${status}"><th scope="row">${printable(id)}</th>
${cells.map(cellPart)}</tr>`;
  });
  const first = result.runs.find(({ status }) => status === "done");
  const made = experiment.keep === "figures" ? "Make it first, with its command in the table." : "";
  const opening =
    first === undefined
      ? ""
      : html`<p>Open a run in the dashboard:
<code>sim dashboard ${printable(first.id)} --out ${printable(`${result.dir}/runs`)}</code>
${made}</p>`;
  const heads = ["run", "arm", ...factors, "seed", "status", ...measures, "command"];
  return section("runs", "Runs", html`${opening}\n${table(heads, rows)}`);
};

const repeatPart = ({ result, experiment, command, versions }: ReportInput): Html => {
  const made = Object.entries(versions).map(
    ([program, version]) => html`<dt>${printable(program)}</dt><dd>${printable(version)}</dd>`,
  );
  return section(
    "repeat",
    "Repeat this experiment",
    html`<p><code>${printable(command)}</code></p>
<p>The same file, versions and seeds give the same manifest hash and the same figures.</p>
<dl><dt>manifest hash</dt><dd><code>${result.manifest_hash}</code></dd>${made}</dl>
<h3>${printable(experiment.file)}</h3>
<div class="panel"><pre>${printable(experiment.text)}</pre></div>`,
  );
};
