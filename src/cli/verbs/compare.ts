import { basename } from "node:path";
import {
  type Compared,
  type Comparison,
  comparedFrom,
  compareRuns,
  countingText,
  differenceHeads,
  differencesIn,
  differingEventLines,
  divergenceText,
  labelledFigures,
  signedText,
} from "../../read/index.ts";
import { openRun, runSettings } from "../../run/index.ts";
import { restore } from "../../world/index.ts";
import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, addRunArgument, type OutFlags } from "../core/flags.ts";
import type { Output } from "../core/output.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { unlessDamaged } from "../run/open-run.ts";

/** The exit code is 1 if a run differs from the first run. */
export const register: Register = (command, shell) => {
  addOutFlags(addRunArgument(command).argument("<others...>", "runs to compare it with"));
  withExamples(command, ["sim compare first what-if", "sim compare seed-1 seed-2 seed-3 --json"]);
  command.action((run: string, others: readonly string[], flags: OutFlags) => {
    const first = openCompared(run, flags.out);
    const rest = others.map((other) => openCompared(other, flags.out));
    const journals = [first, ...rest].map(({ journal }) => journal);
    const comparison = unlessDamaged(journals, () => compareRuns(first, rest));
    if (!comparison.same) shell.endWith(EXIT.failed);
    if (flags.json === true) shell.output.json(comparison);
    else print(shell.output, comparison);
  });
};

const openCompared = (run: string, out: string): Compared => {
  const { folder, journal } = openRun(run, out);
  const [id, kept, { state }] = [basename(folder), runSettings(folder), restore(journal)];
  const found = comparedFrom({ id, kept, journal, state });
  if (!found.ok) throw new CliError(found.problem, EXIT.couldNotRun);
  return found.compared;
};

const SEED = "run.seed";
const STUDY = "seeds and other settings differ; `sim experiment` compares settings seed by seed";

const print = (output: Output, comparison: Comparison): void => {
  const { runs, divergences, settings } = comparison;
  const isStudy = settings.some(({ name }) => name === SEED) && settings.length > 1;
  if (isStudy) output.note(`note: ${STUDY}`);
  const [first = ""] = runs;
  for (const divergence of divergences) {
    output.line(divergenceText(divergence, first));
    for (const line of differingEventLines(divergence, first)) output.line(line);
  }
  for (const line of countingText(comparison)) output.line(line);
  type Rows = Comparison["figures"] | Comparison["settings"];
  const table = (title: string, rows: Rows, extra: readonly string[] = []): void => {
    if (rows.length === 0) return;
    output.line("");
    output.table(
      [title, ...runs, ...extra],
      rows.map((row) => [
        row.name,
        ...row.values.map((value) => value ?? "-"),
        ...(extra.length === 0 ? [] : differencesIn(row).map(signedText)),
      ]),
    );
  };
  const differ = differenceHeads(runs);
  table("setting", comparison.settings);
  table("figure", labelledFigures(comparison.figures), differ);
  table("wealth of", comparison.wealth, differ);
};
