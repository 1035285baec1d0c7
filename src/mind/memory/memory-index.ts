import type { Id } from "../../kernel/index.ts";
import type { MemoryRecord, Recalled } from "./memory-store.ts";

/**
 * The vector of a text, which has length 1; null: the one of its spelling (`spelledVector`), which
 * the index makes itself, since that costs less where it is than to carry it there.
 */
export type GivenVector = Float32Array | null;

/** A record with the vector of its text. */
export type IndexedRecord = { readonly record: MemoryRecord; readonly vector: GivenVector };

export type NearestQuery = {
  readonly agent: Id;
  readonly text: string;
  readonly vector: GivenVector;
  readonly limit: number;
  /** Records to be put before it is looked; those that it holds already are left. */
  readonly puts: readonly IndexedRecord[];
};

/**
 * Where vectors are kept and compared. Contract: everything may reject, with an error whose
 * message says in one line what is wrong; `IndexedStore` makes that a value.
 */
export type MemoryIndex = {
  /** Whether `put` itself leaves what it holds already; otherwise `missing` is asked before. */
  readonly knowsItsOwn: boolean;
  /** Those that it does not hold yet, by agent and number, in the order given. */
  missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]>;
  /**
   * Where it rejects it may hold some of them, and all may be put again. Before `flush` an index
   * may have them in memory only.
   */
  put(rows: readonly IndexedRecord[]): Promise<void>;
  /** Puts what is to be put, then finds the nearest records of one agent, ties by the newer. */
  nearest(query: NearestQuery): Promise<readonly Recalled[]>;
  /**
   * Resolves with the number up to which it then holds all records of an agent; who is not named
   * there may have any. An index that cannot say so cheaply names nobody.
   */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>>;
  /** Resolves when what was put is on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
};
