import type { Id, MemoryKind, Result } from "../../kernel/index.ts";

/** One thing that an agent remembers. The journal has an event for each record. */
export type MemoryRecord = {
  /** The memory artifact that holds the record. Its owner recalls the record. */
  readonly artifact: Id;
  /** The number of the record among the records of this artifact, from 1 without gaps. */
  readonly number: number;
  readonly atMs: number;
  readonly kind: MemoryKind;
  readonly text: string;
};

/** A record and its similarity to the query: 1 if identical, 0 if they have nothing in common. */
export type Recalled = MemoryRecord & { readonly similarity: number };

export type Recall = Result<{ found: readonly Recalled[] }>;

/**
 * A searchable index of memories. The journal can rebuild it. A search sees only the records of the
 * memory artifacts that it names.
 *
 * Contract: no method throws or rejects. During a failure, the store warns at most once, and agents
 * recall nothing.
 */
export type MemoryStore = {
  /**
   * Queues records and returns immediately. Skips records that the store already has. Returns
   * false, and queues none of them, if too many records wait. `room` resolves when fewer wait.
   */
  add(records: readonly MemoryRecord[]): boolean;
  room(): Promise<void>;
  /**
   * Returns the records of `artifacts` nearest to `query`, best first. Of equally near records, the
   * newer comes first. Includes all records added before the call. May omit records that have
   * nothing in common with the query.
   */
  search(artifacts: readonly Id[], query: string, limit: number): Promise<Recall>;
  /** Resolves with null when all added records are on disk, or with the problem of a write. */
  flush(): Promise<string | null>;
  /** Calls `listener` each time when a server has lost all records. They must be added again. */
  onLoss(listener: () => void): void;
  /** Returns the number of records in the index by artifact. */
  counts(): Promise<Result<{ counts: ReadonlyMap<Id, number> }>>;
  /**
   * Deletes each artifact's records with a number above its count (default 0). Call this first.
   * Resolves with the problem if this fails; a later call of any method then deletes them.
   */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<string | null>;
  close(): Promise<void>;
};

/** Converts texts to vectors of equal length. Equal texts get equal vectors. `embed` may reject. */
export type Embedder = {
  /** Only vectors of embedders with the same name can be compared. */
  readonly name: string;
  /** True if `embed` gives the same vectors as `spelledVector`. An index then needs no embedder. */
  readonly bySpelling: boolean;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
};

export type CachedVector = { readonly key: string; readonly vector: Float32Array };

/** `find` and `keep` may reject. If `find` rejects, callers compute the vectors. */
export type VectorCache = {
  find(keys: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  keep(entries: readonly CachedVector[]): Promise<void>;
};

/** A vector of length 1. If it is null, the index computes `spelledVector`. */
export type GivenVector = Float32Array | null;

export type IndexedRecord = { readonly record: MemoryRecord; readonly vector: GivenVector };

export type NearestQuery = {
  readonly artifacts: readonly Id[];
  readonly text: string;
  readonly vector: GivenVector;
  readonly limit: number;
  readonly puts: readonly IndexedRecord[];
};

/** Stores and compares vectors. Every method may reject with an error of one line. */
export type MemoryIndex = {
  /** True if `put` skips known records at low cost. If false, callers first call `missing`. */
  readonly skipsKnown: boolean;
  /** At most this many batches of records are embedded and put at the same time. */
  readonly lanes: number;
  /** Returns the records whose artifact and number the index lacks, in the given order. */
  missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]>;
  /** If `put` rejects, some of the rows may be stored. It is safe to put all rows again. */
  put(rows: readonly IndexedRecord[]): Promise<void>;
  nearest(query: NearestQuery): Promise<readonly Recalled[]>;
  /** Deletes as in `MemoryStore`. Resolves with the counts of artifacts without gaps. */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>>;
  /** Returns the number of records by artifact. */
  counts(): Promise<ReadonlyMap<Id, number>>;
  /** Calls `listener` each time when the index has lost all records. Absent if it never does. */
  onLoss?(listener: () => void): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

/** Sorts records, best first. Of equally near records, the newer comes first. */
export const bySimilarity = (one: Recalled, other: Recalled): number =>
  other.similarity - one.similarity || other.atMs - one.atMs || other.number - one.number;
