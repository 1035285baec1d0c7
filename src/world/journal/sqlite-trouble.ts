import { errorCode, whyNot } from "./file-trouble.ts";
import { JournalFailure } from "./journal-failure.ts";

/** Primary result codes of SQLite (https://sqlite.org/rescode.html): what it means, what to do. */
const EXPLANATIONS: ReadonlyMap<number, string> = new Map([
  [5, "another program has it locked; close that program and try again"],
  [6, "another program has it locked; close that program and try again"],
  [8, "it cannot be written; make the file and its folder writable or choose another with --out"],
  [10, "the disk reported an error; look at the disk, then resume the run or use a copy"],
  [11, "the file is damaged and cannot be read on; use a copy of it"],
  [13, "the disk is full or the size limit is reached; free some space, then resume the run"],
  [14, "it cannot be opened; see that the folder exists and that you may write there"],
  [26, "it is not an SQLite file; give the path of a journal.db, or use a copy of it"],
]);

type SqliteError = Error & { readonly errcode: number };

const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number";

/** Whether SQLite failed to make or write a file, the main one or one that goes with it. */
export const isUnwritable = (error: unknown): boolean =>
  isSqliteError(error) && [8, 14].includes(error.errcode & 0xff);

/** What `node:sqlite` says of a number in a file that no number here can be. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";

/**
 * The failure that an error thrown by `node:sqlite` stands for. Errors of any other origin are bugs
 * and are thrown on. The low byte of a result code is its primary code.
 */
export function failureFrom(error: unknown, path: string): JournalFailure {
  if (error instanceof JournalFailure) return error;
  if (isOutOfRange(error)) {
    const damage = "a number in it is too large: it is damaged; use a copy of it";
    return new JournalFailure(`journal failed: ${path}: ${damage}`, { cause: error });
  }
  if (!isSqliteError(error)) throw error;
  const known = EXPLANATIONS.get(error.errcode & 0xff);
  const meaning = known ?? "SQLite refused; see its own words";
  return new JournalFailure(
    `journal failed: ${path}: ${meaning} (SQLite ${error.errcode}: ${error.message})`,
    { cause: error },
  );
}

/** The failure to bring to the disk what was written. */
export const diskFailure = (path: string, error: unknown): JournalFailure =>
  new JournalFailure(`journal failed: ${path}: ${whyNot(errorCode(error))}; then resume the run`, {
    cause: error,
  });

/** Runs `work` on the file at `path`; trouble from SQLite is thrown as a `JournalFailure`. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureFrom(error, path);
  }
}
