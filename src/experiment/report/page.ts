import { html, raw } from "hono/html";
import type { ExperimentResult } from "../../observe/index.ts";
import { contentPolicy } from "../../observe/index.ts";
import { printable } from "../../printable.ts";
import { counted, listed } from "../../wording.ts";
import { type FindingKind, findings, LEVEL } from "../results/findings.ts";
import type { Charts, DrawnChart } from "./charts.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { bandsPart, differencesPart, type Html, measuresPart, runsPart } from "./page-tables.ts";
import type { ReportDesign, ReportInput, ReportSetting } from "./report-input.ts";

/**
 * Creates one HTML file that loads nothing and runs nothing: the content security policy allows
 * only the style in the file. Texts of users and agents are escaped, and control characters in them
 * are shown as codes.
 */
export const reportPage = async (input: ReportInput, charts: Charts): Promise<string> => {
  const { result, design } = input;
  const name = printable(result.name);
  return String(
    await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(contentPolicy({ style: PAGE_STYLE }))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · catallaxy</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<main>
${headerPart(result)}
${warningsPart(result)}
${findingsPart(result)}
${designPart(design, result)}
${chartsPart("Differences", DIFFERENCES_NOTE, charts.differences)}
${chartsPart("Over time", TRAJECTORIES_NOTE, charts.trajectories)}
${chartsPart("Distributions", DISTRIBUTIONS_NOTE, charts.distributions)}
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

const headerPart = (result: ExperimentResult): Html => {
  const { runs, question, source, name, complete } = result;
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
  return html`<section aria-labelledby="warnings">
<h2 id="warnings">Warnings</h2>
<ul class="warnings">${rows}</ul>
</section>`;
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
  const rows = findings(result).map(
    ({ kind, text }) =>
      html`<li class="is-${kind}"><span class="verdict">${VERDICTS[kind]}</span
>${unbroken(text)}</li>`,
  );
  if (rows.length === 0) return html``;
  return html`<section aria-labelledby="findings">
<h2 id="findings">Findings</h2>
<ul class="findings">${rows}</ul>
</section>`;
};

/** Keeps a number and its percent sign on one line. */
const unbroken = (text: string): string => text.replaceAll(" %", "\u00a0%");

const designPart = (design: ReportDesign, { runs }: ExperimentResult): Html => {
  const { arms, factors, seeds, base, fork_ms } = design;
  const points = new Set(runs.map(({ factors: at }) => JSON.stringify(at))).size;
  const [control] = arms;
  const past =
    fork_ms === null
      ? "Runs with the same seed start with the same random numbers."
      : `Runs with the same seed share one past until ${fork_ms / 1_000} s and are then forked.`;
  const crossed =
    Object.keys(factors).length === 0 ? "" : `, at ${counted(points, "point")} of the factors`;
  const rows = arms.map(
    ({ name, label, settings }) => html`<tr><th scope="row">${printable(name)}</th>
<td>${label === null ? "" : printable(label)}</td><td>${settingsList(settings)}</td></tr>`,
  );
  return html`<section aria-labelledby="design">
<h2 id="design">Design</h2>
<p>${counted(arms.length, "arm")}${crossed}, each run with ${counted(seeds.length, "seed")}
(${seedsText(seeds)}). ${past}
${arms.length < 2 ? "" : `The control is ${printable(control?.name ?? "")}.`}
Arms differ only in the settings below; everything else is equal.</p>
<div class="panel"><table>
<caption>Arms, and the settings in which they differ</caption>
<thead><tr>${["arm", "label", "settings"].map((head) => html`<th scope="col">${head}</th>`)}</tr>
</thead>
<tbody>${rows}</tbody></table></div>
${factorsList(factors)}
<h3>Equal in all runs</h3>
${settingsList(base)}
</section>`;
};

const settingsList = (settings: readonly ReportSetting[]): Html => {
  if (settings.length === 0) return html`<span class="note">the defaults</span>`;
  const rows = settings.map(
    ({ key, value }) => html`<dt>${printable(key)}</dt><dd><code>${valueText(value)}</code></dd>`,
  );
  return html`<dl>${rows}</dl>`;
};

const factorsList = (factors: ReportDesign["factors"]): Html => {
  const all = Object.entries(factors);
  if (all.length === 0) return html``;
  const rows = all.map(([setting, values]) => ({ key: setting, value: values.join(", ") }));
  return html`<h3>Factors</h3>${settingsList(rows)}`;
};

const valueText = (value: unknown): string =>
  printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const SEEDS_SHOWN = 20;

/** `1 to 20`, or a list. */
const seedsText = (seeds: readonly number[]): string => {
  const first = seeds[0] ?? 0;
  const isRange = seeds.length > 2 && seeds.every((seed, at) => seed === first + at);
  return isRange ? `${first} to ${seeds.at(-1)}` : listed(seeds.map(String), SEEDS_SHOWN);
};

const DIFFERENCES_NOTE =
  "A mark is the mean difference, and its line the 95 % interval. Filled marks are differences " +
  `with p < ${LEVEL} after Holm's correction. A difference inside the grey bar would be missed ` +
  "in more than 1 of 5 experiments of this size. n is the number of seeds with a value in both " +
  "arms, or of runs in the smaller arm if arms are not compared seed by seed.";
const TRAJECTORIES_NOTE =
  "A line is the mean of the runs of an arm, and its band reaches from their 5 % to their 95 % " +
  "quantile. n is the number of runs.";
const DISTRIBUTIONS_NOTE =
  "A dot is a run. Below the dots, the thick bar is the 95 % interval of the mean, the thin bar " +
  "reaches from the 5 % to the 95 % quantile, and the tick is the median.";

const chartsPart = (title: string, note: string, charts: readonly DrawnChart[]): Html => {
  if (charts.length === 0) return html``;
  const drawn = charts.map(
    ({ name, svg }) => html`<figure class="panel">${raw(svg)}
<figcaption>figures/${name}.svg</figcaption></figure>`,
  );
  const isGrid = charts.length > 1;
  return html`<section>
<h2>${title}</h2>
<p class="note">${note}</p>
${isGrid ? html`<div class="charts">${drawn}</div>` : drawn}
</section>`;
};

const repeatPart = ({ result, design, versions }: ReportInput): Html => {
  const made = Object.entries(versions).map(
    ([program, version]) => html`<dt>${printable(program)}</dt><dd>${printable(version)}</dd>`,
  );
  return html`<section aria-labelledby="repeat">
<h2 id="repeat">Repeat this experiment</h2>
<p><code>${printable(design.command)}</code></p>
<p>The same file, versions and seeds give the same manifest hash and the same figures.</p>
<dl><dt>manifest hash</dt><dd><code>${result.manifest_hash}</code></dd>${made}</dl>
<h3>${printable(design.file)}</h3>
<div class="panel"><pre>${printable(design.text)}</pre></div>
</section>`;
};
