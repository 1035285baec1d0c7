import type { Id } from "../../src/kernel/index.ts";
import type {
  Embedder,
  IndexedRecord,
  MemoryIndex,
  MemoryRecord,
  NearestQuery,
} from "../../src/memory/port/memory-store.ts";

const keyOf = ({ artifact, number }: MemoryRecord): string => `${artifact} ${number}`;

/** An index and an embedder that a test can break, delay and inspect. */
export class FakeIndex implements MemoryIndex {
  readonly held = new Map<string, IndexedRecord>();
  readonly embedded: (readonly string[])[] = [];
  /** The error of every call; null: none. */
  failure: string | null = null;
  calls = 0;
  /** The answer of `cutBack`. */
  reportedCounts: readonly (readonly [Id, number])[] = [];
  bySpelling = false;
  readonly skipsKnown = true;
  lanes = 1;
  #gate: Promise<void> = Promise.resolve();

  get embedder(): Embedder {
    return {
      name: "fake",
      bySpelling: this.bySpelling,
      embed: async (texts) => {
        this.embedded.push(texts);
        await this.#gate;
        return texts.map(() => Float32Array.of(1));
      },
      close: async () => {},
    };
  }

  /** Delays embeddings until the returned function is called. */
  holdUp(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  get texts(): readonly string[] {
    return [...this.held.values()].map(({ record }) => record.text);
  }

  async missing(records: readonly MemoryRecord[]): Promise<readonly MemoryRecord[]> {
    this.#work();
    return records.filter((record) => !this.held.has(keyOf(record)));
  }

  async put(rows: readonly IndexedRecord[]): Promise<void> {
    this.#work();
    for (const row of rows) this.held.set(keyOf(row.record), row);
  }

  async nearest({ artifacts, limit, puts }: NearestQuery) {
    this.#work();
    for (const row of puts) this.held.set(keyOf(row.record), row);
    const own = [...this.held.values()].filter(({ record }) => artifacts.includes(record.artifact));
    return own.slice(0, limit).map(({ record }) => ({ ...record, similarity: 1 }));
  }

  async cutBack(counts: ReadonlyMap<Id, number>): Promise<ReadonlyMap<Id, number>> {
    this.#work();
    for (const [key, { record }] of this.held) {
      if (record.number > (counts.get(record.artifact) ?? 0)) this.held.delete(key);
    }
    return new Map(this.reportedCounts);
  }

  async counts(): Promise<ReadonlyMap<Id, number>> {
    this.#work();
    const counts = new Map<Id, number>();
    for (const { record } of this.held.values()) {
      counts.set(record.artifact, (counts.get(record.artifact) ?? 0) + 1);
    }
    return counts;
  }

  async flush(): Promise<void> {
    this.#work();
  }

  async close(): Promise<void> {}

  #work(): void {
    this.calls += 1;
    if (this.failure !== null) throw new Error(this.failure);
  }
}
