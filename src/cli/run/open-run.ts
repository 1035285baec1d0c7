import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { costIn } from "../../model/index.ts";
import { type Config, readText, runPaths, showProblem } from "../../run/index.ts";
import { didYouMean, listed } from "../../text/index.ts";

import {
  type Checkpoint,
  checkpointOf,
  isCheckpointName,
  Journal,
  JournalFailure,
  type JournalReader,
  type Moment,
  positionOf,
  readCheckpoint,
  readingProblem,
} from "../../world/index.ts";
import { CliError, EXIT, isExpected } from "../exit.ts";
import { RUNS_FOLDER } from "../flags.ts";
import { isRunFolder, readRun, runFolders } from "./run-store.ts";

const RUNS_SHOWN = 5;
const LIST_RUNS = "`sim runs` lists the runs";

/**
 * Finds the folder of a run. `run` is a run id, a unique prefix of a run id, a path, or `latest`.
 * `out` is the folder that holds all runs.
 * @throws CliError if there is no such run.
 */
export const findRun = (run: string, out: string = RUNS_FOLDER): string => {
  const folders = runFolders(out);
  if (run === "latest") return latestOf(folders, out);
  const exact = folders.find((folder) => basename(folder) === run);
  if (exact !== undefined) return exact;
  // A folder with this exact name takes precedence over run ids that start with the name.
  const isPath = isAbsolute(run) || /^\.\.?([/\\]|$)/.test(run);
  if (!isPath && existsSync(join(out, run))) return atPath(join(out, run));
  if (/[/\\]/.test(run) || isRunFolder(run)) return atPath(run);
  const matching = folders.filter((folder) => basename(folder).startsWith(run));
  const [only, ...others] = matching;
  if (only === undefined) throw notARunAt(run, out) ?? unknownRun(run, out, folders);
  if (others.length === 0) return only;
  const names = matching.map((folder) => basename(folder));
  throw new CliError(`several runs start with "${run}": ${listed(names, RUNS_SHOWN)}`);
};

const atPath = (path: string): string => {
  if (isRunFolder(path)) return path;
  throw new CliError(`${path} ${whatIsAt(path) ?? "does not exist"}; ${LIST_RUNS}`);
};

/** Returns an error if `run` is an existing path or ends like a checkpoint's name, else null. */
const notARunAt = (run: string, out: string): CliError | null => {
  const found = whatIsAt(run) ?? (isCheckpointName(run) ? "does not exist" : null);
  if (found === null) return null;
  return new CliError(`${run} ${found}, and there is no run "${run}" in ${out}; ${LIST_RUNS}`);
};

/** Says why a path is not the folder of a run. Null if nothing exists at the path. */
const whatIsAt = (path: string): string | null => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  if (!existsSync(path)) return "is a broken link";
  const found = statSync(path);
  if (found.isDirectory()) return "is not the folder of a run";
  if (!found.isFile()) return "is a pipe or a device";
  return isRunFile(path) ? `is a file of the run ${dirname(path)}` : "is a file, not a run";
};

/** True if `path` is a file in the folder of a run, such as its journal. */
export const isRunFile = (path: string): boolean => isFile(path) && isRunFolder(dirname(path));

const latestOf = (folders: readonly string[], out: string): string => {
  const runs = folders.map(readRun).flatMap((read) => (read.ok ? [read] : []));
  const [latest] = runs.toSorted((a, b) => (a.record.started_at < b.record.started_at ? 1 : -1));
  if (latest === undefined) throw unknownRun("latest", out, folders);
  return latest.folder;
};

const unknownRun = (run: string, out: string, folders: readonly string[]): CliError => {
  if (folders.length === 0) {
    return new CliError(`there are no runs in ${out}; \`sim run\` makes one`);
  }
  const names = folders.map((folder) => basename(folder));
  return new CliError(`there is no run "${run}" in ${out}; ${didYouMean(run, names) ?? LIST_RUNS}`);
};

export const savedConfig = (folder: string): string => {
  const read = readText(runPaths(folder).config);
  if (!read.ok) throw new CliError(read.problems.map(showProblem), EXIT.couldNotRun);
  return read.text;
};

/**
 * The folder for the checkpoints of the runs in `out`. A relative `checkpoint.dir` is relative to
 * `out`, or to the folder that contains `out` if the name of `out` is `runs`.
 */
