import { statSync } from "node:fs";
import { costIn } from "../mind/index.ts";
import { readText, runPaths, showProblem } from "../runner/index.ts";
import { type Checkpoint, checkpointOf, readCheckpoint } from "../world/index.ts";
import { EXIT } from "./exit-code.ts";
import { openRun } from "./open-run.ts";
import { readRun } from "./run-record.ts";
import { UsageProblem } from "./usage-problem.ts";

type SourceFlags = { readonly at?: number; readonly out: string };

/** Runs are folders and checkpoints are files. */
export const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A state to go on from: what a checkpoint file holds, or what a run was after an event. */
export const openSource = async (source: string, flags: SourceFlags): Promise<Checkpoint> => {
  if (!isFile(source)) {
    return await checkpointOfRun(source, flags);
  }
  if (flags.at !== undefined) {
    throw new UsageProblem("--at is for a run; a checkpoint is of one event already");
  }
  const read = readCheckpoint(source);
  if (!read.ok) throw new UsageProblem(read.problem);
  return read.checkpoint;
};

/** A run after one of its events: the last, or the end of the transaction that holds `at`. */
export const checkpointOfRun = async (
  run: string,
  { at, out }: SourceFlags,
): Promise<Checkpoint> => {
  const { folder, journal } = openRun(run, out);
  try {
    const config = readText(runPaths(folder).config);
    if (!config.ok) throw new UsageProblem(showProblem(config.problem), EXIT.couldNotRun);
    const read = readRun(folder);
    if (!read.ok) throw new UsageProblem(read.problem, EXIT.couldNotRun);
    const upTo = at === undefined ? {} : { upTo: at };
    const made = await checkpointOf(journal, {
      ...read.about,
      ...upTo,
      config: config.text,
      costMicrosOf: costIn,
    });
    if (!made.ok) throw new UsageProblem(`--at ${at ?? "the end"}: ${made.problem}`);
    return made.checkpoint;
  } finally {
    journal.close();
  }
};
