import { asId, type Event, type Id } from "../../kernel/index.ts";
import type { MemoryRecord, MemoryStore } from "../../memory/index.ts";
import { type Journal, memoryPages, type RecordedMemory } from "../../world/index.ts";
import { untilFailed } from "../core/journal-failure.ts";

/** A store refuses at most this many records at once. */
const PART_RECORDS = 1_000;

/** The journal of a live run also has a `flush` of what is not committed. */
type Source = { readonly journal: Journal; readonly isLive: boolean };

/**
 * The memory index of a run, which is built from the events of the run. The journal is its queue:
 * if the store takes no more records, or has lost its records, this reads them from the journal
 * when the store has room.
 */
export class RunMemory {
  readonly #store: MemoryStore;
  readonly #source: Source;
  /** The store has the memories up to this event. Null if it lacks the inherited ones too. */
  #through: number | null = 0;
  #losses = 0;
  #isReading = false;
  #isPrepared = false;
  #isClosed = false;

  constructor(store: MemoryStore, source: Source) {
    this.#store = store;
    this.#source = source;
    store.onLoss(() => {
      this.#losses += 1;
      this.#through = null;
      this.#read(store.room());
    });
  }

  /** Takes the events of a transaction. `lastSeq` is the number of the last one. */
  note(events: readonly Event[], lastSeq: number): void {
    if (this.#isReading) return;
    const records = events.flatMap(recordIn);
    if (records.length === 0) return;
    // A new run has no records. A store that others use may have some of an earlier run.
    if (!this.#isPrepared) void this.#prepare(new Map());
    if (this.#store.add(records)) this.#through = lastSeq;
    else this.#read(this.#store.room());
  }

  /**
   * Makes the index match the journal. `counts` has the number of memories by artifact. Resolves
   * with the problem of the first request, or null.
   */
  restore(counts: ReadonlyMap<Id, number>): Promise<string | null> {
    const prepared = this.#prepare(counts);
    this.#through = null;
    this.#read(null);
    return prepared;
  }

  /** Resolves with null when the index has all memories, or with the problem of a write. */
  async flush(): Promise<string | null> {
    for (;;) {
      const wasReading = this.#isReading;
      const problem = await this.#store.flush();
      if (problem !== null || !wasReading) return problem;
    }
  }

  /** Waits at most `timeoutMs` for pending writes. The journal keeps unwritten memories too. */
  async close(timeoutMs: number): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, timeoutMs);
    await Promise.race([this.flush(), timeout.promise]);
    clearTimeout(timer);
    this.#isClosed = true;
    await this.#store.close();
  }

  #prepare(counts: ReadonlyMap<Id, number>): Promise<string | null> {
    this.#isPrepared = true;
    return this.#store.cutBack(counts);
  }

  /** Reads the memories after `#through` into the store, to the end of the journal. */
  #read(room: Promise<void> | null): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const reading = untilFailed(async () => {
      let hasWaited = room !== null;
      if (room !== null) await room;
      while (this.#isReading && !this.#isClosed) hasWaited = await this.#readOn(hasWaited);
    });
    // If the journal fails, the run ends with this failure.
    void reading.then(() => {
      this.#isReading = false;
    });
  }

  /** Returns whether events may have been added meanwhile. */
  async #readOn(hasWaited: boolean): Promise<boolean> {
    const { journal, isLive } = this.#source;
    // Only committed events can be read. What is added later goes to the store directly.
    if (hasWaited && isLive) journal.flush();
    const losses = this.#losses;
    const upTo = journal.head().seq;
    let waits = false;
    for (const { memories, through } of memoryPages(journal, { after: this.#through, upTo })) {
      for (let at = 0; at < memories.length; at += PART_RECORDS) {
        const part = memories.slice(at, at + PART_RECORDS).map(recordOf);
        while (!this.#store.add(part)) {
          waits = true;
          await this.#store.room();
          if (this.#isClosed || this.#losses !== losses) return true;
        }
      }
      this.#through = through;
    }
    if (!waits) this.#isReading = false;
    return waits;
  }
}

const recordOf = ({ artifact, ...memory }: RecordedMemory): MemoryRecord => ({
  ...memory,
  artifact: asId(artifact),
});

const recordIn = (event: Event): readonly MemoryRecord[] => {
  if (event.kind !== "memory_recorded") return [];
  const { artifact_id: artifact, number, at_ms: atMs, memory: kind, text } = event;
  return [{ artifact, number, atMs, kind, text }];
};
