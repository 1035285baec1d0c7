import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { z } from "zod";
import { didYouMean, listed } from "../../text/index.ts";
import {
  type Ancestor,
  type CheckpointSource,
  isCheckpointName,
  Journal,
  runHolder,
} from "../../world/index.ts";
import { checkYaml, RunFailure, readPlainYaml, showProblem } from "../config/index.ts";
import { runFileSchema, runPaths } from "./run-files.ts";

export type RunStatus = "running" | "finished" | "stopped" | "failed" | "interrupted";

/** One run, as `sim runs --json` and the list of runs show it. */
export type RunRecord = {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly started_at: string;
  /** The run time at which this run started: 0, or the run time at the fork. */
  readonly from_s: number;
  /** The run time reached, and the events since `from_s`. Null if the journal is damaged. */
  readonly duration_s: number | null;
  readonly events: number | null;
  readonly parent: string | null;
  readonly seed: number;
  readonly clock: string;
  readonly labels: readonly string[];
  /** The settings that differ from the shipped ones, by dotted key. */
  readonly changed: Readonly<Record<string, unknown>>;
};

export type RunRead =
  | {
      readonly ok: true;
      readonly folder: string;
      readonly record: RunRecord;
      readonly origin: Ancestor | null;
      /** The facts from `run.json` that a checkpoint of this run needs. */
      readonly about: Pick<CheckpointSource, "madeBy" | "run">;
    }
  | { readonly ok: false; readonly folder: string; readonly problem: string };

export const isRunFolder = (folder: string): boolean =>
  existsSync(runPaths(folder).run) || existsSync(runPaths(folder).journal);

/** The folders of all runs in `out`, sorted by name. Empty if `out` does not exist. */
export const runFolders = (out: string): readonly string[] => {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const folders = readdirSync(out).map((name) => join(out, name));
  return folders.filter(isRunFolder).toSorted();
};

/** Reads `run.json`. If the run is not over, reads its duration and events from the journal. */
export const readRun = (folder: string): RunRead => {
  const file = runPaths(folder).run;
  const failed = (problem: string): RunRead => ({ ok: false, folder, problem });
  if (!existsSync(file))
    return failed(`${folder} has no run.json; delete the folder if its run never started`);
  // Reads JSON as YAML, because the YAML reader reports the line of an error.
  const parsed = readPlainYaml(file);
  const checked = parsed.ok ? checkYaml(parsed.yaml, runFileSchema) : parsed;
  if (!checked.ok) return failed(checked.problems.slice(0, 1).map(showProblem).join(""));
  const { run_id, started_at, from_s, duration_s, events, parent, parent_seq } = checked.value;
  const status = statusOf(checked.value, folder);
  const isOver = status === "finished" || status === "stopped";
  const figures = isOver ? { duration_s, events } : figuresIn(folder);
  const origin =
    parent === null || parent_seq === null ? null : { run_id: parent, seq: parent_seq };
  const { seed, clock, version, engine, labels, changed } = checked.value;
  const about = { madeBy: { version, engine }, run: { id: basename(folder), seed, clock } };
  const times = { started_at, from_s, ...figures };
  const record = { run_id, status, ...times, parent, seed, clock, labels, changed };
  return { ok: true, folder, record, origin, about };
};

const statusOf = (run: z.infer<typeof runFileSchema>, folder: string): RunStatus => {
  const { status, stopped_by, duration_s, horizon_ms } = run;
  if (status === "running" && runHolder(folder) === null) return "interrupted";
  const isShort = stopped_by !== "idle" && duration_s * 1_000 < horizon_ms;
  return status === "finished" && isShort ? "stopped" : status;
};

/** Reads the two figures from the journal, because `run.json` has them only after the run. */
const figuresIn = (folder: string): Pick<RunRecord, "duration_s" | "events"> => {
  const opened = Journal.open(runPaths(folder).journal, { readOnly: true });
  if (!opened.ok) return { duration_s: null, events: null };
  const { journal } = opened;
  const { seq } = journal.head();
  const base = journal.baseMark();
  const [last] = journal.events({ after: seq - 1, limit: 1 });
  journal.close();
  const atMs = last?.atMs ?? base?.atMs ?? 0;
  return { duration_s: atMs / 1_000, events: seq - (base?.seq ?? 0) };
};

/** The folder of all runs, if the user names none. */
export const RUNS_FOLDER = "runs";
const RUNS_SHOWN = 5;
const LIST_RUNS = "`sim runs` lists the runs";

/**
 * Finds the folder of a run. `run` is a run id, a unique prefix of a run id, a path, or `latest`.
 * `out` is the folder that holds all runs.
 * @throws RunFailure if there is no such run.
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
  throw new RunFailure(`several runs start with "${run}": ${listed(names, RUNS_SHOWN)}`);
};

const atPath = (path: string): string => {
  if (isRunFolder(path)) return path;
  throw new RunFailure(`${path} ${whatIsAt(path) ?? "does not exist"}; ${LIST_RUNS}`);
};

/** Returns an error if `run` is an existing path or ends like a checkpoint's name, else null. */
const notARunAt = (run: string, out: string): RunFailure | null => {
  const found = whatIsAt(run) ?? (isCheckpointName(run) ? "does not exist" : null);
  if (found === null) return null;
  return new RunFailure(`${run} ${found}, and there is no run "${run}" in ${out}; ${LIST_RUNS}`);
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

const unknownRun = (run: string, out: string, folders: readonly string[]): RunFailure => {
  if (folders.length === 0) {
    return new RunFailure(`there are no runs in ${out}; \`sim run\` makes one`);
  }
  const names = folders.map((folder) => basename(folder));
  return new RunFailure(
    `there is no run "${run}" in ${out}; ${didYouMean(run, names) ?? LIST_RUNS}`,
  );
};

/** True if `path` is a file. A checkpoint is a file, and a run is a folder. */
export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;
