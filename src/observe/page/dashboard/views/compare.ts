import { html } from "htm/preact";
import type { Comparison } from "../../../comparison.ts";
import {
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  labelledFigures,
} from "../../../comparison-text.ts";
import { Panel, Pending } from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, textColumn } from "../../parts/table.ts";
import { numberText, signedText } from "../../parts/text.ts";
import { go } from "../address.ts";
import { useAnswer } from "../api.ts";
import type { ViewParts } from "../view.ts";

export const CompareView = ({ address, path, runs, tick }: ViewParts) => {
  const others = (runs?.runs ?? []).filter(({ run_id }) => run_id !== address.run);
  const other = address.item;
  const asked = other === null ? null : `${path}/compare/${encodeURIComponent(other)}`;
  const { value, problem } = useAnswer<Comparison>(asked, tick.status);
  const isShown = value !== null && other !== null;
  const isPending = asked !== null && (value === null || problem !== null);
  return html`
    <${Panel} title="Compare">
      <label class="tools">with
        <select value=${other ?? ""}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            go({ ...address, item: currentTarget.value || null })}>
          <option value="">choose a run</option>
          ${others.map(({ run_id: id }) => html`<option value=${id}>${id}</option>`)}
        </select>
      </label>
      ${others.length === 0 && html`<p class="note">No other run to compare with.</p>`}
      ${isPending && html`<${Pending} problem=${problem} />`}
      ${isShown && divergencesIn(value)}
    <//>
    ${
      isShown &&
      html`<div class="columns">
        <${Differences} title="Figures" rows=${labelledFigures(value.figures)} runs=${value.runs} />
        <div>
          <${Differences} title="Settings" rows=${value.settings} runs=${value.runs} />
          <${Differences} title="Wealth (scrip)" rows=${value.wealth} runs=${value.runs} />
        </div>
      </div>`
    }
  `;
};

const divergencesIn = (comparison: Comparison) => [
  ...comparison.divergences.map(
    (each) => html`<p class="divergence" key=${each.run}>
      ${divergenceText(each, comparison.runs[0] ?? "")}
    </p>
    ${differingEventLines(each, comparison.runs[0] ?? "").map(
      (line) => html`<p class="note" key=${line}><bdi>${line}</bdi></p>`,
    )}`,
  ),
  ...countingText(comparison).map((line) => html`<p class="note" key=${line}>${line}</p>`),
];

type Row = Comparison["figures"][number] | Comparison["settings"][number];

const ROWS_FIRST = 20;

type DifferenceParts = {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly runs: readonly string[];
};

const Differences = ({ title, rows, runs }: DifferenceParts) => {
  const hasNumbers = rows.some((row) => differencesIn(row).some((each) => each !== null));
  const columns: readonly Column<Row>[] = [
    textColumn(title.toLowerCase(), ({ name }) => name),
    ...runs.map((run, at) => {
      const value = ({ values }: Row) => values[at] ?? null;
      return { title: run, isNumber: true, value, cell: (row: Row) => valueText(value(row)) };
    }),
    ...(hasNumbers ? differenceHeads(runs) : []).map((head, at) =>
      numberColumn<Row>(head, (row) => differencesIn(row)[at] ?? null, signedText),
    ),
  ];
  return html`<${Panel} title=${title}>
    <${SortedTable} caption=${title} columns=${columns} rows=${rows} first=${ROWS_FIRST} />
  <//>`;
};

const valueText = (value: string | number | null): string =>
  typeof value === "string" ? value : numberText(value);
