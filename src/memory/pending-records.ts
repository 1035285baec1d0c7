import type { Id } from "../kernel/index.ts";
import type { MemoryRecord } from "./port/memory-store.ts";

/** About 100 MB of records of usual length. */
const PENDING_RECORDS_MAX = 100_000;
/** After records were refused, this share of the maximum must be free before more are taken. */
const FREE_SHARE = 0.5;

/**
 * Records that are not in the index yet. The records of each artifact are sorted, oldest first. At
 * most `max` records wait. Refused records are still in the journal.
 */
export class PendingRecords {
  readonly #byArtifact = new Map<Id, MemoryRecord[]>();
  readonly #warn: (text: string) => void;
  readonly #max: number;
  #size = 0;
  #isReported = false;
  #room: PromiseWithResolvers<void> | null = null;

  constructor(warn: (text: string) => void, max: number = PENDING_RECORDS_MAX) {
    this.#warn = warn;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  has(artifact: Id): boolean {
    return this.#byArtifact.has(artifact);
  }

  /** Takes all records or, if they do not fit, none, and returns false. */
  add(records: readonly MemoryRecord[]): boolean {
    const isFull = this.#room !== null || this.#size + records.length > this.#max;
    // An empty queue takes any number, so that each record is taken at some time.
    if (isFull && this.#size > 0) {
      this.#warnFull();
      this.#room ??= Promise.withResolvers();
      return false;
    }
    this.#push(records);
    return true;
  }

  /** Resolves at once if no records were refused, else when enough records have left. */
  room(): Promise<void> {
    return this.#room?.promise ?? Promise.resolve();
  }

  takeOf(artifacts: Iterable<Id>, countMax: number): readonly MemoryRecord[] {
    const taken: MemoryRecord[] = [];
    for (const artifact of artifacts) {
      if (taken.length >= countMax) break;
      const list = this.#byArtifact.get(artifact) ?? [];
      taken.push(...list.splice(0, countMax - taken.length));
      if (list.length === 0) this.#byArtifact.delete(artifact);
    }
    this.#size -= taken.length;
    this.#makeRoom();
    return taken;
  }

  take(countMax: number, from: (artifact: Id) => boolean): readonly MemoryRecord[] {
    return this.takeOf(this.#artifacts(from), countMax);
  }

  *#artifacts(from: (artifact: Id) => boolean): Iterable<Id> {
    for (const artifact of this.#byArtifact.keys()) if (from(artifact)) yield artifact;
  }

  /** After a failed indexing, puts the records back at the front. */
  putBack(records: readonly MemoryRecord[]): void {
    this.#push([...records, ...this.#takeAll()]);
  }

  keep(isKept: (record: MemoryRecord) => boolean): void {
    this.#push(this.#takeAll().filter(isKept));
    this.#makeRoom();
  }

  #push(records: readonly MemoryRecord[]): void {
    for (const record of records) {
      const list = this.#byArtifact.get(record.artifact) ?? [];
      this.#byArtifact.set(record.artifact, list);
      list.push(record);
    }
    this.#size += records.length;
  }

  #takeAll(): readonly MemoryRecord[] {
    const all = [...this.#byArtifact.values()].flat();
    this.#byArtifact.clear();
    this.#size = 0;
    return all;
  }

  #makeRoom(): void {
    if (this.#size > this.#max * (1 - FREE_SHARE)) return;
    this.#room?.resolve();
    this.#room = null;
  }

  #warnFull(): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#warn(
      `${this.#max} memories are waiting to be indexed, so later ones wait in the journal until ` +
        "these are indexed; this warning is not repeated",
    );
  }
}
