import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import type { ShownExperiment } from "../../experiment/index.ts";
import {
  INDEX_FROM_RUN,
  type PublishedRun,
  publishedPage,
  publishedRun,
  REDACTIONS,
  type Redaction,
  type RunSummary,
  redactedExperiment,
  redactedRecord,
  removeEarlierPages,
  runSummary,
} from "../../page/index.ts";
import { type OutputFile, writeFiles } from "../../read/index.ts";
import {
  openRun,
  RUNS_FOLDER,
  type RunRecord,
  readRun,
  runFolders,
  runPaths,
  runSettings,
} from "../../run/index.ts";
import { counted, didYouMean, listed, packageVersion } from "../../text/index.ts";

import { CliError, EXIT } from "../core/exit.ts";
import { addOutFlags, names, type OutFlags, path, RUN_HELP } from "../core/flags.ts";
import { type Register, withExamples } from "../core/shell.ts";
import { type FoundExperiment, findExperiment } from "../experiment/find-experiment.ts";
import { unlessDamaged } from "../run/open-run.ts";

type Flags = OutFlags & { readonly output: string; readonly redact?: string };

export const register: Register = (command, { output }) => {
  addOutFlags(
    withFlags(
      command.argument("<runs...>", `${RUN_HELP}; or an experiment, by its folder or its name`),
    ),
  );
  withExamples(command, [
    "sim publish latest -o page",
    "sim publish low-s1 high-s1 -o page",
    "sim publish fees -o page --redact prompts,thoughts",
  ]);
  command.action(async (given: readonly string[], flags: Flags) => {
    const leftOut = redactionsIn(flags.redact);
    const experiment = given.length === 1 ? findExperiment(given[0] ?? "") : null;
    const { files, hashes, missing } =
      experiment === null
        ? await pageOfRuns(given, flags, leftOut)
        : await pagesOfExperiment(experiment, flags, leftOut);
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

const INDEX = "index.html";

const NO_JOURNALS =
  "the page has no runs, because the experiment has kept no journals here (keep: journals); " +
  "after a run on workers, --store of `sim worker` collects them";

type Files = {
  readonly files: readonly OutputFile[];
  /** The state hash of each run. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Why runs of an experiment have no page, by run. */
  readonly missing: ReadonlyMap<string, string>;
};

const hashesOf = (runs: Iterable<readonly [string, PublishedRun]>): Files["hashes"] =>
  new Map([...runs].map(([id, run]) => [id, run.state_hash]));

const withFlags = (command: Command): Command =>
  command
    .requiredOption("-o, --output <dir>", "folder for the page", path)
    .option(
      "--redact <parts>",
      `leave out private texts, separated by commas: ${REDACTIONS.join(", ")}`,
      names,
    );

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

type Published = {
  readonly record: RunRecord;
  readonly run: PublishedRun;
  readonly summary: RunSummary;
};

const pageOfRuns = async (
  given: readonly string[],
  flags: Flags,
  leftOut: readonly Redaction[],
): Promise<Files> => {
  const published: Published[] = [];
  for (const run of new Set(given)) published.push(await publishedFrom(run, flags.out, leftOut));
  const runs = runsIn(published);
  const content = await publishedPage({
    title: [...runs.keys()].join(", "),
    publication: {
      ...aboutOf(published, leftOut),
      ...{ pages: {}, index: "", experiment_name: null, experiment: null },
    },
    ...{ runs, trajectories: {} },
  });
  const files = [{ path: join(flags.output, INDEX), content }];
  return { files, hashes: hashesOf(runs), missing: new Map() };
};

/**
 * A page with the results, and a page for each run that has a journal.
 * @throws CliError if the experiment cannot be read.
 */
const pagesOfExperiment = async (
  { folder, experiment }: FoundExperiment,
  flags: Flags,
  leftOut: readonly Redaction[],
): Promise<Files> => {
  const found = experiment.shown();
  if (!found.ok) throw new CliError(found.problem);
  const shown = found.experiment;
  const all = runFolders(join(folder, RUNS_FOLDER));
  const folders = all.filter((each) => whyUnreadable(each) === null);
  const ids = folders.map((each) => basename(each));
  const published: Published[] = [];
  for (const each of folders) published.push(await publishedFrom(each, flags.out, leftOut));
  const { name, runs: rows } = shown.result;
  const about = { ...aboutOf(published, leftOut), experiment_name: name };
  const runs = runsIn(published);
  const pagesFrom = (prefix: string) =>
    Object.fromEntries(ids.map((id) => [id, `${prefix}${encodeURIComponent(id)}.html`]));
  const pages: OutputFile[] = [];
  for (const [id, run] of runs) {
    const { [id]: _, ...others } = pagesFrom("");
    const publication = { ...about, pages: others, index: INDEX_FROM_RUN, experiment: null };
    const own = { runs: new Map([[id, run]]), trajectories: {} };
    const content = await publishedPage({ title: id, publication, ...own });
    pages.push({
      path: join(flags.output, RUNS_FOLDER, `${encodeURIComponent(id)}.html`),
      content,
    });
  }
  const publication = {
    ...about,
    pages: pagesFrom(`${RUNS_FOLDER}/`),
    ...{ index: "", experiment: redactedExperiment(shown, leftOut) },
  };
  const own = { runs: new Map(), trajectories: experiment.trajectories(rows.map(({ id }) => id)) };
  const content = await publishedPage({ title: name, publication, ...own });
  const index = { path: join(flags.output, INDEX), content };
  const missing = missingFrom(shown, folder, runs);
  return { files: [index, ...pages], hashes: hashesOf(runs), missing };
};

/** Why a folder has no run that can be published, or null. A damaged journal is found later. */
const whyUnreadable = (folder: string): string | null => {
  if (!existsSync(folder)) return "no folder";
  if (!existsSync(runPaths(folder).run)) return "no run.json";
  if (!existsSync(runPaths(folder).journal)) return "no journal.db";
  return readRun(folder).ok ? null : "unreadable run.json";
};

/** Why runs that were made have no page, by run. */
const missingFrom = (
  { result }: ShownExperiment,
  folder: string,
  published: ReadonlyMap<string, PublishedRun>,
): Files["missing"] =>
  new Map(
    result.runs
      .filter(({ id, status }) => status !== "skipped" && !published.has(id))
      .map(({ id }) => [id, whyUnreadable(join(folder, RUNS_FOLDER, id)) ?? "made later"]),
  );

const MISSING_SHOWN = 5;

const missingText = (pages: number, missing: Files["missing"]): string => {
  const reasons = [...Map.groupBy(missing, ([, why]) => why)].map(([why, runs]) => {
    const ids = runs.map(([id]) => id);
    return `${listed(ids, MISSING_SHOWN)} (${why})`;
  });
  const all = pages + missing.size;
  return `runs with a page: ${pages} of ${all}; without: ${reasons.join(", ")}`;
};

const runsIn = (published: readonly Published[]): ReadonlyMap<string, PublishedRun> =>
  new Map(published.map(({ record, run }) => [record.run_id, run]));

const aboutOf = (published: readonly Published[], leftOut: readonly Redaction[]) => ({
  version: packageVersion(),
  left_out: leftOut,
  runs: published.map(({ record }) => redactedRecord(record, leftOut)),
  summaries: Object.fromEntries(
    published.map(({ record, summary }) => [record.run_id, summary] as const),
  ),
});

/** @throws CliError if the run cannot be read, or if its texts cannot be left out. */
const publishedFrom = async (
  run: string,
  out: string,
  leftOut: readonly Redaction[],
): Promise<Published> => {
  const { folder, journal } = openRun(run, out);
  const read = readRun(folder);
  const settings = runSettings(folder);
  if (!read.ok) throw new CliError(read.problem, EXIT.couldNotRun);
  if (!settings.ok) throw new CliError(settings.problem, EXIT.couldNotRun);
  const id = basename(resolve(folder));
  if (leftOut.some((part) => part !== "prompts") && journal.baseMark() !== null) {
    const cure = "use --redact prompts, or publish the run that it was forked from";
    throw new CliError(`${id}: the texts of a fork's past cannot be left out; ${cure}`);
  }
  const record = { ...read.record, run_id: id };
  const data = unlessDamaged([journal], () =>
    publishedRun(journal, id, { settings: settings.settings, leftOut }),
  );
  const summary = await runSummary(journal);
  journal.close();
  return { record, run: data, summary };
};
