import type { Id, MemoryKind } from "../../kernel/index.ts";

/** One thing that an agent remembers. It is an event of the journal first. */
export type MemoryRecord = {
  readonly agent: Id;
  /** Counts the records of this agent from 1 on, without gaps. */
  readonly number: number;
  readonly atMs: number;
  readonly kind: MemoryKind;
  readonly text: string;
};

/** A record and how near it is to what was asked: 1 for the same, 0 for nothing in common. */
export type Recalled = MemoryRecord & { readonly likeness: number };

export type Recall =
  | { readonly ok: true; readonly found: readonly Recalled[] }
  | { readonly ok: false; readonly problem: string };

/**
 * An index over what agents remember, which can be lost and made again from the journal. It is
 * shared by all agents and never shows one the memories of another.
 *
 * Contract: nothing here throws or rejects. Trouble is told once through `warn`, and then costs
 * recall and nothing else.
 */
export type MemoryStore = {
  /** Takes records in; returns at once. Records it knows already (by agent and number) are left. */
  add(records: readonly MemoryRecord[]): void;
  /**
   * The records of `agent` nearest to `query`, best first, ties by the newer. Everything added
   * before is looked through. Records with nothing in common with the query may be left out.
   */
  search(agent: Id, query: string, limit: number): Promise<Recall>;
  /** Resolves when all that was added is in the index and on disk, or has met with trouble. */
  flush(): Promise<void>;
  /** Forgets of every agent what is past its count; who is not named is forgotten whole. */
  cutBack(counts: ReadonlyMap<Id, number>): Promise<void>;
  close(): Promise<void>;
};

/**
 * Turns texts into vectors of one length. The same text gives the same vector whatever it is
 * embedded with. `embed` rejects when it cannot; what calls it makes that a value.
 */
export type Embedder = {
  /** Tells vectors that can be compared from those that cannot. */
  readonly name: string;
  /** Whether its vectors are `spelledVector`s, which an index can make itself. */
  readonly bySpelling: boolean;
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
};
