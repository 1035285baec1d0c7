import { join } from "node:path";
import { type ExperimentResult, findings } from "../../experiment/index.ts";

import type { Output } from "../core/output.ts";

/** Prints the figures of each arm, the differences, the bands, the findings and the warnings. */
export const printResult = (output: Output, result: ExperimentResult): void => {
  const measures = Object.entries(result.measures);
  output.table(
    ["measure", "arm", "n", "mean", "95 % interval", "sd", "median", "5 %", "95 %"],
    measures.flatMap(([measure, { arms }]) =>
      Object.entries(arms).map(([arm, { n, mean, ci95, sd, median, q05, q95 }]) => [
        measure,
        arm,
        n,
        ...[shown(mean), interval(ci95), shown(sd), shown(median), shown(q05), shown(q95)],
      ]),
    ),
  );
  const differences = measures.flatMap(([measure, found]) =>
    found.differences.map((each) => [
      measure,
      `${each.a} - ${each.b}`,
      each.n,
      ...[shown(each.mean), interval(each.ci95), shown(each.p), shown(each.p_holm)],
      ...[shown(each.effect), shown(each.detectable)],
    ]),
  );
  if (differences.length > 0) {
    output.line("");
    output.table(
      [
        ...["measure", "difference", "n", "mean", "95 % interval", "p", "p (Holm)"],
        ...["effect", "detectable"],
      ],
      differences,
    );
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

const DIGITS = 4;

const shown = (value: number | null): string | number =>
  value === null ? "-" : Number(value.toPrecision(DIGITS));

const interval = (given: readonly [number, number] | null): string =>
  given === null ? "-" : `${shown(given[0])} to ${shown(given[1])}`;
