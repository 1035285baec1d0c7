import { join } from "node:path";
import {
  CONTRAST_COLUMNS,
  type ExperimentResult,
  findings,
  type ResultColumn,
  SUMMARY_COLUMNS,
  shownColumns,
} from "../../experiment/index.ts";
import type { Output } from "../core/output.ts";

/** Prints the figures of each arm, the differences, the bands, the findings and the warnings. */
export const printResult = (output: Output, result: ExperimentResult): void => {
  const measures = Object.entries(result.measures);
  const summaries = shownColumns(SUMMARY_COLUMNS);
  output.table(
    ["measure", "arm", ...summaries.map(({ title }) => title)],
    measures.flatMap(([measure, { arms }]) =>
      Object.entries(arms).map(([arm, summary]) => [
        ...[measure, arm],
        ...summaries.map((column) => cell(column, summary)),
      ]),
    ),
  );
  const contrasts = shownColumns(CONTRAST_COLUMNS);
  const differences = measures.flatMap(([measure, found]) =>
    found.differences.map((each) => [
      ...[measure, `${each.a} - ${each.b}`],
      ...contrasts.map((column) => cell(column, each)),
    ]),
  );
  if (differences.length > 0) {
    output.line("");
    output.table(["measure", "difference", ...contrasts.map(({ title }) => title)], differences);
  }
  if (result.bands.length > 0) {
    output.line("");
    output.line("means and their bands");
    output.table(
      ["measure", "arm", "n", "mean", "95 % interval", "published", "band", "inside"],
      result.bands.map(({ measure, cell, n, mean, ci95, published, low, high, inside }) => [
        ...[measure, cell, n, shown(mean), interval(ci95), shown(published)],
        interval([low, high]),
        inside === null ? "-" : inside ? "yes" : "no",
      ]),
    );
  }
  output.line("");
  for (const { text } of findings(result)) output.line(text);
  for (const { text } of result.warnings) output.line(`warning: ${text}`);
  output.line(`report: ${join(result.dir, "report.html")}`);
};

const cell = <Row>(column: ResultColumn<Row>, row: Row): string | number =>
  column.format === "interval" ? interval(column.value(row)) : shown(column.value(row));

const DIGITS = 4;

const shown = (value: number | null): string | number =>
  value === null ? "-" : Number(value.toPrecision(DIGITS));

const interval = (given: readonly [number, number] | null): string =>
  given === null ? "-" : `${shown(given[0])} to ${shown(given[1])}`;
