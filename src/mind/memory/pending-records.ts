import type { Id } from "../../kernel/index.ts";
import type { MemoryRecord } from "./memory-store.ts";

const PENDING_RECORDS_MAX = 200_000;

/** Records that are not in the index yet. The records of each agent are sorted, oldest first. */
export class PendingRecords {
  readonly #byAgent = new Map<Id, MemoryRecord[]>();
  readonly #warn: (text: string) => void;
  #size = 0;
  #full = false;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  get size(): number {
    return this.#size;
  }

  has(agent: Id): boolean {
    return this.#byAgent.has(agent);
  }

  add(records: readonly MemoryRecord[]): void {
    for (const record of records) {
      if (this.#size >= PENDING_RECORDS_MAX) return this.#warnFull();
      const list = this.#byAgent.get(record.agent) ?? [];
      this.#byAgent.set(record.agent, list);
      list.push(record);
      this.#size += 1;
    }
  }

  takeOf(agent: Id, countMax: number): readonly MemoryRecord[] {
    const list = this.#byAgent.get(agent) ?? [];
    const taken = list.splice(0, countMax);
    if (list.length === 0) this.#byAgent.delete(agent);
    this.#size -= taken.length;
    return taken;
  }

  take(countMax: number, from: (agent: Id) => boolean): readonly MemoryRecord[] {
    const taken: MemoryRecord[] = [];
    for (const agent of [...this.#byAgent.keys()]) {
      if (taken.length >= countMax) break;
      if (from(agent)) taken.push(...this.takeOf(agent, countMax - taken.length));
    }
    return taken;
  }

  /** After a failed indexing, puts the records back at the front. */
  putBack(records: readonly MemoryRecord[]): void {
    this.add([...records, ...this.#takeAll()]);
  }

  keep(isKept: (record: MemoryRecord) => boolean): void {
    this.add(this.#takeAll().filter(isKept));
  }

  #takeAll(): readonly MemoryRecord[] {
    const all = [...this.#byAgent.values()].flat();
    this.#byAgent.clear();
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
