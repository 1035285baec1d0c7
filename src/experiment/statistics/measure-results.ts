import { invariant, must } from "../../kernel/index.ts";
import type { Contrast, Factors, MeasureResult, RunRow } from "../result/result.ts";
import { contrastOf } from "./contrast.ts";
import type { Sample } from "./sample.ts";
import { summaryOf } from "./summary.ts";

/** One cell of the design. */
type DesignCell = {
  /** The name of the cell, as in the rows. */
  readonly cell: string;
  readonly arm: string;
  readonly factors: Factors;
};

/** A row of the experiment, as far as the statistics need it. */
export type FigureRow = Pick<RunRow, "cell" | "seed" | "status" | "figures">;

/** What the statistics need to know about an experiment. */
export type ExperimentRows = {
  readonly measures: readonly { readonly name: string; readonly says: string }[];
  /** In the order of the file. The first arm is the control. */
  readonly cells: readonly DesignCell[];
  /** In any order. A cell has at most one row for each seed. Only rows that are done count. */
  readonly rows: readonly FigureRow[];
};

/** A cell and the control that it is compared with. */
type CellPair = { readonly cell: string; readonly control: string };

/**
 * With several arms, each cell is compared with the cell of the first arm at the same factors. With
 * one arm, each cell is compared with the first.
 */
export function comparisonsOf(cells: readonly DesignCell[]): readonly CellPair[] {
  const [first, ...others] = cells;
  if (first === undefined) return [];
  const controls = cells.filter(({ arm }) => arm === first.arm);
  if (controls.length === cells.length) {
    return others.map(({ cell }) => ({ cell, control: first.cell }));
  }
  const controlAt = new Map(controls.map(({ cell, factors }) => [pointOf(factors), cell]));
  return cells.flatMap(({ cell, arm, factors }) => {
    const control = controlAt.get(pointOf(factors));
    return arm === first.arm || control === undefined ? [] : [{ cell, control }];
  });
}

const pointOf = (factors: Factors): string =>
  JSON.stringify(Object.entries(factors).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Summarises each measure in each cell and compares the cells. `p_holm` is corrected over all
 * differences of all measures. Cells are compared seed by seed, unless they have no seed in common.
 */
export function resultsOf({ measures, cells, rows }: ExperimentRows): {
  readonly [measure: string]: MeasureResult;
} {
  const rowsByCell = Map.groupBy(rows, ({ cell }) => cell);
  const comparisons = comparisonsOf(cells);
  const uncorrected = measures.map(({ name, says }) => {
    const samples = new Map(
      cells.map(({ cell }) => [cell, sampleOf(cell, rowsByCell.get(cell) ?? [], name)]),
    );
    const summaries = [...samples].map(
      ([cell, { values }]) => [cell, summaryOf([...values.values()])] as const,
    );
    const differences = comparisons.map(({ cell, control }) => {
      const sample = must(samples.get(cell), "a comparison names cells of the design");
      const other = must(samples.get(control), "a comparison names cells of the design");
      const seeds = new Set(rowsByCell.get(control)?.map(({ seed }) => seed));
      const isPaired = rowsByCell.get(cell)?.some(({ seed }) => seeds.has(seed)) ?? true;
      return contrastOf(sample, other, isPaired);
    });
    return { name, result: { says, arms: Object.fromEntries(summaries), differences } };
  });
  const corrected = correctByHolm(uncorrected.flatMap(({ result }) => result.differences));
  return Object.fromEntries(
    uncorrected.map(({ name, result }, at) => {
      const start = at * comparisons.length;
      const differences = corrected.slice(start, start + comparisons.length);
      return [name, { ...result, differences }];
    }),
  );
}

function sampleOf(cell: string, rows: readonly FigureRow[], measure: string): Sample {
  const values = new Map<number, number>();
  for (const row of rows) {
    const value = row.status === "done" ? figureOf(row, measure) : null;
    if (value === null) continue;
    invariant(!values.has(row.seed), "a cell has at most one row for each seed");
    values.set(row.seed, value);
  }
  return { cell, values };
}

/** The value of a measure, or null if the run does not define it. */
export const figureOf = ({ figures }: FigureRow, measure: string): number | null =>
  Object.hasOwn(figures, measure) ? (figures[measure] ?? null) : null;

/**
 * Sets `p_holm` so that the chance of any false positive among all differences is at most the level
 * (Holm, "A simple sequentially rejective multiple test procedure", 1979). Differences without a p
 * do not count.
 */
export function correctByHolm(contrasts: readonly Contrast[]): readonly Contrast[] {
  const tests = contrasts.flatMap(({ p }, at) => (p === null ? [] : [{ p, at }]));
  tests.sort((a, b) => a.p - b.p);
  const corrected = new Map<number, number>();
  let floor = 0;
  for (const [rank, { p, at }] of tests.entries()) {
    floor = Math.max(floor, Math.min(1, p * (tests.length - rank)));
    corrected.set(at, floor);
  }
  return contrasts.map((contrast, at) => ({ ...contrast, p_holm: corrected.get(at) ?? null }));
}

/**
 * Whether the t interval of every difference of the measure is at most `ciWidth` wide and has at
 * least 5 values: fewer estimate their own spread too badly to stop on it. Without differences, the
 * same holds for the mean of each cell. The rule looks at widths only, never at the sign or size of
 * a difference, so stopping by it does not favour a result (Chow and Robbins, "Fixed-width
 * sequential confidence intervals for the mean", 1965).
 */
export const isNarrow = ({ arms, differences }: MeasureResult, ciWidth: number): boolean => {
  const estimates = differences.length > 0 ? differences : Object.values(arms);
  return estimates.every(({ n, ci95 }) => n >= 5 && ci95 !== null && ci95[1] - ci95[0] <= ciWidth);
};
