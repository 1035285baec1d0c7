import { setTimeout as sleep } from "node:timers/promises";
import { openRun } from "../../run/index.ts";
import {
  type Journal,
  JournalFailure,
  type JournalReader,
  readingProblem,
  runHolder,
} from "../../world/index.ts";
import { CliError, exitCodeOf, isExpected } from "../core/exit.ts";
import type { Shell } from "../core/shell.ts";

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

const POLL_MS = 200;

/**
 * Calls `read` again and again until the run in `folder` has ended, once more after that, or until
 * `read` returns false. A signal ends it too. Returns whether a signal did.
 */
export const followRun = async (
  folder: string,
  { onSignal, endWith }: Shell,
  read: () => boolean,
): Promise<boolean> => {
  let isStopped = false;
  const unlisten = onSignal((signal) => {
    isStopped = true;
    endWith(exitCodeOf(signal));
  });
  for (;;) {
    const isLive = runHolder(folder) !== null;
    if (!read() || !isLive || isStopped) break;
    await sleep(POLL_MS);
  }
  unlisten();
  return isStopped;
};