export const checkpointsIn = (
  out: string,
  { checkpoint }: { readonly checkpoint: Pick<Config["checkpoint"], "dir"> },
): string => {
  if (isAbsolute(checkpoint.dir)) return checkpoint.dir;
  return join(basename(resolve(out)) === RUNS_FOLDER ? dirname(out) : out, checkpoint.dir);
};

export type OpenRun = { readonly folder: string; readonly journal: Journal };

/** Opens the journal of a run read-only. The run may be in progress. */
export const openRun = (run: string, out: string): OpenRun => {
  const folder = findRun(run, out);
  return { folder, journal: journalIn(folder) };
};

export const journalIn = (folder: string): Journal => {
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) throw new CliError(opened.problem, EXIT.couldNotRun);
  return opened.journal;
};

/**
 * The event after which the world is as it was at a moment, which is the value of `flag`.
 * Undefined for no moment. @throws CliError if the run does not cover the moment.
 */
export const seqAt = (
  journal: Journal,
  flag: string,
  moment: Moment | undefined,
): number | undefined => {
  if (moment === undefined) return undefined;
  const found = positionOf(journal, moment);
  if (found.ok) return found.position.seq;
  throw new CliError(`${flag} ${found.problem}`);
};

/** Calls `read` with a run's journal. A string from `read` is thrown as a CliError's message. */
export const readFrom = <Found>(
  run: string,
  out: string,
  read: (journal: Journal, folder: string) => Found | string,
): Found => {
  const { folder, journal } = openRun(run, out);
  const found = unlessDamaged([journal], () => read(journal, folder));
  journal.close();
  if (typeof found === "string") throw new CliError(found);
  return found;
};

/**
 * Returns the result of `read`, which may assume that all rows are valid. If `read` throws an
 * unexpected error, checks the journals for damage.
 * @throws JournalFailure that names the damaged journal and the fix.
 */
export const unlessDamaged = <Found>(
  journals: readonly JournalReader[],
  read: () => Found,
): Found => {
  try {
    return read();
  } catch (error) {
    const problem = isExpected(error) ? null : readingProblem(error, journals);
    throw problem === null ? error : new JournalFailure(problem);
  }
};

type SourceFlags = { readonly at?: Moment; readonly out: string };

/** True if `path` is a file. A checkpoint is a file, and a run is a folder. */
export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A state to start from, and the folder of the run that it belongs to. */
export type Source = {
  readonly checkpoint: Checkpoint;
  readonly folder: string;
  /** A flag with which the run can be forked from an earlier moment. Null for a file. */
  readonly earlier: string | null;
};

export const openSource = async (source: string, flags: SourceFlags): Promise<Source> => {
  if (!isFile(source)) {
    const folder = findRun(source, flags.out);
    const checkpoint = await checkpointOfRun(source, flags);
    const read = readRun(folder);
    const fromS = read.ok ? read.record.from_s : 0;
    const middleS = Math.floor((fromS + checkpoint.atMs / 1_000) / 2);
    return { checkpoint, folder, earlier: `--at ${middleS}s` };
  }
  if (flags.at !== undefined) {
    throw new CliError("--at works only with a run; a checkpoint file holds one state");
  }
  const read = readCheckpoint(source);
  if (!read.ok) throw new CliError(read.problem);
  const folder = join(flags.out, read.checkpoint.run.id);
  return { checkpoint: read.checkpoint, folder, earlier: null };
};

/** The state of a run at its end, or after the transaction that contains event `at`. */
export const checkpointOfRun = async (
  run: string,
  { at: moment, out }: SourceFlags,
): Promise<Checkpoint> => {
  const { folder, journal } = openRun(run, out);
  try {
    const config = savedConfig(folder);
    const read = readRun(folder);
    if (!read.ok) throw new CliError(read.problem, EXIT.couldNotRun);
    const at = seqAt(journal, "--at", moment);
    const made = await checkpointOf(journal, {
      ...read.about,
      ...(at === undefined ? {} : { upTo: at }),
      config,
      costMicrosOf: costIn,
    });
    if (!made.ok)
      throw new CliError(at === undefined ? made.problem : `--at event ${at}: ${made.problem}`);
    return made.checkpoint;
  } finally {
    journal.close();
  }
};
