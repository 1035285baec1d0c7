import { html } from "htm/preact";
import type {
  Contrast,
  ExperimentResult,
  Interval,
  RunRow,
  Summary,
} from "../../../../experiment/result.ts";
import { Panel, Pending } from "../../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table, textColumn } from "../../../parts/table.ts";
import { countText, numberText, signedText } from "../../../parts/text.ts";
import { EXPERIMENT_VIEW, go } from "../../address.ts";
import { useAnswer } from "../../api.ts";
import { Link, type RunsAnswer } from "../../view.ts";

type ExperimentParts = {
  /** The measure to show, or null for the first. */
  readonly measure: string | null;
  readonly runs: RunsAnswer | null;
};

/** Compares the arms of the experiment that made the runs of this folder. */
export const ExperimentView = ({ measure, runs }: ExperimentParts) => {
  const { value: result, problem } = useAnswer<ExperimentResult>("/experiment");
  if (result === null) return html`<${Pending} problem=${problem} />`;
  const names = Object.keys(result.measures);
  const shown = measure !== null && names.includes(measure) ? measure : (names[0] ?? "");
  const done = result.runs.filter(({ status }) => status === "done").length;
  return html`
    <${Panel} title=${`Experiment ${result.name}`}>
      ${result.question !== null && html`<p><bdi>${result.question}</bdi></p>`}
      <p class="note">${done} of ${countText(result.runs.length, "run")} done</p>
      ${result.warnings.map(
        ({ text }) => html`<p class="note" key=${text}>
        Warning: <bdi>${text}</bdi></p>`,
      )}
      <label class="tools">measure
        <select value=${shown}
          onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
            go({ run: null, view: EXPERIMENT_VIEW, item: currentTarget.value, at: null })}>
          ${names.map((name) => html`<option value=${name}>${name}</option>`)}
        </select>
      </label>
      <p class="note"><bdi>${result.measures[shown]?.says}</bdi></p>
    <//>
    <${Arms} result=${result} measure=${shown} />
    <${Seeds} result=${result} measure=${shown} runs=${runs} />
  `;
};

type MeasureParts = { readonly result: ExperimentResult; readonly measure: string };

type ArmRow = readonly [cell: string, summary: Summary];

const summaryColumn = (title: string, of: (summary: Summary) => number | null): Column<ArmRow> =>
  numberColumn(title, ([, summary]) => of(summary));

const ARM_COLUMNS: readonly Column<ArmRow>[] = [
  textColumn("arm", ([cell]) => cell),
  summaryColumn("n", ({ n }) => n),
  summaryColumn("mean", ({ mean }) => mean),
  { title: "95 % interval", isNumber: true, cell: ([, { ci95 }]) => intervalText(ci95) },
  summaryColumn("sd", ({ sd }) => sd),
  summaryColumn("5 %", ({ q05 }) => q05),
  summaryColumn("median", ({ median }) => median),
  summaryColumn("95 %", ({ q95 }) => q95),
];

const contrastColumn = (title: string, of: (contrast: Contrast) => number | null) =>
  numberColumn<Contrast>(title, of);

const CONTRAST_COLUMNS: readonly Column<Contrast>[] = [
  textColumn("difference", ({ a, b }) => `${a} − ${b}`),
  contrastColumn("n", ({ n }) => n),
  numberColumn<Contrast>("mean", ({ mean }) => mean, signedText),
  { title: "95 % interval", isNumber: true, cell: ({ ci95 }) => intervalText(ci95) },
  contrastColumn("p", ({ p }) => p),
  contrastColumn("p (Holm)", ({ p_holm }) => p_holm),
  contrastColumn("effect", ({ effect }) => effect),
  contrastColumn("detectable", ({ detectable }) => detectable),
];

const intervalText = (interval: Interval | null): string =>
  interval === null ? numberText(null) : interval.map(numberText).join(" to ");

const ROWS_FIRST = 40;

const Arms = ({ result, measure }: MeasureParts) => {
  const found = result.measures[measure];
  const arms = Object.entries(found?.arms ?? {});
  const differences = found?.differences ?? [];
  return html`
    <${Panel} title="Arms">
      <${SortedTable} caption="Arms" columns=${ARM_COLUMNS} rows=${arms} first=${ROWS_FIRST} />
    <//>
    ${
      differences.length > 0 &&
      html`<${Panel} title="Differences from the control">
        <${SortedTable} caption="Differences from the control" columns=${CONTRAST_COLUMNS}
          rows=${differences} first=${ROWS_FIRST} />
      <//>`
    }
  `;
};

type SeedRow = { readonly seed: number; readonly runs: ReadonlyMap<string, RunRow> };

/** One row for each seed and one column for each arm. Values link to their runs if these exist. */
const Seeds = ({ result, measure, runs }: MeasureParts & Pick<ExperimentParts, "runs">) => {
  const kept = new Set(runs?.runs.map(({ run_id }) => run_id));
  const cells = [...new Set(result.runs.map(({ cell }) => cell))];
  const seeds = [...new Set(result.runs.map(({ seed }) => seed))];
  const rows = seeds.map((seed): SeedRow => {
    const own = result.runs.filter((run) => run.seed === seed);
    return { seed, runs: new Map(own.map((run) => [run.cell, run])) };
  });
  const columns: readonly Column<SeedRow>[] = [
    { title: "seed", cell: ({ seed }) => String(seed) },
    ...cells.map((cell): Column<SeedRow> => {
      const content = ({ runs: own }: SeedRow) => {
        const run = own.get(cell);
        return run === undefined ? "–" : runCell(run, { measure, isKept: kept.has(run.id) });
      };
      return { title: cell, isNumber: true, cell: content };
    }),
  ];
  return html`<${Panel} title="Runs">
    <${Table} caption="Runs" columns=${columns} rows=${rows} />
  <//>`;
};

const runCell = (
  { id, status, figures }: RunRow,
  { measure, isKept }: { readonly measure: string; readonly isKept: boolean },
) => {
  const text = status === "done" ? numberText(figures[measure] ?? null) : status;
  return isKept
    ? html`<${Link} to=${{ run: id, view: "overview", item: null, at: null }}>${text}<//>`
    : text;
};
