import assert from "node:assert/strict";
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** The size at which the WAL is folded: copied into the main file. Folding blocks the writer. */
export const FOLD_BYTES = 16 * 1024 * 1024;

/** One commit: `write` changes the database and adds about `bytes` bytes to the WAL. */
export type Commit = { readonly bytes: number; readonly write: () => void };

/**
 * Writes commits to disk: either synchronously, as SQLite does by default, or in the background
 * with an `fdatasync` of the WAL.
 *
 * Two steps are unsafe in the background and so run synchronously: folding the WAL, and the first
 * commit after a fold. That commit restarts the WAL, and the new header must reach the disk before
 * any new frame (sqlite.org, ticket ff5be73dee). SQLite's own automatic folding is switched off.
 */
export class WalSync {
  readonly #database: DatabaseSync;
  readonly #path: string;
  /** The descriptor of the WAL. If null, opening failed, and every commit is synchronous. */
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

  get canRunInBackground(): boolean {
    if (this.#mustWait) return false;
    if (this.#log === undefined) this.#log = logOf(this.#path);
    return this.#log !== null;
  }

  /** Runs a commit. On return, this commit and all earlier commits are on disk. */
  synchronously({ bytes, write }: Commit): void {
    this.#setWaiting(true);
    write();
    this.#mustWait = false;
    this.#unfoldedBytes += bytes;
    if (this.#unfoldedBytes < FOLD_BYTES) return;
    this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    this.#unfoldedBytes = 0;
    this.#mustWait = true;
  }

  /** Runs a commit. Calls `done` when the whole WAL is on disk, or with an error. */
  inBackground({ bytes, write }: Commit, done: (error: Error | null) => void): void {
    assert(
      this.canRunInBackground && typeof this.#log === "number",
      "this commit cannot run in the background",
    );
    this.#setWaiting(false);
    write();
    fdatasync(this.#log, (error) => {
      this.#unfoldedBytes += bytes;
      if (this.#unfoldedBytes >= FOLD_BYTES) this.#mustWait = true;
      done(error);
    });
  }

  settle(): void {
    if (typeof this.#log === "number") fdatasyncSync(this.#log);
  }

  /**
   * Call this before closing the database. Folds the WAL, so that the main file is complete. SQLite
   * does this by itself only if no other connection is open, such as that of a dashboard.
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#setWaiting(true);
    this.#foldAll();
    if (typeof this.#log === "number") closeSync(this.#log);
  }

  #foldAll(): void {
    try {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The WAL has all commits, and the next one who opens the file reads them.
    }
  }

  #setWaiting(waits: boolean): void {
    if (this.#waits === waits) return;
    this.#waits = waits;
    this.#database.exec(`PRAGMA synchronous = ${waits ? "FULL" : "OFF"}`);
  }
}

const logOf = (path: string): number | null => {
  try {
    return openSync(`${path}-wal`, "r+");
  } catch {
    return null;
  }
};
