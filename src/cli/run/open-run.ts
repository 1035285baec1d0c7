import { openRun } from "../../run/index.ts";
import {
  type Journal,
  JournalFailure,
  type JournalReader,
  readingProblem,
} from "../../world/index.ts";
import { CliError, isExpected } from "../core/exit.ts";

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
