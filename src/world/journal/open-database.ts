import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import {
  type Beginning,
  firstHead,
  firstSnapshotHash,
  insertBeginning,
  type PackedBeginning,
} from "./beginning.ts";
import { FOLD_BYTES } from "./disk-wait.ts";
import { errorCode, whyNot, whyNotThere } from "./file-trouble.ts";
import { headText } from "./head.ts";
import { readMeta, writeMeta } from "./meta.ts";
import {
  APPLICATION_ID,
  EVENTS_WITH_COMMANDS,
  FORMAT_KEY,
  FORMAT_VERSION,
  HEAD_KEY,
  LAST_WITH_COMMANDS,
  SNAPSHOT_HEAD_KEY,
  TABLES,
} from "./schema.ts";
import { failureFrom, isUnwritable } from "./sqlite-trouble.ts";
import { inTransaction } from "./transaction.ts";
import { type Upcast, upcastFrom } from "./upcasts.ts";

/** How long SQLite waits for another program's lock before it reports it. */
const LOCK_WAIT_MS_MAX = 2_000;

export type WriteSettings = {
  /** `full`: a commit survives a power cut. `normal`: it survives a crash of the process. */
  readonly sync: "full" | "normal";
  /** A bound on the size of the file; a commit that would pass it fails like a full disk. */
  readonly sizeMaxBytes?: number;
};

export type UsableDatabase = {
  readonly database: DatabaseSync;
  /** The version that the rows have, and how they read as rows of the present one. */
  readonly format: number;
  readonly upcast: Upcast;
};

export type OpenedDatabase =
  | ({ readonly ok: true } & UsableDatabase)
  | { readonly ok: false; readonly problem: string };

const problem = (text: string): OpenedDatabase => ({ ok: false, problem: text });

/** What stands in a journal before its first event. */
export type Contents = {
  /** Notes about the run. */
  readonly meta?: Readonly<Record<string, string>>;
  readonly base?: Beginning | PackedBeginning;
};

