import { html } from "htm/preact";
import type { ComponentChildren } from "preact";
import type {
  Contrast,
  ExperimentResult,
  Interval,
  RunRow,
  Summary,
} from "../../../../experiment/index.ts";
import { Panel } from "../../parts/parts.ts";
import { type Column, numberColumn, SortedTable, Table, textColumn } from "../../parts/table.ts";
import { countText, numberText, signedText } from "../../parts/text.ts";
import { Link } from "../core/view.ts";
import { HOW_TO_COMPARE } from "../many-runs/compared-curves.ts";

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

export const intervalText = (interval: Interval | null): string =>
  interval === null ? numberText(null) : interval.map(numberText).join(" to ");

const ROWS_FIRST = 40;

export const Arms = ({ result, measure }: MeasureParts) => {
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

type SeedsParts = MeasureParts & {
  /** The runs that can be opened. */
  readonly openable: ReadonlySet<string>;
  readonly running: ReadonlySet<string>;
  readonly compared: readonly string[];
  /** Adds a run to the compared ones, or removes it. */
  readonly toggle: (run: string) => void;
};

/** One row for each seed and one column for each cell. A value links to its run if it is here. */
export const Seeds = (parts: SeedsParts) => {
  const { result, compared } = parts;
  const cells = cellsOf(result);
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
        return run === undefined ? "–" : runCell(run, parts);
      };
      return { title: cell, isNumber: true, cell: content };
    }),
  ];
  return html`<${Panel} title="Runs">
    <p class="note">${
      compared.length < 2 ? HOW_TO_COMPARE : `${countText(compared.length, "run")} compared below.`
    }</p>
    <${Extremes} ...${parts} />
    <${Table} caption="Runs" columns=${columns} rows=${rows} />
  <//>`;
};

/** The runs with the highest and the lowest value of the measure. */
const Extremes = ({ result, measure, openable }: SeedsParts) => {
  const values = result.runs.flatMap(({ id, figures }) => {
    const value = figures[measure] ?? null;
    return value === null ? [] : [{ id, value }];
  });
  const [lowest, ...others] = values.sort((a, b) => a.value - b.value);
  const highest = others.at(-1);
  if (lowest === undefined || highest === undefined || lowest.value === highest.value) return null;
  const named = ({ id, value }: { readonly id: string; readonly value: number }) => html`
    ${runLink(id, id, openable)} with ${numberText(value)}
  `;
  return html`<p class="note">Highest: ${named(highest)}; lowest: ${named(lowest)}.</p>`;
};

const runLink = (id: string, text: ComponentChildren, openable: ReadonlySet<string>) =>
  openable.has(id)
    ? html`<${Link} to=${{ run: id, view: "overview", item: null, at: null }}>${text}<//>`
    : text;

/** All cells, in the order of the runs. */
export const cellsOf = ({ runs }: Pick<ExperimentResult, "runs">): readonly string[] => [
  ...new Set(runs.map(({ cell }) => cell)),
];

/**
 * The arm of a cell, and the place of the arm in the experiment: the control has 0. The place is
 * the `order` of charts, so all cells of an arm have one colour.
 */
export const armOf = (
  { runs }: Pick<ExperimentResult, "runs">,
  cell: string,
): { readonly arm: string; readonly order: number } => {
  const arm = runs.find((run) => run.cell === cell)?.arm ?? cell;
  const order = [...new Set(runs.map((run) => run.arm))].indexOf(arm);
  return { arm, order: Math.max(0, order) };
};

const runCell = (run: RunRow, { measure, openable, running, compared, toggle }: SeedsParts) => {
  const { id, status, figures, error } = run;
  const text =
    status === "done"
      ? numberText(figures[measure] ?? null)
      : html`<span title=${error ?? ""}>${statusText(run, running)}</span>`;
  const shown = runLink(id, text, openable);
  if (status !== "done") return shown;
  return html`${shown}${" "}<input type="checkbox" aria-label=${`Compare ${id}`}
    checked=${compared.includes(id)} onChange=${() => toggle(id)} />`;
};

const statusText = ({ id, status }: RunRow, running: ReadonlySet<string>): string => {
  if (running.has(id)) return "running";
  return status === "failed" ? "failed" : "not made";
};
