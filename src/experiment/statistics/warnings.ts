import type { Warning } from "../../observe/index.ts";
import { fewSeeds } from "./few-seeds.ts";
import { type ExperimentRows, type FigureRow, figureOf } from "./measure-results.ts";

const SEEDS_SHOWN_MAX = 10;

/**
 * Warns if runs failed, if runs give no value for a measure, and if the seeds are too few to find a
 * difference.
 */
export function warningsOf(experiment: ExperimentRows): readonly Warning[] {
  const rowsByCell = Map.groupBy(experiment.rows, ({ cell }) => cell);
  const cells = experiment.cells.map(({ cell }) => ({ cell, rows: rowsByCell.get(cell) ?? [] }));
  return [
    ...cells.flatMap(({ cell, rows }) => failedRuns(cell, rows)),
    ...cells.flatMap(({ cell, rows }) => missingValues(cell, rows, experiment.measures)),
    ...fewSeeds(experiment),
  ];
}

function failedRuns(cell: string, rows: readonly FigureRow[]): readonly Warning[] {
  const failed = rows.filter(({ status }) => status === "failed");
  if (failed.length === 0) return [];
  const seeds = failed.map(({ seed }) => seed).sort((a, b) => a - b);
  const shown = seeds.slice(0, SEEDS_SHOWN_MAX).join(", ");
  const rest = seeds.length > SEEDS_SHOWN_MAX ? ` and ${seeds.length - SEEDS_SHOWN_MAX} more` : "";
  const noun = seeds.length === 1 ? "seed" : "seeds";
  const text =
    `${failed.length} of ${counted(rows.length, "run")} failed (${noun} ${shown}${rest}); ` +
    "the statistics leave these runs out";
  return [{ kind: "failed_runs", arm: cell, text }];
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

function missingValues(
  cell: string,
  rows: readonly FigureRow[],
  measures: ExperimentRows["measures"],
): readonly Warning[] {
  const done = rows.filter(({ status }) => status === "done");
  const missing = measures.flatMap(({ name }) => {
    const count = done.filter((row) => figureOf(row, name) === null).length;
    return count === 0 ? [] : [`for ${name} in ${count}`];
  });
  if (missing.length === 0) return [];
  const text =
    `no value ${missing.join(", ")} of ${counted(done.length, "run")}; the statistics leave ` +
    "these runs out, so the rest may not represent all seeds";
  return [{ kind: "missing_values", arm: cell, text }];
}
