import type { DatabaseSync } from "node:sqlite";

/** Runs `work` as one SQLite transaction: all is committed, or nothing and the error thrown on. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } finally {
    // Some errors (a full disk) have made SQLite roll back by itself already.
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}

/** Runs `work` on the file as it is at this moment, whatever another process writes meanwhile. */
export function inOneView<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN");
  try {
    return work();
  } finally {
    if (database.isTransaction) database.exec("COMMIT");
  }
}