/** Makes the file; it must not be there yet. On any trouble nothing is left behind. */
export function createDatabase(
  path: string,
  settings: WriteSettings,
  { meta = {}, base }: Contents,
): OpenedDatabase {
  try {
    closeSync(openSync(path, "wx"));
  } catch (error) {
    return problem(`cannot create journal ${path}: ${whyNot(errorCode(error))}`);
  }
  const created = withDatabase(path, writable, (database) => {
    // The first rows go right into the main file, which takes half as long as through a WAL. It is
    // on disk, and what it would be taken back with is gone from the folder, before there is one.
    database.exec("PRAGMA synchronous = EXTRA");
    bound(database, settings);
    inTransaction(database, () => {
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; ${TABLES}`);
      database.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
      writeMeta(database, FORMAT_KEY, String(FORMAT_VERSION));
      if (base !== undefined) insertBeginning(database, base);
      const { seq, hash } = firstHead(database);
      writeMeta(database, HEAD_KEY, headText(seq, hash));
      writeMeta(database, SNAPSHOT_HEAD_KEY, headText(0, firstSnapshotHash(database)));
      for (const [key, value] of Object.entries(meta)) writeMeta(database, key, value);
    });
    tune(database, settings);
    return withFormat(database, path);
  });
  if (created.ok) return created;
  for (const suffix of ["", "-journal", "-wal", "-shm"])
    rmSync(`${path}${suffix}`, { force: true });
  return created;
}

/** Opens a journal to go on writing it. */
export function openForWriting(path: string, settings: WriteSettings): OpenedDatabase {
  const missing = whyNotThere(path);
  if (missing !== null) return problem(missing);
  return withDatabase(path, writable, (database) => {
    const opened = withFormat(database, path);
    if (!opened.ok) return opened;
    const version = readMeta(database, FORMAT_KEY);
    if (version !== String(FORMAT_VERSION)) {
      database.close();
      const cure = "fork a new run from it with `sim fork`";
      return problem(`journal ${path} has the older format ${version}: it can be read; ${cure}`);
    }
    tune(database, settings);
    // Writes what is there already: better to hear now than later that it cannot be written.
    writeMeta(database, FORMAT_KEY, version);
    return opened;
  });
}

/** Opens a journal to read it, also one that another process is writing. */
export function openForReading(path: string): OpenedDatabase {
  const missing = whyNotThere(path);
  if (missing !== null) return problem(missing);
  return withDatabase(path, readable, (database) => withFormat(database, path));
}

/** Trouble with SQLite becomes a problem, and leaves no file open. */
function withDatabase(
  path: string,
  open: (path: string) => DatabaseSync,
  use: (database: DatabaseSync) => OpenedDatabase,
): OpenedDatabase {
  let database: DatabaseSync | null = null;
  try {
    database = open(path);
    return use(database);
  } catch (error) {
    if (database?.isOpen) database.close();
    return problem(failureFrom(error, path).message);
  }
}

const writable = (path: string): DatabaseSync =>
  new DatabaseSync(path, { timeout: LOCK_WAIT_MS_MAX });

/**
 * In a folder that cannot be written SQLite refuses even to read a WAL file, because it cannot make
 * the shared index. When there is no WAL to take into account, nothing can change under the reader.
 */
function readable(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_WAIT_MS_MAX });
  try {
    database.prepare("PRAGMA application_id").get();
    return database;
  } catch (error) {
    database.close();
    if (!isUnwritable(error) || existsSync(`${path}-wal`)) throw error;
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    return new DatabaseSync(url, { readOnly: true });
  }
}

function tune(database: DatabaseSync, settings: WriteSettings): void {
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${settings.sync.toUpperCase()};`);
  bound(database, settings);
  database.exec(`PRAGMA wal_autocheckpoint = ${FOLD_BYTES / pageBytesOf(database)}`);
}

function bound(database: DatabaseSync, { sizeMaxBytes }: WriteSettings): void {
  if (sizeMaxBytes === undefined) return;
  const pagesMax = Math.max(1, sizeMaxBytes / pageBytesOf(database)) | 0;
  database.exec(`PRAGMA max_page_count = ${pagesMax}`);
}

const pageBytesOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA page_size").get()?.page_size);

/** Refuses what is not a journal of this program, or one that it is too old to read. */
function withFormat(database: DatabaseSync, path: string): OpenedDatabase {
  const refuse = (why: string): OpenedDatabase => {
    database.close();
    return problem(`${path} ${why}`);
  };
  const id = database.prepare("PRAGMA application_id").get();
  if (id?.application_id !== APPLICATION_ID) {
    return refuse("is an SQLite file but not a catallaxy journal; give the path of a journal.db");
  }
  const written = readMeta(database, FORMAT_KEY);
  const version = Number(written);
  if (written === null || !Number.isSafeInteger(version)) {
    return refuse("is a journal without a format version: it is damaged; use a copy of it");
  }
  if (version > FORMAT_VERSION) {
    const both = `format ${version}, this program reads up to ${FORMAT_VERSION}`;
    return refuse(`was written by a newer catallaxy (${both}); update catallaxy`);
  }
  const upcast = upcastFrom(version);
  if (upcast === null) return refuse(`has format ${version}, which is no longer read`);
  if (markedFormat(database) !== version) {
    return refuse(`is damaged: its number of the format was changed to ${version}; use a copy`);
  }
  if (version <= LAST_WITH_COMMANDS) database.exec(EVENTS_WITH_COMMANDS);
  return { ok: true, database, format: version, upcast };
}

/**
 * The format as SQLite's header has it, since rows that are read as another one's would pass for
 * what never was. Format 1 left it 0.
 */
function markedFormat(database: DatabaseSync): number {
  const mark = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  return mark === 0 ? 1 : mark;
}
