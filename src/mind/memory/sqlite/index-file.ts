import { DatabaseSync } from "node:sqlite";
import { asId, type Id, memoized } from "../../../kernel/index.ts";
import { spelledVector } from "../embedder/hashed.ts";
import type {
  CachedVector,
  IndexedRecord,
  MemoryRecord,
  NearestQuery,
  Recalled,
} from "../memory-store.ts";
import { AgentRows, type Row, type SavedRows } from "./agent-rows.ts";
import { BLOCK_ROWS, blockOf, bytesOf, rowsIn, vectorOf } from "./block.ts";

/** `run` is null if only the cache of vectors is used. The cache does not depend on a run. */
export type IndexOwner = { readonly embedder: string; readonly run: string | null };

/** The version of the tables. A file of another version is replaced. */
const VERSION = "4";
const RESIDENT_BYTES_MAX = 128 * 1024 * 1024;
const RECORD_BYTES = 400;
const EVICTED_SHARE = 0.1;
const CACHED_TEXTS_MAX = 50_000;

/** Writes do not wait for the disk, because the journal can rebuild the index. */
const TABLES = `
  PRAGMA page_size = 16384;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -8192;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS blocks (
    agent TEXT NOT NULL, place INTEGER NOT NULL, held INTEGER NOT NULL, last INTEGER NOT NULL,
    records TEXT NOT NULL, vectors BLOB NOT NULL, UNIQUE (agent, place));
  CREATE INDEX IF NOT EXISTS blocks_held ON blocks (agent, place, held, last);
  CREATE TABLE IF NOT EXISTS cache (
    key TEXT PRIMARY KEY, turn INTEGER NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS cache_turns ON cache (turn);
`;

/**
 * One SQLite file with the memories and vectors of all agents. New memories of an agent are written
 * when they fill a block; `flush` writes the rest. A search is exact: it compares all memories of
 * the agent. Methods throw errors of SQLite, or `DamagedIndex` for inconsistent content.
 */
export class IndexFile {
  readonly #database: DatabaseSync;
  readonly #residentBytesMax: number;
  /** Returns a statement from a cache. Preparing a statement usually costs more than running it. */
  readonly #prepared = memoized((sql: string) => this.#database.prepare(sql));
  readonly #resident = new Map<Id, AgentRows>();
  #residentRows = 0;
  /** Agents with a full block to write. If a write fails, the next `put` first tries again. */
  readonly #owing = new Set<Id>();
  /** The dimension of every vector, or 0 until the first vector is put. */
  #dimensions: number;
  /** Why the file does not fit this run or its embedder. Null if the file fits both. */
  readonly misfit: string | null;

