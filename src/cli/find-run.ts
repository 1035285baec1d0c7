import { existsSync, lstatSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { didYouMean } from "../mind/index.ts";
import { isCheckpointName } from "../world/index.ts";
import { isRunFolder, RUNS_FOLDER, readRun, runFolders } from "./run-record.ts";
import { UsageProblem } from "./usage-problem.ts";

const SHOWN_MAX = 5;

/**
 * The folder of the run that `run` names: a run id, a unique prefix of one, a path, or `latest`.
 * `out` is the folder that runs are in. Throws a UsageProblem that says what there is.
 */
export const findRun = (run: string, out: string = RUNS_FOLDER): string => {
  const folders = runFolders(out);
  if (run === "latest") return latestOf(folders, out);
  const exact = folders.find((folder) => basename(folder) === run);
  if (exact !== undefined) return exact;
  // Whoever names a folder that is there means it, and not a run whose name begins with its name.
  if (existsSync(join(out, run))) return atPath(join(out, run));
  if (/[/\\]/.test(run) || isRunFolder(run)) return atPath(run);
  const matching = folders.filter((folder) => basename(folder).startsWith(run));
  const [only, ...others] = matching;
  if (only === undefined) throw oddPath(run, out) ?? unknownRun(run, out, folders);
  if (others.length === 0) return only;
  const names = matching.slice(0, SHOWN_MAX).map((folder) => basename(folder));
  const more = matching.length > SHOWN_MAX ? ", …" : "";
  throw new UsageProblem(`several runs begin with "${run}": ${names.join(", ")}${more}`);
};

const atPath = (path: string): string => {
  if (isRunFolder(path)) return path;
  const fault = whatIsAt(path) ?? "does not exist";
  throw new UsageProblem(`${path} ${fault}; ${CURE}`);
};

const CURE = "`sim runs` lists the runs";

/** For a name that no run has: perhaps a path was meant, and what is there is no run. */
const oddPath = (run: string, out: string): UsageProblem | null => {
  const found = whatIsAt(run) ?? (isCheckpointName(run) ? "is not there" : null);
  if (found === null) return null;
  return new UsageProblem(`${run} ${found}, and there is no run "${run}" in ${out}; ${CURE}`);
};

/** What stands at a path that is not the folder of a run; null for nothing. */
const whatIsAt = (path: string): string | null => {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  if (!existsSync(path)) return "is a link to nothing";
  const found = statSync(path);
  if (found.isDirectory()) return "is not the folder of a run";
  return found.isFile() ? "is a file and no run" : "is a pipe or a device";
};

const latestOf = (folders: readonly string[], out: string): string => {
  const records = folders.map(readRun).flatMap((read) => (read.ok ? [read] : []));
  const [latest] = records.toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
  if (latest === undefined) throw unknownRun("latest", out, folders);
  return latest.folder;
};

const startOf = ({ record }: { readonly record: { readonly started_at: string } }): string =>
  record.started_at;

const unknownRun = (run: string, out: string, folders: readonly string[]): UsageProblem => {
  if (folders.length === 0) {
    return new UsageProblem(`there are no runs in ${out}; \`sim run\` makes one`);
  }
  const names = folders.map((folder) => basename(folder));
  const cure = didYouMean(run, names) ?? CURE;
  return new UsageProblem(`there is no run "${run}" in ${out}; ${cure}`);
};
