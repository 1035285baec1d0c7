import { html } from "hono/html";
import type { ExperimentResult, RunRow } from "../../observe/index.ts";
import { printable } from "../../printable.ts";
import { estimateText, pNumber, shortText } from "../results/number-text.ts";
import { cellsOf, type ReportInput } from "./report-input.ts";

/** Escaped HTML, which hono inserts as it is. */
export type Html = ReturnType<typeof html>;

/** A table cell: a text, or a number with all its digits in its title. */
type TableCell = string | { readonly shown: string; readonly exact: number | null };

type Table = {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly TableCell[])[];
};

/** The summary of each measure in each cell. */
export const measuresPart = (input: ReportInput): Html => {
  const cells = cellsOf(input);
  const { measures } = input.result;
  const rows = Object.entries(measures).flatMap(([measure, { arms }]) =>
    cells.flatMap(({ name }) => {
      const summary = arms[name];
      if (summary === undefined) return [];
      const { n, mean, sd, median, q05, q95, ci95 } = summary;
      const numbers = [n, mean, sd, median, q05, q95].map(numberCell);
      const interval = { shown: estimateText(mean, ci95), exact: mean };
      return [[printable(measure), printable(name), ...numbers, interval]];
    }),
  );
  const units = Object.entries(measures).map(
    ([measure, { says }]) => html`<dt>${printable(measure)}</dt><dd>${printable(says)}</dd>`,
  );
  return html`${tablePart({
    id: "measures",
    title: "Measures",
    note: "The table measures.csv has all digits and bootstrap intervals.",
    heads: ["measure", "arm", "n", "mean", "sd", "median", "5 %", "95 %", "mean [95 % interval]"],
    rows,
  })}<dl>${units}</dl>`;
};

/** Means next to published figures. */
export const bandsPart = ({ bands }: ExperimentResult): Html => {
  if (bands.length === 0) return html``;
  const rows = bands.map(({ measure, cell, n, mean, ci95, published, low, high, inside }) => [
    ...[measure, cell].map(printable),
    numberCell(n),
    { shown: estimateText(mean, ci95), exact: mean },
    numberCell(published),
    `${shortText(low)} to ${shortText(high)}`,
    insideText(inside),
  ]);
  return tablePart({
    id: "bands",
    title: "Means and their bands",
    note: "A band is where the experiment file expects the mean of an arm.",
    heads: ["measure", "arm", "n", "mean [95 % interval]", "published", "band", "inside"],
    rows,
  });
};

const insideText = (inside: boolean | null): string => {
  if (inside === null) return "–";
  return inside ? "yes" : "no";
};

/** Each cell compared with its control. */
export const differencesPart = ({ measures }: ExperimentResult): Html => {
  const rows = Object.entries(measures).flatMap(([measure, { differences }]) =>
    differences.map(({ a, b, paired, n, mean, ci95, p, p_holm, effect, detectable }) => [
      ...[measure, a, b].map(printable),
      paired ? "yes" : "no",
      numberCell(n),
      { shown: estimateText(mean, ci95), exact: mean },
      { shown: p === null ? "–" : pNumber(p), exact: p },
      { shown: p_holm === null ? "–" : pNumber(p_holm), exact: p_holm },
      numberCell(effect),
      numberCell(detectable),
    ]),
  );
  if (rows.length === 0) return html``;
  const differs = "mean difference [95 % interval]";
  const tests = ["p", "p (Holm)", "Cohen's d", "detectable"];
  return tablePart({
    id: "comparisons",
    title: "Comparisons",
    note:
      "p is from a permutation test. Detectable is the smallest difference that is seen in 4 of " +
      "5 experiments of this size. The table differences.csv has all digits.",
    heads: ["measure", "a", "b", "paired", "n", differs, ...tests],
    rows,
  });
};

const numberCell = (value: number | null): TableCell => ({ shown: shortText(value), exact: value });

/** All runs with their figures, and the commands that make and open them. */
export const runsPart = ({ result, design }: ReportInput): Html => {
  const measures = Object.keys(result.measures);
  const factors = [...new Set(result.runs.flatMap((run) => Object.keys(run.factors)))];
  const heads = ["run", "arm", ...factors, "seed", "status", ...measures, "command"];
  const rows = result.runs.map((run) => runRow(run, { measures, factors }));
  const [first] = result.runs.filter(({ status }) => status === "done");
  const made = design.keeps_runs ? "" : "Make it first, with its command in the table.";
  const opening =
    first === undefined
      ? ""
      : html`<p>Open a run in the dashboard:
<code>sim dashboard ${printable(first.id)} --out ${printable(`${result.dir}/runs`)}</code>
${made}</p>`;
  return html`<section aria-labelledby="runs">
<h2 id="runs">Runs</h2>
${opening}
<div class="panel"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${printable(head)}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table></div>
</section>`;
};

type Shown = { readonly measures: readonly string[]; readonly factors: readonly string[] };

const runRow = (run: RunRow, { measures, factors }: Shown): Html => {
  const { id, arm, seed, status, figures, command, error } = run;
  const numbers = measures.map((measure) => cellPart(numberCell(figures[measure] ?? null)));
  const values = factors.map((factor) => cellPart(printable(String(run.factors[factor] ?? "–"))));
  const reason = error === null ? "" : html`: ${printable(error)}`;
  return html`<tr class="is-${status}"><th scope="row">${printable(id)}</th>
<td>${printable(arm)}</td>${values}<td class="number">${seed}</td><td>${status}${reason}</td>
${numbers}<td><code>${printable(command)}</code></td></tr>`;
};

const tablePart = ({ id, title, note, heads, rows }: Table): Html => html`<section
aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="note">${note}</p>
<div class="panel"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cellPart)}</tr>`)}</tbody></table></div>
</section>`;

const cellPart = (cell: TableCell): Html => {
  if (typeof cell === "string") return html`<td>${cell}</td>`;
  const exact = cell.exact === null ? "" : String(cell.exact);
  return html`<td class="number" title="${exact}">${cell.shown}</td>`;
};
