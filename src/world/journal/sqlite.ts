import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { errorCode, whyNot } from "./files.ts";

/**
 * Thrown if the disk is full, if the folder is read-only, or if the file is damaged, locked or
 * closed. The message says in one line what failed, in which file, and how to fix it. After a
 * failed commit, every write throws the same object, because the writer must stop.
 */
export class JournalFailure extends Error {
  override readonly name = "JournalFailure";
}

/** What SQLite's primary result codes mean, with the fix (https://sqlite.org/rescode.html). */
const EXPLANATIONS: ReadonlyMap<number, string> = new Map([
  [5, "another program has it locked; close that program and try again"],
  [6, "another program has it locked; close that program and try again"],
  [8, "it cannot be written; make the file and its folder writable or choose another with --out"],
  [10, "the disk reported an error; check the disk, then resume the run or use a copy"],
  [11, "the file is damaged; use a copy of it"],
  [13, "the disk is full or the size limit is reached; free some space, then resume the run"],
  [14, "it cannot be opened; check that the folder exists and that you may write there"],
  [26, "it is not an SQLite file; give the path of a journal.db that is not damaged"],
]);

type SqliteError = Error & { readonly errcode: number };

/** Whether the error is from SQLite. The low byte of `errcode` is the primary result code. */
const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number";

/** Whether SQLite could not create or write the main file, its WAL or the WAL's shared index. */
export const isUnwritable = (error: unknown): boolean =>
  isSqliteError(error) && [8, 14].includes(error.errcode & 0xff);

/** Whether a stored number is too large for JavaScript. `node:sqlite` then throws this error. */
const isOutOfRange = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";

/** Turns errors of `node:sqlite` into a `JournalFailure`. Rethrows all others: they are bugs. */
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

export const diskFailure = (path: string, error: unknown): JournalFailure =>
  new JournalFailure(`journal failed: ${path}: ${whyNot(errorCode(error))}; then resume the run`, {
    cause: error,
  });

/** Runs `work`. Rethrows errors of SQLite as a `JournalFailure`. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureFrom(error, path);
  }
}

/** Runs `work` as one SQLite transaction. If `work` throws, rolls back and rethrows the error. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } finally {
    // SQLite has already rolled back after some errors, such as a full disk.
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}

export type JournalPart = {
  readonly database: DatabaseSync;
  readonly path: string;
  /** The number of the last event to check, or null to check all events. */
  readonly upTo: number | null;
};

/** Runs a check on one consistent view of the file, or returns `unreadable(why)`. */
export function checked<T>(
  { database, path }: JournalPart,
  check: () => T,
  unreadable: (why: string) => T,
): T {
  try {
    database.exec("BEGIN");
    return check();
  } catch (error) {
    return unreadable(failureFrom(error, path).message);
  } finally {
    if (database.isTransaction) database.exec("COMMIT");
  }
}

export type Columns = Record<string, SQLOutputValue>;

function misfit(row: Columns, column: string, wanted: string): JournalFailure {
  const at = row.seq ?? row.id ?? row.key ?? "?";
  return new JournalFailure(`journal failed: row ${at}: column ${column} is not ${wanted}`);
}

export function textOf(row: Columns, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw misfit(row, column, "text");
  return value;
}

export function integerOf(row: Columns, column: string): number {
  const value = row[column];
  if (!Number.isSafeInteger(value) || typeof value !== "number") {
    throw misfit(row, column, "a whole number");
  }
  return value;
}

export function textOrNullOf(row: Columns, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function bytesOf(row: Columns, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw misfit(row, column, "bytes");
  return value;
}
