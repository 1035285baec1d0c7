/** Version of the tables and of the hash framing. Raise it with an entry in `upcasts.ts`. */
export const FORMAT_VERSION = 3;

/** "ctlx" in ASCII: SQLite keeps it in the file's header, and `file journal.db` shows it. */
export const APPLICATION_ID = 0x63746c78;

/** Keys of `meta` that the journal keeps for itself start with this. */
export const OWN_KEY_PREFIX = "journal_";
export const FORMAT_KEY = "journal_format";
/** `<seq> <hash>` of the last committed event, so that a cut tail is noticed. */
export const HEAD_KEY = "journal_head";
/** `<count> <hash>` of the last saved snapshot, for the same reason. */
export const SNAPSHOT_HEAD_KEY = "journal_snapshot_head";

/**
 * The command that opens a transaction stands in the row of its first event, with what belongs to
 * it: as a row of its own it took as long as an event.
 *
 * No index but the primary keys: one on `kind` and one on `principal` were measured to double the
 * cost of a write, while a filtered scan reads about four million rows a second.
 */
export const TABLES = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  principal TEXT,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  last_seq INTEGER, -- of its last event; only where a transaction opens, as the next two
  fused INTEGER,
  command TEXT
) STRICT;
CREATE TABLE base (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  hash TEXT NOT NULL, -- of event seq in the run that it comes from
  state_hash TEXT NOT NULL,
  state BLOB NOT NULL, -- JSON, zstd
  carried BLOB NOT NULL, -- JSON, zstd
  carried_sha256 TEXT NOT NULL -- of the JSON
) STRICT;
CREATE TABLE snapshots (
  id INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  state_hash TEXT NOT NULL,
  body BLOB NOT NULL, -- JSON, zstd; empty when it was given up to save space
  body_sha256 TEXT NOT NULL, -- of the JSON
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

/** Up to this version commands had a table of their own. */
export const LAST_WITH_COMMANDS = 2;

/** Makes the events of such a journal look as those of the present one, to whoever reads them. */
export const EVENTS_WITH_COMMANDS = `
CREATE TEMP VIEW events AS
SELECT e.*, c.last_seq AS last_seq, c.fused AS fused, c.body AS command
FROM main.events e LEFT JOIN main.commands c ON c.first_seq = e.seq
`;