  constructor(path: string, owner: IndexOwner, residentBytesMax: number = RESIDENT_BYTES_MAX) {
    this.#residentBytesMax = residentBytesMax;
    this.#database = new DatabaseSync(path);
    try {
      this.#database.exec(TABLES);
      this.misfit =
        this.#differs("version", VERSION) ??
        this.#differs("embedder", owner.embedder) ??
        (owner.run === null ? null : this.#differs("run", owner.run));
      this.#dimensions = Number(this.#fact("dimensions") ?? 0);
    } catch (thrown) {
      this.#database.close();
      throw thrown;
    }
  }

  missing(records: readonly MemoryRecord[]): readonly MemoryRecord[] {
    return records.filter(({ agent, number }) => !this.#rowsOf(agent).has(number));
  }

  put(records: readonly IndexedRecord[]): void {
    if (records.length === 0) return;
    this.#write(this.#owing);
    this.#evict();
    for (const { record, vector } of records) {
      const rows = this.#rowsOf(record.agent);
      if (rows.has(record.number)) continue;
      rows.add({ record, vector: this.#fitting(vector ?? spelledVector(record.text)) });
      this.#residentRows += 1;
      if (rows.unsaved >= BLOCK_ROWS) this.#owing.add(record.agent);
    }
    this.#write(this.#owing);
  }

  nearest({ agent, text, vector: query, limit }: NearestQuery): readonly Recalled[] {
    if (limit < 1) return [];
    const rows = this.#allRowsOf(agent);
    if (rows.resident === 0) return [];
    const vector = query ?? spelledVector(text);
    return vector.length === this.#dimensions ? rows.nearest(vector, limit) : [];
  }

  /** See `MemoryIndex`. Returns the record count of each agent whose records have no gap. */
  cutBack(counts: ReadonlyMap<Id, number>): ReadonlyMap<Id, number> {
    this.#write(this.#resident.keys());
    this.#resident.clear();
    this.#residentRows = 0;
    this.#transaction(() => {
      const agents = this.#prepared("SELECT DISTINCT agent FROM blocks").all();
      for (const { agent } of agents) this.#cut(asId(String(agent)), counts);
    });
    const counting =
      "SELECT agent, sum(held) AS held, max(last) AS last FROM blocks GROUP BY agent";
    const gapless = this.#prepared(counting)
      .all()
      .filter(({ held, last }) => held === last);
    return new Map(gapless.map(({ agent, held }) => [asId(String(agent)), Number(held)]));
  }

  /** Deletes an agent's records with a number above its count. Rewrites the changed blocks. */
  #cut(agent: Id, counts: ReadonlyMap<Id, number>): void {
    const count = counts.get(agent) ?? 0;
    const past = "SELECT min(place) AS place FROM blocks WHERE agent = ? AND last > ?";
    const place = this.#prepared(past).get(agent, count)?.place ?? null;
    if (place === null) return;
    const rows = this.#read(agent, Number(place));
    this.#prepared("DELETE FROM blocks WHERE agent = ? AND place >= ?").run(agent, place);
    const kept = rows.filter(({ record }) => record.number <= count);
    this.#place(agent, Number(place), kept);
  }

  findVectors(keys: readonly string[]): readonly (Float32Array | null)[] {
    const find = this.#prepared("SELECT vector FROM cache WHERE key = ?");
    return keys.map((key) => {
      const bytes = find.get(key)?.vector;
      return bytes instanceof Uint8Array ? vectorOf(bytes) : null;
    });
  }

  keepVectors(entries: readonly CachedVector[]): void {
    this.#transaction(() => {
      const last = this.#prepared("SELECT max(turn) AS turn FROM cache").get();
      let turn = Number(last?.turn ?? 0);
      const keep = this.#prepared(
        "INSERT INTO cache (key, turn, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      );
      for (const { key, vector } of entries) {
        turn += 1;
        keep.run(key, turn, bytesOf(vector));
      }
      this.#prepared("DELETE FROM cache WHERE turn <= ?").run(turn - CACHED_TEXTS_MAX);
    });
  }

  flush(): void {
    this.#write(this.#resident.keys());
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#database.close();
  }

  /** Returns an agent's rows and marks the agent as most recently used. */
  #rowsOf(agent: Id): AgentRows {
    let rows = this.#resident.get(agent);
    if (rows === undefined) {
      this.#evict();
      rows = new AgentRows(this.#savedOf(agent));
      this.#residentRows += rows.resident;
    }
    this.#resident.delete(agent);
    this.#resident.set(agent, rows);
    return rows;
  }

  #allRowsOf(agent: Id): AgentRows {
    const rows = this.#rowsOf(agent);
    if (rows.unread === 0) return rows;
    const first = this.#read(agent, 0, rows.unread / BLOCK_ROWS);
    rows.addRead(first);
    this.#residentRows += first.length;
    return rows;
  }

  /** Reads the rows of an agent. If the record numbers have no gap, leaves full blocks unread. */
  #savedOf(agent: Id): SavedRows {
    const summing = "SELECT sum(held) AS held, max(last) AS last FROM blocks WHERE agent = ?";
    const { held, last } = this.#prepared(summing).get(agent) ?? {};
    const count = Number(held ?? 0);
    const heldTo = held === last ? count : 0;
    const unread = heldTo - (heldTo % BLOCK_ROWS);
    return { unread, heldTo, rows: count === unread ? [] : this.#read(agent, unread / BLOCK_ROWS) };
  }

  #read(agent: Id, from: number, to: number = Number.MAX_SAFE_INTEGER): readonly Row[] {
    const select = `SELECT held, records, vectors FROM blocks
      WHERE agent = ? AND place >= ? AND place < ? ORDER BY place`;
    const about = { agent, dimensions: this.#dimensions };
    return this.#prepared(select)
      .all(agent, from, to)
      .flatMap((block) => rowsIn(block, about));
  }

  #evict(): void {
    const rowBytes = this.#dimensions * Float32Array.BYTES_PER_ELEMENT + RECORD_BYTES;
    if (this.#residentRows * rowBytes <= this.#residentBytesMax) return;
    const leaving: Id[] = [];
    let left = this.#residentRows;
    for (const [agent, { resident }] of this.#resident) {
      if (left * rowBytes <= this.#residentBytesMax * (1 - EVICTED_SHARE)) break;
      leaving.push(agent);
      left -= resident;
    }
    this.#write(leaving);
    for (const agent of leaving) this.#resident.delete(agent);
    this.#residentRows = left;
  }

  #write(agents: Iterable<Id>): void {
    const owed = [...agents].flatMap((agent) => {
      const rows = this.#resident.get(agent);
      return rows === undefined || rows.unsaved === 0 ? [] : [{ agent, rows }];
    });
    if (owed.length === 0) return;
    this.#transaction(() => {
      for (const { agent, rows } of owed) {
        const place = Math.floor(rows.saved / BLOCK_ROWS);
        this.#place(agent, place, rows.from(place * BLOCK_ROWS));
      }
    });
    for (const { agent, rows } of owed) {
      rows.markSaved();
      this.#owing.delete(agent);
    }
  }

  #place(agent: Id, first: number, rows: readonly Row[]): void {
    const write = this.#prepared(
      `INSERT INTO blocks (agent, place, held, last, records, vectors) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET held = excluded.held, last = excluded.last,
       records = excluded.records, vectors = excluded.vectors`,
    );
    for (let at = 0; at < rows.length; at += BLOCK_ROWS) {
      const { held, last, records, vectors } = blockOf(rows.slice(at, at + BLOCK_ROWS));
      write.run(agent, first + at / BLOCK_ROWS, held, last, records, vectors);
    }
  }

  #fitting(vector: Float32Array): Float32Array {
    const dimensions = vector.length;
    if (this.#dimensions === 0) {
      this.#state("dimensions", String(dimensions));
      this.#dimensions = dimensions;
    }
    if (this.#dimensions === dimensions) return vector;
    throw new Error(`the vector has ${dimensions} numbers, the index needs ${this.#dimensions}`);
  }

  #fact(name: string): string | null {
    const row = this.#prepared("SELECT value FROM facts WHERE name = ?").get(name);
    return row === undefined ? null : String(row.value);
  }

  #state(name: string, value: string): void {
    this.#prepared("INSERT INTO facts (name, value) VALUES (?, ?)").run(name, value);
  }

  #differs(name: string, value: string): string | null {
    const present = this.#fact(name);
    if (present === null) this.#state(name, value);
    return present === null || present === value ? null : `its ${name} is ${present}, not ${value}`;
  }

  #transaction(body: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      body();
      this.#database.exec("COMMIT");
    } catch (thrown) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw thrown;
    }
  }
}
