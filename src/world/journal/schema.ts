import type { DatabaseSync } from "node:sqlite";
import type { JournalHead } from "./chain.ts";
import { textOf } from "./sqlite.ts";

/** The version of the tables and of the hashed text. Files with another version are refused. */
export const FORMAT_VERSION = 1;

/** "ctlx" in ASCII, in the header of the SQLite file. The command `file journal.db` shows it. */
export const APPLICATION_ID = 0x63746c78;

export const FORMAT_KEY = "journal_format";
/** The value: `<seq> <hash>` of the last committed event. Shows if the last rows were removed. */
export const HEAD_KEY = "journal_head";
/** The value: `<count> <hash>` of the last snapshot. Shows if the last rows were removed. */
export const SNAPSHOT_HEAD_KEY = "journal_snapshot_head";

/**
 * A command is stored in the row of its first event. A separate row would cost as much as an event.
 *
 * The only indexes are the primary keys. In measurements, an index on `kind` or `principal` doubled
 * the cost of a write. A filtered scan without an index reads about four million rows a second.
 */
export const TABLES_SQL = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  principal TEXT,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  last_seq INTEGER, -- last event of the transaction; set in its first event only, as the next two
  timed_out INTEGER,
  command TEXT
) STRICT;
CREATE TABLE base (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  hash TEXT NOT NULL, -- of event seq in the original run
  state_hash TEXT NOT NULL,
  state BLOB NOT NULL, -- JSON, zstd
  carried BLOB NOT NULL, -- JSON, zstd
  carried_sha256 TEXT NOT NULL -- of the JSON
) STRICT;
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  state_hash TEXT NOT NULL,
  body BLOB NOT NULL, -- JSON, zstd; empty if dropped to save space
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE model_calls (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

export function readMeta(database: DatabaseSync, key: string): string | null {
  const row = database.prepare("SELECT key, value FROM meta WHERE key = ?").get(key);
  return row === undefined ? null : textOf(row, "value");
}

export function writeMeta(database: DatabaseSync, key: string, value: string): void {
  const upsert = "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?2";
  database.prepare(upsert).run(key, value);
}

/** The value stored under `HEAD_KEY` or `SNAPSHOT_HEAD_KEY`. */
export const headText = (number: number, hash: string): string => `${number} ${hash}`;

export function recordedHead(database: DatabaseSync, key = HEAD_KEY): JournalHead {
  const [digits, hash = ""] = (readMeta(database, key) ?? "").split(" ");
  return { seq: digits ? Number(digits) : Number.NaN, hash };
}
