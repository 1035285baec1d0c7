import assert from "node:assert/strict";
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/**
 * The log is folded into the main file when about so much was written to it, by SQLite or here.
 * That stops the writer, but the larger the log may grow, the less often.
 */
export const FOLD_BYTES = 16 * 1024 * 1024;

/**
 * How commits to SQLite's log reach the disk: waited for, as SQLite does it by itself, or beside
 * the work of the process, by asking the system to write out what the log has.
 *
 * Two things go wrong without SQLite's own waiting: to fold the log into the main file, and to
 * begin the log anew after that, since frames must not lie on the disk below the header of those
 * that they replace (sqlite.org, ticket ff5be73dee). So the log is folded here and nowhere else,
 * and the commit after it is waited for.
 */
export class DiskWait {
  readonly #database: DatabaseSync;
  readonly #path: string;
  /** Opened when first needed; null when it could not be, and then each commit is waited for. */
  #log: number | null | undefined;
  #waits = true;
  #mustWait = true;
  #unfoldedBytes = 0;
  #closed = false;

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
    database.exec("PRAGMA wal_autocheckpoint = 0");
  }

  /** Whether the next commit may be one `beside`. */
  get mayGoBeside(): boolean {
    if (this.#mustWait) return false;
    if (this.#log === undefined) this.#log = logOf(this.#path);
    return this.#log !== null;
  }

  /** Runs what commits so that it is on disk, with all before it, when this returns. */
  waitedFor(commit: () => void): void {
    this.#setWaiting(true);
    commit();
    this.#mustWait = false;
    if (this.#unfoldedBytes < FOLD_BYTES) return;
    this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    this.#unfoldedBytes = 0;
    this.#mustWait = true;
  }

  /** Runs what commits; all of the log is on disk when `done` is called without an error. */
  beside(commit: () => void, done: (error: NodeJS.ErrnoException | null) => void): void {
    assert(this.mayGoBeside && typeof this.#log === "number", "it was asked whether it may");
    this.#setWaiting(false);
    commit();
    fdatasync(this.#log, done);
  }

  /** So much has been committed, in whichever way. */
  note(bytes: number): void {
    this.#unfoldedBytes += bytes;
    if (this.#unfoldedBytes >= FOLD_BYTES) this.#mustWait = true;
  }

  /** Waits for what went beside. */
  settle(): void {
    if (typeof this.#log === "number") fdatasyncSync(this.#log);
  }

  /** For the closing of the database, which folds the log. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#setWaiting(true);
    if (typeof this.#log === "number") closeSync(this.#log);
  }

  #setWaiting(waits: boolean): void {
    if (this.#waits === waits) return;
    this.#waits = waits;
    this.#database.exec(`PRAGMA synchronous = ${waits ? "FULL" : "OFF"}`);
  }
}

/** The log of a database that somebody has open to write. */
const logOf = (path: string): number | null => {
  try {
    return openSync(`${path}-wal`, "r+");
  } catch {
    return null;
  }
};
