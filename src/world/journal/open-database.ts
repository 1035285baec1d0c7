import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Result } from "../../kernel/index.ts";
import { definesOnly } from "./definitions.ts";
import { errorCode, whyNot, whyNotThere } from "./files.ts";
import * as schema from "./schema.ts";
import { failureFrom, inTransaction, isUnwritable, JournalFailure } from "./sqlite.ts";
import {
  firstHead,
  firstSnapshotHash,
  insertStartState,
  type PackedStartState,
} from "./start-state.ts";

/** The size at which the WAL is merged into the main file. Merging blocks the writer. */
const MERGE_BYTES = 16 * 1024 * 1024;

/** The maximum time that SQLite waits while another program has the file locked. */
const LOCK_WAIT_MS_MAX = 2_000;

export type WriteSettings = {
  /** `full`: a commit survives a power cut. `normal`: a commit survives only a process crash. */
  readonly sync: "full" | "normal";
  /** The maximum file size. A commit that would exceed it fails as if the disk were full. */
  readonly sizeMaxBytes?: number;
};

type OpenedDatabase = Result<{ database: DatabaseSync }>;

const problem = (text: string): OpenedDatabase => ({ ok: false, problem: text });

/** Creates the file, which must not exist yet. Deletes the file again if a later step fails. */
export function createDatabase(
  path: string,
  settings: WriteSettings,
  base: PackedStartState | undefined,
): OpenedDatabase {
  try {
    closeSync(openSync(path, "wx"));
  } catch (error) {
    return problem(`cannot create journal ${path}: ${whyNot(errorCode(error))}`);
  }
  const created = withDatabase(path, writable, (database) => {
    // Writes the first rows to the main file. A WAL would take twice as long. EXTRA ensures that
    // the rollback journal is gone from the disk before WAL mode starts.
    database.exec("PRAGMA synchronous = EXTRA");
    bound(database, settings);
    inTransaction(database, () => {
      database.exec(`PRAGMA application_id = ${schema.APPLICATION_ID}; ${schema.TABLES_SQL}`);
      schema.writeMeta(database, schema.FORMAT_KEY, String(schema.FORMAT_VERSION));
      if (base !== undefined) insertStartState(database, base);
      const { seq, hash } = firstHead(database);
      schema.writeMeta(database, schema.HEAD_KEY, schema.headText(seq, hash));
      schema.writeMeta(
        database,
        schema.SNAPSHOT_HEAD_KEY,
        schema.headText(0, firstSnapshotHash(database)),
      );
    });
    tune(database, settings);
  });
  if (created.ok) return created;
  for (const suffix of ["", "-journal", "-wal", "-shm"])
    rmSync(`${path}${suffix}`, { force: true });
  return created;
}

export function openForWriting(path: string, settings: WriteSettings): OpenedDatabase {
  const missing = whyNotThere(path);
  if (missing !== null) return problem(missing);
  return withDatabase(path, writable, (database) => {
    requireFormat(database, path);
    tune(database, settings);
    // Writes an existing value again: if the file is read-only, this fails now and not later.
    schema.writeMeta(database, schema.FORMAT_KEY, String(schema.FORMAT_VERSION));
  });
}

export function openForReading(path: string): OpenedDatabase {
  const missing = whyNotThere(path);
  if (missing !== null) return problem(missing);
  return withDatabase(path, readable, (database) => requireFormat(database, path));
}

/** Opens and prepares a database. After an error, closes the database and returns the problem. */
function withDatabase(
  path: string,
  open: (path: string) => DatabaseSync,
  prepare: (database: DatabaseSync) => void,
): OpenedDatabase {
  let database: DatabaseSync | null = null;
  try {
    database = open(path);
    prepare(database);
    return { ok: true, database };
  } catch (error) {
    if (database?.isOpen) database.close();
    return problem(failureFrom(error, path).message);
  }
}

/** No row that a run writes is as long. Node cannot hold a longer text. */
const ROW_BYTES_MAX = 500_000_000;

const SAFELY = { timeout: LOCK_WAIT_MS_MAX, limits: { length: ROW_BYTES_MAX } };

const writable = (path: string): DatabaseSync => new DatabaseSync(path, SAFELY);

/**
 * Opens a database for reading. In a read-only folder, SQLite cannot create the shared index that a
 * WAL needs. Without a WAL file there, the database cannot change and is opened as immutable.
 */
function readable(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { ...SAFELY, readOnly: true });
  try {
    database.prepare("PRAGMA application_id").get();
    return database;
  } catch (error) {
    database.close();
    if (!isUnwritable(error) || existsSync(`${path}-wal`)) throw error;
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    return new DatabaseSync(url, { ...SAFELY, readOnly: true });
  }
}

function tune(database: DatabaseSync, settings: WriteSettings): void {
  database.exec("PRAGMA journal_mode = WAL");
  // `GroupWriter` syncs the commits to the WAL.
  const byItself = settings.sync === "full" && !hasWal(database);
  database.exec(`PRAGMA synchronous = ${byItself ? "FULL" : "NORMAL"}`);
  bound(database, settings);
  database.exec(`PRAGMA wal_autocheckpoint = ${MERGE_BYTES / pageBytesOf(database)}`);
}

/** Whether commits go to a WAL. Some network file systems allow none. */
export const hasWal = (database: DatabaseSync): boolean =>
  database.prepare("PRAGMA journal_mode").get()?.journal_mode === "wal";

function bound(database: DatabaseSync, { sizeMaxBytes }: WriteSettings): void {
  if (sizeMaxBytes === undefined) return;
  const pagesMax = Math.max(1, sizeMaxBytes / pageBytesOf(database)) | 0;
  database.exec(`PRAGMA max_page_count = ${pagesMax}`);
}

const pageBytesOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA page_size").get()?.page_size);

/** Throws a `JournalFailure` unless the file is a journal of format `FORMAT_VERSION`. */
function requireFormat(database: DatabaseSync, path: string): void {
  const refuse = (why: string): never => {
    throw new JournalFailure(`${path} ${why}`);
  };
  const id = database.prepare("PRAGMA application_id").get();
  if (id?.application_id !== schema.APPLICATION_ID) {
    refuse("is an SQLite file but not a catallaxy journal; give the path of a journal.db");
  }
  const meta = database.prepare("SELECT type FROM sqlite_schema WHERE name = 'meta'").get();
  const version = meta?.type === "table" ? schema.readMeta(database, schema.FORMAT_KEY) : null;
  if (version === null) {
    refuse("is a journal without a format version: it is damaged; use a copy of it");
  }
  if (version !== String(schema.FORMAT_VERSION)) {
    const cure = "use the version of catallaxy that wrote it";
    refuse(`has format ${version}, this program reads format ${schema.FORMAT_VERSION}; ${cure}`);
  }
  // A view or a trigger of somebody else could answer with anything, or never.
  if (!definesOnly(database, schema.TABLES_SQL)) {
    refuse("has other tables than a journal: it was changed; use an unchanged copy of it");
  }
}
