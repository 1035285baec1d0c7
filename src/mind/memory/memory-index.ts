import type { Id } from "../../kernel/index.ts";
import type { MemoryRecord, Recalled } from "./memory-store.ts";

/** A record with the vector of its text, which has length 1. */
export type IndexedRecord = { readonly record: MemoryRecord; readonly vector: Float32Array };

export type NearestQuery = {
  readonly agent: Id;
  readonly text: string;
  readonly vector: Float32Array;
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
  /** All or none of them where the index has transactions. */
  put(rows: readonly IndexedRecord[]): Promise<void>;
  /** Puts what is to be put, then finds the nearest records of one agent, ties by the newer. */
  nearest(query: NearestQuery): Promise<readonly Recalled[]>;
  cutBack(counts: ReadonlyMap<Id, number>): Promise<void>;
  /** Resolves when what was put is on disk. */
  flush(): Promise<void>;
  close(): Promise<void>;
};
