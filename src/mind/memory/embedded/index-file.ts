import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { load } from "sqlite-vec";
import type { Id } from "../../../kernel/index.ts";
import { spelledVector } from "../embedder/hashed.ts";
import type { IndexedRecord, NearestQuery } from "../memory-index.ts";
import type { MemoryRecord, Recalled } from "../memory-store.ts";

/** Raised when the tables change: a file of another version is begun anew. */
const VERSION = "1";
/** Vectors are stored in chunks of one agent each; a chunk is allotted whole. */
const CHUNK_VECTORS = 64;
/** sqlite-vec answers with this many at most. */
const NEAREST_MAX = 4_096;
/** Less than this is rounding: such records have nothing in common with the query. */
const LIKENESS_MIN = 1e-5;
const SHELF_TEXTS_MAX = 50_000;
/**
 * A chunk lies on few large pages: that shortens a search, while still larger ones make writing
 * dear. Mapping the file into memory would help too, but then a disk error kills the process.
 */
const PAGE_BYTES = 16_384;
const CACHE_KIBIBYTES = 65_536;

const COLUMNS = "number, at_ms, kind, text";

/** The index can be made again from the journal: no disk is waited for. */
const TABLES = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -${CACHE_KIBIBYTES};
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS agents (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS memories (
    key INTEGER PRIMARY KEY, agent INTEGER NOT NULL, number INTEGER NOT NULL,
    at_ms REAL NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (agent, number));
  CREATE TABLE IF NOT EXISTS shelf (
    key TEXT PRIMARY KEY, turn INTEGER NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS shelf_turns ON shelf (turn);
`;

/**
 * One SQLite file with the memories of all agents and their vectors. It throws what SQLite throws.
 * The vectors are in a table of sqlite-vec that is partitioned by agent, so that a search reads
 * the rows of one agent only, and compares all of those: its answer is exact.
 */
export class IndexFile {
  readonly #database: DatabaseSync;
  readonly #agents = new Map<string, number>();
  readonly #statements = new Map<string, StatementSync>();
  /** 0 until the first vector is put. */
  #dimensions = 0;
  /** Why its vectors cannot be compared with those of the embedder; null where they can. */
  readonly misfit: string | null;

  constructor(path: string, embedder: string) {
    this.#database = new DatabaseSync(path, { allowExtension: true });
    try {
      load(this.#database);
      this.#database.exec(TABLES);
      this.misfit = this.#differs("version", VERSION) ?? this.#differs("embedder", embedder);
      this.#recollect();
    } catch (thrown) {
      this.#database.close();
      throw thrown;
    }
  }

  missing(records: readonly MemoryRecord[]): readonly MemoryRecord[] {
    const has = this.#prepared("SELECT 1 FROM memories WHERE agent = ? AND number = ?");
    return records.filter(({ agent, number }) => {
      const key = this.#agents.get(agent);
      return key === undefined || has.get(key, number) === undefined;
    });
  }

  put(rows: readonly IndexedRecord[]): void {
    if (rows.length === 0) return;
    this.#transaction(() => {
      const remember = this.#prepared(
        `INSERT INTO memories (agent, number, at_ms, kind, text) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING RETURNING key`,
      );
      for (const { record, vector: given } of rows) {
        const agent = this.#keyOf(record.agent);
        const { number, atMs, kind, text } = record;
        const row = remember.get(agent, number, atMs, kind, text);
        if (row === undefined) continue;
        const vector = given ?? spelledVector(text);
        this.#prepareVectors(vector.length);
        // Integers reach sqlite-vec as such only when they are BigInts.
        const place = this.#prepared("INSERT INTO vectors (rowid, agent, vector) VALUES (?, ?, ?)");
        place.run(BigInt(Number(row.key)), BigInt(agent), bytesOf(vector));
      }
    });
  }

  /**
   * The distance is that of Euclid; of vectors of length 1 it orders like the cosine, which is
   * 1 - distance² / 2. Where fewer than `limit` have anything in common with the query, the newest
   * of the others follow.
   */
  nearest({ agent, text, vector: given, limit }: NearestQuery): readonly Recalled[] {
    const key = this.#agents.get(agent);
    if (key === undefined || limit < 1) return [];
    const vector = given ?? spelledVector(text);
    if (vector.length !== this.#dimensions) return [];
    const select = this.#prepared(
      "SELECT rowid AS key, distance FROM vectors WHERE vector MATCH ? AND k = ? AND agent = ?",
    );
    const memory = this.#prepared(`SELECT ${COLUMNS} FROM memories WHERE key = ?`);
    const near = withTies(limit, (most) =>
      select.all(bytesOf(vector), BigInt(most), BigInt(key)).flatMap((row) => {
        const likeness = 1 - Number(row.distance) ** 2 / 2;
        return likeness > LIKENESS_MIN ? [{ key: Number(row.key), likeness }] : [];
      }),
    );
    const found = near.flatMap(({ key: row, likeness }): readonly Recalled[] => {
      const held = memory.get(row);
      return held === undefined ? [] : [{ ...recordOf(agent, held), likeness }];
    });
    found.sort((a, b) => b.likeness - a.likeness || b.number - a.number);
    return [...found, ...this.#newest(agent, limit, found)].slice(0, limit);
  }

  /** The newest that are not among those found, if these are too few. */
  #newest(agent: Id, limit: number, found: readonly MemoryRecord[]): readonly Recalled[] {
    if (found.length >= limit) return [];
    const there = new Set(found.map(({ number }) => number));
    return this.#prepared(
      `SELECT ${COLUMNS} FROM memories WHERE agent = ? ORDER BY number DESC LIMIT ?`,
    )
      .all(this.#agents.get(agent) ?? 0, limit)
      .map((row) => ({ ...recordOf(agent, row), likeness: 0 }))
      .filter(({ number }) => !there.has(number));
  }

  /** Returns up to which number it then holds all of an agent's, where none is missing. */
  cutBack(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    this.#transaction(() => {
      const past = this.#prepared(
        "DELETE FROM memories WHERE agent = ? AND number > ? RETURNING key",
      );
      for (const [agent, key] of this.#agents) {
        const gone = past.all(key, counts.get(agent) ?? 0);
        if (gone.length === 0) continue;
        const remove = this.#prepared("DELETE FROM vectors WHERE rowid = ?");
        for (const row of gone) remove.run(BigInt(Number(row.key)));
      }
    });
    return this.#heldWhole();
  }

  #heldWhole(): ReadonlyMap<string, number> {
    const counting = this.#database.prepare(
      `SELECT id, count(*) AS held, max(number) AS last FROM memories
       JOIN agents ON agents.key = memories.agent GROUP BY memories.agent`,
    );
    const whole = counting.all().filter(({ held, last }) => held === last);
    return new Map(whole.map(({ id, held }) => [String(id), Number(held)]));
  }

  shelved(keys: readonly string[]): readonly (Float32Array | null)[] {
    const find = this.#prepared("SELECT vector FROM shelf WHERE key = ?");
    return keys.map((key) => {
      const bytes = find.get(key)?.vector;
      return bytes instanceof Uint8Array ? vectorOf(bytes) : null;
    });
  }

  shelve(entries: readonly { readonly key: string; readonly vector: Float32Array }[]): void {
    this.#transaction(() => {
      const last = this.#prepared("SELECT max(turn) AS turn FROM shelf").get();
      let turn = Number(last?.turn ?? 0);
      const keep = this.#prepared(
        "INSERT INTO shelf (key, turn, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      );
      for (const { key, vector } of entries) {
        turn += 1;
        keep.run(key, turn, bytesOf(vector));
      }
      this.#prepared("DELETE FROM shelf WHERE turn <= ?").run(turn - SHELF_TEXTS_MAX);
    });
  }

  flush(): void {
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#database.close();
  }

  /** The table of vectors can only be made once the length of a vector is known. */
  #prepareVectors(dimensions: number): void {
    if (this.#dimensions === dimensions) return;
    if (this.#dimensions !== 0) {
      throw new Error(`a vector of ${dimensions} where the index has ${this.#dimensions}`);
    }
    this.#database.exec(`
      CREATE VIRTUAL TABLE vectors USING vec0(
        agent INTEGER PARTITION KEY, vector FLOAT[${dimensions}] DISTANCE_METRIC=L2,
        CHUNK_SIZE=${CHUNK_VECTORS});
      CREATE INDEX vectors_by_agent ON vectors_chunks (partition00);
    `);
    this.#state("dimensions", String(dimensions));
    this.#dimensions = dimensions;
  }

  #keyOf(agent: Id): number {
    const known = this.#agents.get(agent);
    if (known !== undefined) return known;
    const row = this.#prepared("INSERT INTO agents (id) VALUES (?) RETURNING key").get(agent);
    const key = Number(row?.key);
    this.#agents.set(agent, key);
    return key;
  }

  /** Prepared once: that costs more than most statements do. */
  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #fact(name: string): string | null {
    const row = this.#database.prepare("SELECT value FROM facts WHERE name = ?").get(name);
    return row === undefined ? null : String(row.value);
  }

  #state(name: string, value: string): void {
    this.#database.prepare("INSERT INTO facts (name, value) VALUES (?, ?)").run(name, value);
  }

  /** States the fact where it was not stated before. */
  #differs(name: string, value: string): string | null {
    const present = this.#fact(name);
    if (present === null) this.#state(name, value);
    return present === null || present === value ? null : `its ${name} is ${present}, not ${value}`;
  }

  /** What is kept in memory, as the file has it. */
  #recollect(): void {
    this.#dimensions = Number(this.#fact("dimensions") ?? 0);
    this.#agents.clear();
    for (const { key, id } of this.#database.prepare("SELECT key, id FROM agents").all()) {
      this.#agents.set(String(id), Number(key));
    }
  }

  #transaction(body: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      body();
      this.#database.exec("COMMIT");
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      this.#recollect();
      throw thrown;
    }
  }
}

type Near = { readonly key: number; readonly likeness: number };

/** The nearest `limit`, and all others that are as near as the last of them. */
const withTies = (limit: number, select: (most: number) => readonly Near[]): readonly Near[] => {
  for (let most = Math.min(2 * limit + 8, NEAREST_MAX); ; most = Math.min(4 * most, NEAREST_MAX)) {
    const rows = select(most);
    const edge = rows[limit - 1];
    const last = rows.at(-1);
    const open = rows.length === most && last?.likeness === edge?.likeness;
    if (!open || most === NEAREST_MAX) return rows;
  }
};

const recordOf = (agent: Id, row: { readonly [column: string]: SQLOutputValue }): MemoryRecord => ({
  agent,
  number: Number(row.number),
  atMs: Number(row.at_ms),
  kind: row.kind === "observation" ? "observation" : "action",
  text: String(row.text),
});

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** A copy, since the bytes may not lie where a number of four bytes may. */
const vectorOf = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);
