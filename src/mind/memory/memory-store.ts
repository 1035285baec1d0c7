import type { Id, MemoryKind, Result } from "../../kernel/index.ts";

/** One thing an agent remembers. The journal holds it first, as an event. */
export type MemoryRecord = {
  readonly agent: Id;
  /** Counts the records of this agent from 1, without gaps. */
  readonly number: number;
  readonly atMs: number;
  readonly kind: MemoryKind;
  readonly text: string;
};

/** A record with its similarity to the query: 1 for identical, 0 for nothing in common. */
export type Recalled = MemoryRecord & { readonly likeness: number };

export type Recall = Result<{ found: readonly Recalled[] }>;

/**
 * A searchable index of what agents remember, which the journal can rebuild. No agent sees the
 * memories of another.
 *
 * Contract: no method throws or rejects. A failure is reported once through `warn` and costs only
 * recall.
 */
export type MemoryStore = {
  /** Queues records and returns at once. Known records (by agent and number) are skipped. */
  add(records: readonly MemoryRecord[]): void;
  /**
   * The records of `agent` nearest to `query`, best first, newer first among equals. Includes
   * everything added before the call. May leave out records with nothing in common with the query.
   */
  search(agent: Id, query: string, limit: number): Promise<Recall>;
  /** Resolves when everything added is on disk, or has failed. */
  flush(): Promise<void>;
  /** Keeps the first records of each agent, as many as its count. Call it before anything else. */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<void>;
  close(): Promise<void>;
};

/** Turns texts into vectors of one length. Deterministic per text. `embed` rejects on failure. */
export type Embedder = {
  /** Vectors are comparable only within one name. */
  readonly name: string;
  /** Whether its vectors are `spelledVector`s, which an index can compute itself. */
  readonly bySpelling: boolean;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
};

export type CachedVector = { readonly key: string; readonly vector: Float32Array };

/** Both methods may reject; vectors are then computed again. */
export type VectorCache = {
  find(keys: readonly string[]): Promise<readonly (Float32Array | null)[]>;
  keep(entries: readonly CachedVector[]): Promise<void>;
};

/** A vector of length 1, or null for `spelledVector`, which is cheaper to compute than to send. */
export type GivenVector = Float32Array | null;

export type IndexedRecord = { readonly record: MemoryRecord; readonly vector: GivenVector };

export type NearestQuery = {
  readonly agent: Id;
  readonly text: string;
  readonly vector: GivenVector;
  readonly limit: number;
  /** Records to put before the search; known ones are skipped. */
  readonly puts: readonly IndexedRecord[];
};

/**
 * Stores and compares vectors. Contract: every method may reject with an error whose message is one
 * line; `IndexedStore` turns it into a value.
 */
export type MemoryIndex = {
  /** Whether `put` skips known records cheaply; otherwise `missing` is called first. */
  readonly skipsKnown: boolean;
  /** The records that the index lacks, by agent and number, in the given order. */
  missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]>;
  /** After a rejection some records may be stored; all of them can be put again. */
  put(rows: readonly IndexedRecord[]): Promise<void>;
  nearest(query: NearestQuery): Promise<readonly Recalled[]>;
  /** As in `MemoryStore`. Resolves with the number up to which no record of an agent is missing. */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>>;
  flush(): Promise<void>;
  close(): Promise<void>;
};
