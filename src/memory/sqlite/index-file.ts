import { lstatSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { asId, type Id, memoized } from "../../kernel/index.ts";
import { spelledVector } from "../embedder/hashed.ts";
import {
  bySimilarity,
  type CachedVector,
  type IndexedRecord,
  type MemoryRecord,
  type NearestQuery,
  type Recalled,
} from "../port/memory-store.ts";
import { ArtifactRows, type Row, type SavedRows } from "./artifact-rows.ts";
import { BLOCK_ROWS, blockOf, bytesOf, DamagedIndex, rowsIn, vectorOf } from "./block.ts";

/** `run` is null if only the cache of vectors is used. The cache does not depend on a run. */
export type IndexOwner = { readonly embedder: string; readonly run: string | null };

/** The version of the tables. A file of another version is replaced. */
const VERSION = "5";
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
    artifact TEXT NOT NULL, place INTEGER NOT NULL, held INTEGER NOT NULL, last INTEGER NOT NULL,
    records TEXT NOT NULL, vectors BLOB NOT NULL, UNIQUE (artifact, place));
  CREATE INDEX IF NOT EXISTS blocks_held ON blocks (artifact, place, held, last);
  CREATE TABLE IF NOT EXISTS cache (
    key TEXT PRIMARY KEY, turn INTEGER NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS cache_turns ON cache (turn);
`;

/** A view or a trigger of somebody else could answer with anything, or never. */
const FOREIGN = "SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger')";

/**
 * One SQLite file with the memories and vectors of all memory artifacts. New memories of an
 * artifact are written when they fill a block; `flush` writes the rest. A search is exact: it
 * compares all memories of the artifacts. Methods throw errors of SQLite, or `DamagedIndex` for
 * inconsistent content.
 */
export class IndexFile {
  readonly #database: DatabaseSync;
  readonly #residentBytesMax: number;
  /** Returns a statement from a cache. Preparing a statement usually costs more than running it. */
  readonly #prepared = memoized((sql: string) => this.#database.prepare(sql));
  readonly #resident = new Map<Id, ArtifactRows>();
  #residentRows = 0;
  /** Artifacts with a full block that is not written yet. The next `put` first writes the block. */
  readonly #owing = new Set<Id>();
  /** The dimension of every vector, or 0 until the first vector is put. */
  #dimensions: number;
  /** Why the file does not fit this run or its embedder. Null if the file fits both. */
  readonly misfit: string | null;

  constructor(path: string, owner: IndexOwner, residentBytesMax: number = RESIDENT_BYTES_MAX) {
    this.#residentBytesMax = residentBytesMax;
    // The folder of the run may be of somebody else.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true || found?.isFIFO() === true) {
      throw new DamagedIndex("it is a link or a pipe");
    }
    this.#database = new DatabaseSync(path);
    try {
      if (this.#database.prepare(FOREIGN).get() !== undefined) {
        throw new DamagedIndex("it has a view or a trigger");
      }
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
    return records.filter(({ artifact, number }) => !this.#rowsOf(artifact).has(number));
  }

  put(records: readonly IndexedRecord[]): void {
    if (records.length === 0) return;
    this.#write(this.#owing);
    this.#evict();
    for (const { record, vector } of records) {
      const rows = this.#rowsOf(record.artifact);
      if (rows.has(record.number)) continue;
      rows.add({ record, vector: this.#fitting(vector ?? spelledVector(record.text)) });
      this.#residentRows += 1;
      if (rows.unsaved >= BLOCK_ROWS) this.#owing.add(record.artifact);
    }
    this.#write(this.#owing);
  }

  nearest({ artifacts, text, vector: query, limit }: NearestQuery): readonly Recalled[] {
    if (limit < 1) return [];
    const vector = query ?? spelledVector(text);
    const found = artifacts.flatMap((artifact) => {
      const rows = this.#allRowsOf(artifact);
      const fits = rows.resident > 0 && vector.length === this.#dimensions;
      return fits ? rows.nearest(vector, limit) : [];
    });
    return found.sort(bySimilarity).slice(0, limit);
  }

  /** Deletes records above their artifact's count. Returns counts of artifacts without gaps. */
  cutBack(counts: ReadonlyMap<Id, number>): ReadonlyMap<Id, number> {
    this.#write(this.#resident.keys());
    this.#resident.clear();
    this.#residentRows = 0;
    this.#transaction(() => {
      const artifacts = this.#prepared("SELECT DISTINCT artifact FROM blocks").all();
      for (const { artifact } of artifacts) this.#cut(asId(String(artifact)), counts);
    });
    return countsIn(this.#counted().filter(({ held, last }) => held === last));
  }

  /** Returns the number of records by artifact. */
  counts(): ReadonlyMap<Id, number> {
    this.#write(this.#resident.keys());
    return countsIn(this.#counted());
  }

  #counted() {
    const counting =
      "SELECT artifact, sum(held) AS held, max(last) AS last FROM blocks GROUP BY artifact";
    return this.#prepared(counting).all();
  }

  /** Deletes an artifact's records with a number above its count. Rewrites the changed blocks. */
  #cut(artifact: Id, counts: ReadonlyMap<Id, number>): void {
    const count = counts.get(artifact) ?? 0;
    const past = "SELECT min(place) AS place FROM blocks WHERE artifact = ? AND last > ?";
    const place = this.#prepared(past).get(artifact, count)?.place ?? null;
    if (place === null) return;
    const rows = this.#read(artifact, Number(place));
    this.#prepared("DELETE FROM blocks WHERE artifact = ? AND place >= ?").run(artifact, place);
    const kept = rows.filter(({ record }) => record.number <= count);
    this.#place(artifact, Number(place), kept);
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

  /** Returns an artifact's rows and marks the artifact as most recently used. */
  #rowsOf(artifact: Id): ArtifactRows {
    let rows = this.#resident.get(artifact);
    if (rows === undefined) {
      this.#evict();
      rows = new ArtifactRows(this.#savedOf(artifact));
      this.#residentRows += rows.resident;
    }
    this.#resident.delete(artifact);
    this.#resident.set(artifact, rows);
    return rows;
  }

  #allRowsOf(artifact: Id): ArtifactRows {
    const rows = this.#rowsOf(artifact);
    if (rows.unread === 0) return rows;
    const first = this.#read(artifact, 0, rows.unread / BLOCK_ROWS);
    rows.addRead(first);
    this.#residentRows += first.length;
    return rows;
  }

  /** Reads an artifact's rows. If their numbers have no gaps, reads only a partial last block. */
  #savedOf(artifact: Id): SavedRows {
    const summing = "SELECT sum(held) AS held, max(last) AS last FROM blocks WHERE artifact = ?";
    const { held, last } = this.#prepared(summing).get(artifact) ?? {};
    const count = Number(held ?? 0);
    const heldTo = held === last ? count : 0;
    const unread = heldTo - (heldTo % BLOCK_ROWS);
    return {
      unread,
      heldTo,
      rows: count === unread ? [] : this.#read(artifact, unread / BLOCK_ROWS),
    };
  }

  #read(artifact: Id, from: number, to: number = Number.MAX_SAFE_INTEGER): readonly Row[] {
    const select = `SELECT held, records, vectors FROM blocks
      WHERE artifact = ? AND place >= ? AND place < ? ORDER BY place`;
    const about = { artifact, dimensions: this.#dimensions };
    return this.#prepared(select)
      .all(artifact, from, to)
      .flatMap((block) => rowsIn(block, about));
  }

  #evict(): void {
    const rowBytes = this.#dimensions * Float32Array.BYTES_PER_ELEMENT + RECORD_BYTES;
    if (this.#residentRows * rowBytes <= this.#residentBytesMax) return;
    const leaving: Id[] = [];
    let left = this.#residentRows;
    for (const [artifact, { resident }] of this.#resident) {
      if (left * rowBytes <= this.#residentBytesMax * (1 - EVICTED_SHARE)) break;
      leaving.push(artifact);
      left -= resident;
    }
    this.#write(leaving);
    for (const artifact of leaving) this.#resident.delete(artifact);
    this.#residentRows = left;
  }

  #write(artifacts: Iterable<Id>): void {
    const owed = [...artifacts].flatMap((artifact) => {
      const rows = this.#resident.get(artifact);
      return rows === undefined || rows.unsaved === 0 ? [] : [{ artifact, rows }];
    });
    if (owed.length === 0) return;
    this.#transaction(() => {
      for (const { artifact, rows } of owed) {
        const place = Math.floor(rows.saved / BLOCK_ROWS);
        this.#place(artifact, place, rows.from(place * BLOCK_ROWS));
      }
    });
    for (const { artifact, rows } of owed) {
      rows.markSaved();
      this.#owing.delete(artifact);
    }
  }

  #place(artifact: Id, first: number, rows: readonly Row[]): void {
    const write = this.#prepared(
      `INSERT INTO blocks (artifact, place, held, last, records, vectors) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET held = excluded.held, last = excluded.last,
       records = excluded.records, vectors = excluded.vectors`,
    );
    for (let at = 0; at < rows.length; at += BLOCK_ROWS) {
      const { held, last, records, vectors } = blockOf(rows.slice(at, at + BLOCK_ROWS));
      write.run(artifact, first + at / BLOCK_ROWS, held, last, records, vectors);
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

const countsIn = (
  rows: readonly { readonly [column: string]: unknown }[],
): ReadonlyMap<Id, number> =>
  new Map(rows.map(({ artifact, held }) => [asId(String(artifact)), Number(held)]));
