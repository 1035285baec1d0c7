import type { Id, MemoryKind, Result } from "../../kernel/index.ts";

/** One thing that an agent remembers. It is also an event in the journal. */
export type MemoryRecord = {
  readonly agent: Id;
  /** The position among the records of this agent, from 1 without gaps. */
  readonly number: number;
  readonly atMs: number;
  readonly kind: MemoryKind;
  readonly text: string;
};

/** A record with its similarity to the query: 1 for identical, 0 for nothing in common. */
export type Recalled = MemoryRecord & { readonly likeness: number };

export type Recall = Result<{ found: readonly Recalled[] }>;

/**
 * A searchable index of memories, which the journal can rebuild. No agent sees the memories of
 * another.
 *
 * Contract: no method throws or rejects. A failure is reported once through `warn`. Until it ends,
 * agents recall nothing.
 */
export type MemoryStore = {
  /** Queues records and returns immediately. Skips records whose agent and number are known. */
  add(records: readonly MemoryRecord[]): void;
  /**
   * Returns the records of `agent` nearest to `query`, best first. Of equals, the newer comes
   * first. Includes all records added before the call. May omit records that have nothing in common
   * with the query.
   */
  search(agent: Id, query: string, limit: number): Promise<Recall>;
  /** Resolves when all added records are on disk, or when writing them has failed. */
  flush(): Promise<void>;
  /** Deletes each agent's records numbered above its count (default 0). Call this first. */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<void>;
  close(): Promise<void>;
};

/** Turns texts into vectors of one length. Equal texts get equal vectors. `embed` may reject. */
export type Embedder = {
  /** Only vectors of embedders with the same name can be compared. */
  readonly name: string;
  /** True if the vectors are `spelledVector`s, which an index can compute itself. */
  readonly bySpelling: boolean;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
};

export type CachedVector = { readonly key: string; readonly vector: Float32Array };

/** Both methods may reject. Callers then compute the vectors again. */
export type VectorCache = {
  find(keys: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  keep(entries: readonly CachedVector[]): Promise<void>;
};

/** A vector of length 1, or null to let the index compute `spelledVector`. */
export type GivenVector = Float32Array | null;

export type IndexedRecord = { readonly record: MemoryRecord; readonly vector: GivenVector };

export type NearestQuery = {
  readonly agent: Id;
  readonly text: string;
  readonly vector: GivenVector;
  readonly limit: number;
  readonly puts: readonly IndexedRecord[];
};

/**
 * Stores and compares vectors. Contract: every method may reject with an error whose message is one
 * line. `IndexedStore` catches the error and returns the message.
 */
export type MemoryIndex = {
  /** True if `put` skips known records cheaply. If false, callers use `missing` first. */
  readonly skipsKnown: boolean;
  /** Returns the records whose agent and number the index lacks, in the given order. */
  missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]>;
  /** If it rejects, some records may be stored. All of them can be put again. */
  put(rows: readonly IndexedRecord[]): Promise<void>;
  nearest(query: NearestQuery): Promise<readonly Recalled[]>;
  /** Like `MemoryStore`. Resolves with the record counts of agents whose numbers have no gaps. */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>>;
  flush(): Promise<void>;
  close(): Promise<void>;
};
