import { lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { memoryServer } from "../../memory/index.ts";
import {
  checkpointsIn,
  configFrom,
  findRun,
  isOfRun,
  keptConfig,
  loadConfig,
  runPaths,
} from "../../run/index.ts";
import { counted } from "../../text/index.ts";
import { checkpointFolder, isCheckpointName, notAFile, RunLock } from "../../world/index.ts";
import { CliError } from "../core/exit.ts";
import { addOutFlags, type OutFlags, RUN_HELP } from "../core/flags.ts";
import { type Register, type Shell, withExamples } from "../core/shell.ts";

type Flags = OutFlags & { readonly yes?: boolean };

export const register: Register = (command, shell) => {
  addOutFlags(
    command
      .argument("<runs...>", RUN_HELP)
      .option("--yes", "do not ask; needed if the standard input is not a terminal"),
    "print one JSON document: { removed: [run] }",
  );
  withExamples(command, ["sim rm trial", "sim rm trial-1 trial-2 --yes"]);
  command.action(async (runs: readonly string[], { out, yes, json }: Flags) => {
    const folders = [...new Set(runs.map((run) => folderOf(run, out, yes === true)))];
    const locks = locked(folders);
    try {
      const removals = folders.map((folder) => removalOf(folder, shell.env));
      for (const { folder, server } of removals) noteServer(folder, server, shell);
      if (yes !== true && !(await agreed(removals, shell))) {
        shell.output.note("nothing is removed");
        return;
      }
      for (const removal of removals) remove(removal, shell);
      const removed = folders.map((folder) => basename(folder));
      if (json === true) shell.output.json({ removed });
      else for (const run of removed) shell.output.line(`removed ${run}`);
    } finally {
      for (const lock of locks) lock.release();
    }
  });
};

/** Without a question, the beginning of a name is not enough: a slip would remove another run. */
const folderOf = (run: string, out: string, isUnasked: boolean): string => {
  const folder = findRun(run, out);
  const isNamed = run === "latest" || basename(run) === basename(folder);
  if (isNamed || !isUnasked) return folder;
  throw new CliError(`${run} is the beginning of ${folder}; with --yes, give the whole name`);
};

/** Locks all runs, so that none can be resumed meanwhile. @throws CliError for a running one. */
const locked = (folders: readonly string[]): readonly RunLock[] => {
  const locks: RunLock[] = [];
  for (const folder of folders) {
    const taken = RunLock.take(folder);
    if (taken.ok) {
      locks.push(taken.lock);
      continue;
    }
    for (const lock of locks) lock.release();
    throw new CliError(`${folder}: ${taken.problem}`);
  }
  return locks;
};

type Removal = {
  readonly folder: string;
  readonly checkpoints: readonly string[];
  /** Where on a server the memories of the run are, or null. */
  readonly server: string | null;
};

const removalOf = (folder: string, env: Shell["env"]): Removal => {
  const config = configOf(folder, env);
  const dir = checkpointFolder(checkpointsIn(dirname(folder), config), basename(folder));
  const isFolder = lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  const names = isFolder ? readdirSync(dir).filter(isCheckpointName) : [];
  const checkpoints = names.map((name) => join(dir, name));
  return { folder, checkpoints, server: memoryServer(config.memory) };
};

const noteServer = (folder: string, server: string | null, { output }: Shell): void => {
  if (server === null) return;
  output.note(`note: memories of ${basename(folder)} stay in ${server}`);
};

/** The configuration of a run, or the shipped one if the run has none that can be read. */
const configOf = (folder: string, env: Shell["env"]) => {
  const none = { file: null, sets: [], flags: [] };
  if (notAFile(runPaths(folder).config) !== null) return configFrom(none).config;
  const loaded = loadConfig({ ...none, kept: keptConfig(folder, env) });
  return loaded.ok ? loaded.config : configFrom(none).config;
};

const agreed = async (removals: readonly Removal[], { ask }: Shell): Promise<boolean> => {
  const names = removals.map(({ folder }) => folder).join(", ");
  if (ask === null) throw new CliError(`add --yes to remove ${names}`);
  const count = removals.reduce((sum, { checkpoints }) => sum + checkpoints.length, 0);
  const files = count === 0 ? "" : ` and ${counted(count, "checkpoint file")}`;
  return /^y(es)?$/i.test((await ask(`remove ${names}${files}? [y/N] `)).trim());
};

/** Removes only what runs make, and keeps other files in the folder. */
const remove = ({ folder, checkpoints }: Removal, { output }: Shell): void => {
  for (const file of checkpoints) rmSync(file, { force: true });
  for (const dir of new Set(checkpoints.map(dirname))) removeIfEmpty(dir);
  for (const name of readdirSync(folder).filter(isOfRun)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const kept = removeIfEmpty(folder);
  if (kept.length > 0) output.note(`note: kept other files in ${folder}: ${kept.join(", ")}`);
};

/** Returns the names of the files that keep the folder from being removed. */
const removeIfEmpty = (folder: string): readonly string[] => {
  const names = readdirSync(folder);
  if (names.length === 0) rmdirSync(folder);
  return names;
};
