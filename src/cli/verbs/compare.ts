import {
  type Compared,
  type Comparison,
  comparedFrom,
  compareRuns,
  countingText,
  differenceHeads,
  differencesIn,
  figureLabel,
  partingText,
  signedText,
} from "../../observe/index.ts";
import { restore } from "../../world/index.ts";
import { EXIT } from "../exit-code.ts";
import { openRun } from "../open-run.ts";
import type { Output } from "../output.ts";
import { RUNS_FOLDER } from "../run-record.ts";
import { type Register, withExamples } from "../shell.ts";
import { unlessDamaged } from "../unless-damaged.ts";
import { UsageProblem } from "../usage-problem.ts";

type Flags = { readonly out: string; readonly json?: boolean };

/** `sim compare`: the first run against the others. Ends with 1 where they differ. */
export const register: Register = (command, shell) => {
  withExamples(
    command
      .argument("<run>", "run id, unique prefix, path, or latest")
      .argument("<others...>", "the runs to hold against it")
      .option("--out <dir>", "where runs are kept", RUNS_FOLDER)
      .option("--json", "print one JSON document"),
    ["sim compare first what-if", "sim compare seed-1 seed-2 seed-3 --json"],
  ).action((run: string, others: readonly string[], flags: Flags) => {
    const first = comparedIn(run, flags.out);
    const rest = others.map((other) => comparedIn(other, flags.out));
    const journals = [first, ...rest].map(({ journal }) => journal);
    const comparison = unlessDamaged(journals, () => compareRuns(first, rest));
    if (!comparison.same) shell.endWith(EXIT.doesNotHold);
    if (flags.json === true) shell.output.json(comparison);
    else say(shell.output, comparison);
  });
};

const comparedIn = (run: string, out: string): Compared => {
  const { folder, journal } = openRun(run, out);
  const compared = comparedFrom(folder, journal, restore(journal).state);
  if (typeof compared === "string") throw new UsageProblem(compared, EXIT.couldNotRun);
  return compared;
};

const say = (output: Output, comparison: Comparison): void => {
  const { runs, partings } = comparison;
  const [first = ""] = runs;
  for (const parting of partings) output.line(partingText(parting, first));
  for (const line of countingText(comparison)) output.line(line);
  type Rows = Comparison["figures"] | Comparison["settings"];
  const table = (title: string, rows: Rows, extra: readonly string[] = []): void => {
    if (rows.length === 0) return;
    output.line("");
    output.table(
      [title, ...runs, ...extra],
      rows.map((row) => [
        figureLabel(row.name),
        ...row.values.map((value) => String(value ?? "-")),
        ...(extra.length === 0 ? [] : differencesIn(row).map(signedText)),
      ]),
    );
  };
  const differ = differenceHeads(runs);
  table("setting", comparison.settings);
  table("figure", comparison.figures, differ);
  table("wealth of", comparison.wealth, differ);
};
