import { html } from "htm/preact";
import type { Comparison } from "../../comparison.ts";
import { differenceHeads, differencesIn, figureLabel, signedText } from "../../difference-text.ts";
import { countingText, partingText } from "../../parting-text.ts";
import { go } from "./address.ts";
import { useAnswer } from "./ask.ts";
import { Panel, Problem, Waiting } from "./parts.ts";
import { type Column, Table } from "./table.ts";
import type { ViewParts } from "./views.ts";
import { numberText, shown } from "./words.ts";

/** This run held against another: where they part and how they differ. */
export const CompareView = ({ address, path, runs, tick }: ViewParts) => {
  const others = (runs?.runs ?? []).filter(({ run_id }) => run_id !== address.run);
  const other = address.item;
  const asked = other === null ? null : `${path}/compare/${encodeURIComponent(other)}`;
  const { value, problem } = useAnswer<Comparison>(asked, tick.status);
  return html`
    <${Panel} title="Compare">
      <label class="tools">with
        <select value=${other ?? ""}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            go({ ...address, item: currentTarget.value || null })}>
          <option value="">choose a run</option>
          ${others.map(({ run_id: id }) => html`<option value=${id}>${shown(id)}</option>`)}
        </select>
      </label>
      ${others.length === 0 ? html`<p class="note">There is no other run here.</p>` : null}
      <${Problem} problem=${problem} />
      ${asked !== null && value === null && problem === null ? html`<${Waiting} />` : null}
      ${
        value === null || other === null
          ? null
          : value.partings.map(
              (parting) => html`<p class="parting" key=${parting.run}>
                ${shown(partingText(parting, value.runs[0] ?? ""))}
              </p>`,
            )
      }
      ${
        value === null || other === null
          ? null
          : countingText(value).map((line) => html`<p class="note" key=${line}>${shown(line)}</p>`)
      }
    <//>
    ${
      value === null || other === null
        ? null
        : html`
            <div class="columns">
              <${Differences} title="Figures" rows=${value.figures} runs=${value.runs} />
              <div>
                <${Differences} title="Settings" rows=${value.settings} runs=${value.runs} />
                <${Differences} title="Wealth (scrip)" rows=${value.wealth} runs=${value.runs} />
              </div>
            </div>`
    }
  `;
};

type Row = Comparison["figures"][number] | Comparison["settings"][number];

type DifferenceParts = {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly runs: readonly string[];
};

const Differences = ({ title, rows, runs }: DifferenceParts) => {
  const columns: readonly Column<Row>[] = [
    { title: title.toLowerCase(), cell: ({ name }) => shown(figureLabel(name)) },
    ...runs.map((run, at) => ({
      title: run,
      isNumber: true,
      cell: ({ values }: Row) => valueText(values[at] ?? null),
    })),
    ...(rows.some((row) => differencesIn(row).some((difference) => difference !== null))
      ? differenceHeads(runs).map((head, at) => ({
          title: head,
          isNumber: true,
          cell: (row: Row) => signedText(differencesIn(row)[at] ?? null),
        }))
      : []),
  ];
  return html`<${Panel} title=${title}>
    <${Table} caption=${title} columns=${columns} rows=${rows} />
  <//>`;
};

const valueText = (value: string | number | null): string =>
  typeof value === "string" ? shown(value) : numberText(value);
