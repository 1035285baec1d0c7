import { counted, listed } from "../../text/index.ts";
import type { Warning } from "../result/result.ts";
import { comparisonsOf, type ExperimentRows, type FigureRow, figureOf } from "./measure-results.ts";
import { criticalT, detectableNoncentrality, LEVEL } from "./student-t.ts";

const SEEDS_SHOWN_MAX = 10;
const CELLS_SHOWN_MAX = 5;

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
    return [{ kind, arm: null, text: `each of ${listed(names, CELLS_SHOWN_MAX)}: ${text}` }];
  });
}

function failedRuns(rows: readonly FigureRow[]): string | null {
  const failed = rows.filter(({ status }) => status === "failed");
  if (failed.length === 0) return null;
  const seeds = failed.map(({ seed }) => seed).sort((a, b) => a - b);
  const noun = seeds.length === 1 ? "seed" : "seeds";
  return (
    `${failed.length} of ${counted(rows.length, "run")} failed ` +
    `(${noun} ${listed(seeds.map(String), SEEDS_SHOWN_MAX)}); ` +
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
