import type { Id } from "../../kernel/index.ts";
import type { MemoryRecord } from "./memory-store.ts";

const PENDING_RECORDS_MAX = 200_000;

/** Records that are not in the index yet. The records of each artifact are sorted, oldest first. */
export class PendingRecords {
  readonly #byArtifact = new Map<Id, MemoryRecord[]>();
  readonly #warn: (text: string) => void;
  #size = 0;
  #full = false;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  get size(): number {
    return this.#size;
  }

  has(artifact: Id): boolean {
    return this.#byArtifact.has(artifact);
  }

  add(records: readonly MemoryRecord[]): void {
    for (const record of records) {
      if (this.#size >= PENDING_RECORDS_MAX) return this.#warnFull();
      const list = this.#byArtifact.get(record.artifact) ?? [];
      this.#byArtifact.set(record.artifact, list);
      list.push(record);
      this.#size += 1;
    }
  }

  takeOf(artifacts: readonly Id[], countMax: number): readonly MemoryRecord[] {
    const taken: MemoryRecord[] = [];
    for (const artifact of artifacts) {
      const list = this.#byArtifact.get(artifact) ?? [];
      taken.push(...list.splice(0, countMax - taken.length));
      if (list.length === 0) this.#byArtifact.delete(artifact);
    }
    this.#size -= taken.length;
    return taken;
  }

  take(countMax: number, from: (artifact: Id) => boolean): readonly MemoryRecord[] {
    return this.takeOf([...this.#byArtifact.keys()].filter(from), countMax);
  }

  /** After a failed indexing, puts the records back at the front. */
  putBack(records: readonly MemoryRecord[]): void {
    this.add([...records, ...this.#takeAll()]);
  }

  keep(isKept: (record: MemoryRecord) => boolean): void {
    this.add(this.#takeAll().filter(isKept));
  }

  #takeAll(): readonly MemoryRecord[] {
    const all = [...this.#byArtifact.values()].flat();
    this.#byArtifact.clear();
    this.#size = 0;
    return all;
  }

  #warnFull(): void {
    if (this.#full) return;
    this.#full = true;
    this.#warn(
      `${PENDING_RECORDS_MAX} memories are waiting to be indexed, so new ones are dropped; ` +
        "they return when the run is restored",
    );
  }
}
