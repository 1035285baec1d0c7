import { join } from "node:path";
import { writeFiles } from "../../figures/index.ts";
import {
  INDEX,
  type PublishedPages,
  pageOfRuns,
  pagesOfExperiment,
  REDACTIONS,
  type Redaction,
  removeEarlierPages,
} from "../../page/index.ts";
import { RUNS_FOLDER } from "../../run/index.ts";
import { counted, didYouMean, listed } from "../../text/index.ts";
import { CliError } from "../core/exit.ts";
import { addOutFlags, names, type OutFlags, path, RUN_HELP } from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { findExperiment } from "../experiment/find-experiment.ts";

type Flags = OutFlags & { readonly output: string; readonly redact?: string };

export const register: Register = (command, { output }) => {
  addOutFlags(
    command
      .argument("<runs...>", `${RUN_HELP}; or an experiment, by its folder or its name`)
      .requiredOption("-o, --output <dir>", "folder for the page", path)
      .option(
        "--redact <parts>",
        `leave out private texts, separated by commas: ${REDACTIONS.join(", ")}`,
        names,
      ),
  );
  withExamples(command, [
    "sim publish latest -o page",
    "sim publish low-s1 high-s1 -o page",
    "sim publish fees -o page --redact prompts,thoughts",
  ]);
  command.action(async (given: readonly string[], flags: Flags) => {
    const leftOut = redactionsIn(flags.redact);
    const where = { out: flags.out, dir: flags.output, leftOut };
    const experiment = given.length === 1 ? findExperiment(given[0] ?? "") : null;
    const { files, hashes, missing } =
      experiment === null
        ? await pageOfRuns(given, where)
        : await pagesOfExperiment(experiment.folder, experiment.experiment, where);
    writeFiles(files);
    const written = new Set(files.map(({ path: page }) => page));
    const removed = removeEarlierPages(join(flags.output, RUNS_FOLDER), written);
    if (experiment !== null && hashes.size === 0) output.note(NO_JOURNALS);
    else if (missing.size > 0) output.note(missingText(hashes.size, missing));
    const bytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    const index = join(flags.output, INDEX);
    if (flags.json === true) {
      const state_hashes = Object.fromEntries(hashes);
      const without_page = Object.fromEntries(missing);
      const counts = { files: files.length, removed, bytes };
      output.json({ page: index, ...counts, left_out: leftOut, without_page, state_hashes });
      return;
    }
    const without = leftOut.length === 0 ? "" : `, without ${leftOut.join(", ")}`;
    output.line(`${counted(files.length, "page")}, ${(bytes / 1e6).toFixed(1)} MB${without}`);
    if (removed > 0) output.note(`removed: ${counted(removed, "page")} of an earlier publication`);
    for (const [run, hash] of hashes) output.note(`state hash of ${run}: ${hash}`);
    output.note(`written: ${index}`);
  });
};

const NO_JOURNALS =
  "the page has no runs, because the experiment has kept no journals here (keep: journals); " +
  "after a run on workers, --store of `sim worker` collects them";

/** @throws CliError for an unknown part. */
const redactionsIn = (text = ""): readonly Redaction[] =>
  text.split(",").flatMap((name) => {
    const wanted = name.trim();
    const known = REDACTIONS.find((part) => part === wanted);
    if (wanted === "") return [];
    if (known !== undefined) return [known];
    const cure = didYouMean(wanted, REDACTIONS) ?? `choose from ${REDACTIONS.join(", ")}`;
    throw new CliError(`--redact: unknown part "${wanted}"; ${cure}`);
  });

const MISSING_SHOWN = 5;

const missingText = (pages: number, missing: PublishedPages["missing"]): string => {
  const reasons = [...Map.groupBy(missing, ([, why]) => why)].map(([why, runs]) => {
    const ids = runs.map(([id]) => id);
    return `${listed(ids, MISSING_SHOWN)} (${why})`;
  });
  const all = pages + missing.size;
  return `runs with a page: ${pages} of ${all}; without: ${reasons.join(", ")}`;
};
