import { counted, listed } from "../../text/index.ts";
import type { Warning } from "../result/result.ts";
import { fewSeeds } from "./few-seeds.ts";
import { type ExperimentRows, type FigureRow, figureOf } from "./measure-results.ts";

const SEEDS_SHOWN_MAX = 10;
const CELLS_SHOWN_MAX = 5;

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

/** What a warning says of a cell, or null. */
type CellText = { readonly cell: string; readonly text: string | null };

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
