import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { FollowedExperiment, ShownExperiment } from "../../experiment/index.ts";
import type { OutputFile } from "../../figures/index.ts";
import {
  openRun,
  RUNS_FOLDER,
  RunFailure,
  type RunRecord,
  readRun,
  runFolders,
  runPaths,
  runSettings,
} from "../../run/index.ts";
import { packageVersion } from "../../text/index.ts";
import { JournalFailure, readingProblem } from "../../world/index.ts";
import { type RunSummary, runSummary } from "../routes/index.ts";
import type { PublishedRun, Redaction } from "./publication.ts";
import { INDEX_FROM_RUN, publishedPage, publishedRun } from "./publish.ts";
import { redactedExperiment } from "./redacted-experiment.ts";
import { redactedRecord } from "./redaction.ts";

/** The name of the first page of a publication. */
export const INDEX = "index.html";

export type PublishedPages = {
  readonly files: readonly OutputFile[];
  /** The state hash of each run. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Why runs of an experiment have no page, by run. */
  readonly missing: ReadonlyMap<string, string>;
};

/** Where runs are found by name, where the pages go, and the texts that they leave out. */
type Publishing = {
  readonly out: string;
  readonly dir: string;
  readonly leftOut: readonly Redaction[];
};

type Published = {
  readonly record: RunRecord;
  readonly run: PublishedRun;
  readonly summary: RunSummary;
};

const hashesOf = (runs: Iterable<readonly [string, PublishedRun]>): PublishedPages["hashes"] =>
  new Map([...runs].map(([id, run]) => [id, run.state_hash]));

/** One page with runs. @throws RunFailure if a run cannot be read, or its texts not be left out. */
export const pageOfRuns = async (
  given: readonly string[],
  { out, dir, leftOut }: Publishing,
): Promise<PublishedPages> => {
  const published: Published[] = [];
  for (const run of new Set(given)) published.push(await publishedFrom(run, out, leftOut));
  const runs = runsIn(published);
  const content = await publishedPage({
    title: [...runs.keys()].join(", "),
    publication: {
      ...aboutOf(published, leftOut),
      ...{ pages: {}, index: "", experiment_name: null, experiment: null },
    },
    ...{ runs, trajectories: {} },
  });
  const files = [{ path: join(dir, INDEX), content }];
  return { files, hashes: hashesOf(runs), missing: new Map() };
};

/**
 * A page with the results, and a page for each run that has a journal.
 * @throws RunFailure if the experiment cannot be read.
 */
export const pagesOfExperiment = async (
  folder: string,
  experiment: FollowedExperiment,
  { out, dir, leftOut }: Publishing,
): Promise<PublishedPages> => {
  const found = experiment.shown();
  if (!found.ok) throw new RunFailure(found.problem);
  const shown = found.experiment;
  const all = runFolders(join(folder, RUNS_FOLDER));
  const folders = all.filter((each) => whyUnreadable(each) === null);
  const ids = folders.map((each) => basename(each));
  const published: Published[] = [];
  for (const each of folders) published.push(await publishedFrom(each, out, leftOut));
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
    pages.push({ path: join(dir, RUNS_FOLDER, `${encodeURIComponent(id)}.html`), content });
  }
  const publication = {
    ...about,
    pages: pagesFrom(`${RUNS_FOLDER}/`),
    ...{ index: "", experiment: redactedExperiment(shown, leftOut) },
  };
  const own = { runs: new Map(), trajectories: experiment.trajectories(rows.map(({ id }) => id)) };
  const content = await publishedPage({ title: name, publication, ...own });
  const index = { path: join(dir, INDEX), content };
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
): PublishedPages["missing"] =>
  new Map(
    result.runs
      .filter(({ id, status }) => status !== "skipped" && !published.has(id))
      .map(({ id }) => [id, whyUnreadable(join(folder, RUNS_FOLDER, id)) ?? "made later"]),
  );

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

/** @throws RunFailure if the run cannot be read, or if its texts cannot be left out. */
const publishedFrom = async (
  run: string,
  out: string,
  leftOut: readonly Redaction[],
): Promise<Published> => {
  const { folder, journal } = openRun(run, out);
  const read = readRun(folder);
  const settings = runSettings(folder);
  if (!read.ok) throw new RunFailure(read.problem, false);
  if (!settings.ok) throw new RunFailure(settings.problem, false);
  const id = basename(resolve(folder));
  if (leftOut.some((part) => part !== "prompts") && journal.baseMark() !== null) {
    const cure = "use --redact prompts, or publish the run that it was forked from";
    throw new RunFailure(`${id}: the texts of a fork's past cannot be left out; ${cure}`);
  }
  const record = { ...read.record, run_id: id };
  try {
    const published = publishedRun(journal, id, { settings: settings.settings, leftOut });
    return { record, run: published, summary: await runSummary(journal) };
  } catch (error) {
    const problem = readingProblem(error, [journal]);
    throw problem === null ? error : new JournalFailure(problem);
  } finally {
    journal.close();
  }
};
