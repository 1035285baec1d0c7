import { invariant, must } from "../../kernel/index.ts";
import { counted, listed } from "../../text/index.ts";
import type { Contrast, Factors, MeasureResult, RunRow, Warning } from "../result/result.ts";
import { contrastOf } from "./contrast.ts";
import { criticalT, detectableNoncentrality, LEVEL, type Sample, summaryOf } from "./summary.ts";

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
type ExperimentRows = {
  readonly measures: readonly { readonly name: string; readonly says: string }[];
  /** In the order of the file. The first arm is the control. */
  readonly cells: readonly DesignCell[];
  /** In any order. A cell has at most one row for each seed. Only rows that are done count. */
  readonly rows: readonly FigureRow[];
};

/**
 * With several arms, each cell is compared with the cell of the first arm at the same factors. With
 * one arm, each cell is compared with the first.
 */
function comparisonsOf(cells: readonly DesignCell[]) {
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
const figureOf = ({ figures }: FigureRow, measure: string): number | null =>
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

/** What a warning says of a cell, or null. */
type CellText = { readonly cell: string; readonly text: string | null };

/**
 * Warns if runs failed, if runs give no value for a measure, and if the seeds are too few to find a
 * difference. Each text names the cells that it is about.
 */
export function warningsOf(experiment: ExperimentRows): readonly Warning[] {
  const rowsByCell = Map.groupBy(experiment.rows, ({ cell }) => cell);
  const each = (of: (rows: readonly FigureRow[]) => string | null): readonly CellText[] =>
    experiment.cells.map(({ cell }) => ({ cell, text: of(rowsByCell.get(cell) ?? []) }));
  const few = fewSeeds(experiment);
  const [first] = few;
  const isOfAll = few.length > 1 && few.every(({ text }) => text === first?.text);
  return [
    ...byText("failed_runs", each(failedRuns)),
    ...byText(
      "missing_values",
      each((rows) => missingValues(rows, experiment.measures)),
    ),
    ...(isOfAll && typeof first?.text === "string"
      ? [{ kind: "few_seeds", arm: null, text: first.text } as const]
      : byText("few_seeds", few)),
  ];
}

/** One warning for all cells with the same text. */
function byText(kind: Warning["kind"], texts: readonly CellText[]): readonly Warning[] {
  return [...Map.groupBy(texts, ({ text }) => text)].flatMap(([text, all]): readonly Warning[] => {
    const [{ cell } = { cell: "" }] = all;
    if (text === null) return [];
    if (all.length === 1) return [{ kind, arm: cell, text: `${cell}: ${text}` }];
    const names = all.map((each) => each.cell);
    return [{ kind, arm: null, text: `each of ${listed(names, 5)}: ${text}` }];
  });
}

function failedRuns(rows: readonly FigureRow[]): string | null {
  const failed = rows.filter(({ status }) => status === "failed");
  if (failed.length === 0) return null;
  const seeds = failed.map(({ seed }) => seed).sort((a, b) => a - b);
  const noun = seeds.length === 1 ? "seed" : "seeds";
  return (
    `${failed.length} of ${counted(rows.length, "run")} failed ` +
    `(${noun} ${listed(seeds.map(String), 10)}); ` +
    "the statistics leave these runs out"
  );
}

function missingValues(
  rows: readonly FigureRow[],
  measures: ExperimentRows["measures"],
): string | null {
  const done = rows.filter(({ status }) => status === "done");
  const missing = measures.flatMap(({ name }) => {
    const count = done.filter((row) => figureOf(row, name) === null).length;
    return count === 0 ? [] : [`for ${name} in ${count}`];
  });
  if (missing.length === 0) return null;
  return (
    `no value ${missing.join(", ")} of ${counted(done.length, "run")}; the statistics leave ` +
    "these runs out, so the rest may not represent all seeds"
  );
}

/**
 * The seeds are too few if a comparison finds a difference of one standard deviation with less than
 * 80 % power (fewer than 10 pairs), or if the smallest possible p is above 5 % after Holm's
 * correction. Without comparisons, fewer than 10 seeds of a cell are too few. Values that are
 * missing in runs that are done do not count.
 */
function fewSeeds({ measures, cells, rows }: ExperimentRows): readonly CellText[] {
  const done = rows.filter(({ status }) => status === "done");
  const seedsOf = (cell: string): ReadonlySet<number> =>
    new Set(done.flatMap((row) => (row.cell === cell ? [row.seed] : [])));
  const comparisons = comparisonsOf(cells);
  const tests = comparisons.length * measures.length;
  if (comparisons.length === 0) {
    return cells.map(({ cell }) => ({ cell, text: weakMean(seedsOf(cell).size) }));
  }
  return comparisons.map(({ cell, control }) => {
    const [a, b] = [seedsOf(cell), seedsOf(control)];
    const common = [...a].filter((seed) => b.has(seed)).length;
    const isPaired = common > 0 || a.size === 0 || b.size === 0;
    const n = isPaired ? common : Math.min(a.size, b.size);
    return { cell, text: weakComparison(n, isPaired, tests) };
  });
}

function weakMean(n: number): string | null {
  const seeds = counted(n, "seed");
  if (n < 2) return `${seeds}: an interval of the mean needs at least 2`;
  if (detectableEffect(n, true) <= 1) return null;
  const margin = shown(criticalT(n - 1) / Math.sqrt(n));
  return `${seeds}: the 95 % interval of a mean is ±${margin} standard deviations`;
}

/** `n` is the number of seeds in both cells, or of the smaller cell if they share no seed. */
function weakComparison(n: number, isPaired: boolean, tests: number): string | null {
  const seeds = `${counted(n, "seed")} in ${isPaired ? "both cells" : "a cell"}`;
  if (n < 2) return `${seeds}: a comparison needs at least 2`;
  const effect = detectableEffect(n, isPaired);
  // The p-value if the observed arrangement and its mirror image are the most extreme of all.
  let arrangements = 1;
  for (let i = 1; i <= n; i++) arrangements *= isPaired ? 2 : (n + i) / i;
  const p = 2 / arrangements;
  const corrected = Math.min(1, p * tests);
  if (effect <= 1 && corrected <= LEVEL) return null;
  const spread = isPaired ? "of the differences" : "of the values";
  const holm =
    tests === 1 ? "" : `, or ${shown(corrected)} after Holm's correction for ${tests} differences`;
  return (
    `${seeds}: a comparison detects a mean difference of ${shown(effect)} standard deviations ` +
    `${spread} with 80 % power; its smallest possible p is ${shown(p)}${holm}`
  );
}

const shown = (value: number): string => String(Number(value.toPrecision(2)));

/** The smallest mean difference with 80 % power at the 5 % level, in standard deviations. */
const detectableEffect = (n: number, isPaired: boolean): number =>
  isPaired
    ? detectableNoncentrality(n - 1) / Math.sqrt(n)
    : detectableNoncentrality(2 * n - 2) * Math.sqrt(2 / n);
