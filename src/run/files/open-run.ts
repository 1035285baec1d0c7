import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { costIn, type RecordedCall, readCalls } from "../../model/index.ts";
import {
  type Checkpoint,
  checkpointOf,
  Journal,
  positionOf,
  type RunPoint,
  readCheckpoint,
} from "../../world/index.ts";
import { type Config, RunFailure, readPlainText, showProblem } from "../config/index.ts";
import { findRun, isFile, RUNS_FOLDER, readRun } from "./find-run.ts";
import { runPaths } from "./run-files.ts";

export const savedConfig = (folder: string): string => {
  const read = readPlainText(runPaths(folder).config);
  if (!read.ok) throw new RunFailure(read.problems.map(showProblem), false);
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
  if (!opened.ok) throw new RunFailure(opened.problem, false);
  return opened.journal;
};

/**
 * The event after which the world is as it was at a moment, which is the value of `flag`.
 * Undefined for no moment. @throws RunFailure if the run does not cover the moment.
 */
export const seqAt = (
  journal: Journal,
  flag: string,
  moment: RunPoint | undefined,
): number | undefined => {
  if (moment === undefined) return undefined;
  const found = positionOf(journal, moment);
  if (found.ok) return found.position.seq;
  throw new RunFailure(`${flag} ${found.problem}`);
};

type SourceFlags = { readonly at?: RunPoint | undefined; readonly out: string };

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
    throw new RunFailure("--at works only with a run; a checkpoint file holds one state");
  }
  const read = readCheckpoint(source);
  if (!read.ok) throw new RunFailure(read.problem);
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
    if (!read.ok) throw new RunFailure(read.problem, false);
    const at = seqAt(journal, "--at", moment);
    const made = await checkpointOf(journal, {
      ...read.about,
      ...(at === undefined ? {} : { upTo: at }),
      config,
      costMicrosOf: costIn,
    });
    if (!made.ok)
      throw new RunFailure(at === undefined ? made.problem : `--at event ${at}: ${made.problem}`);
    return made.checkpoint;
  } finally {
    journal.close();
  }
};

/** The recorded model calls of a run. @throws RunFailure if there are none, or one is damaged. */
export const recordedCalls = (run: string, out: string): readonly RecordedCall[] => {
  const { journal } = openRun(run, out);
  const reads = [...readCalls(journal.modelCalls())];
  journal.close();
  const calls = reads.map((read) => {
    if (read.ok) return read.call;
    throw new RunFailure(`record ${read.id} of run ${run} is damaged: ${read.problem}`);
  });
  if (calls.length > 0) return calls;
  throw new RunFailure(`run ${run} has no recorded model calls; omit --replay-models`);
};
