import type { Id } from "../../kernel/index.ts";
import type { MemoryRecord } from "./memory-store.ts";

const PENDING_RECORDS_MAX = 200_000;

/** Records that are not in the index yet, by agent, oldest first. */
export class PendingRecords {
  readonly #byAgent = new Map<Id, MemoryRecord[]>();
  readonly #warn: (text: string) => void;
  #size = 0;
  #cuts = 0;
  #counts: ReadonlyMap<Id, number> = new Map();
  #full = false;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  get size(): number {
    return this.#size;
  }

  get cuts(): number {
    return this.#cuts;
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

  /**
   * Returns records that could not be indexed to the front. `cuts` is from the time when they were
   * removed. Records that a later cut deleted stay deleted.
   */
  putBack(records: readonly MemoryRecord[], cuts: number): void {
    const kept = cuts === this.#cuts ? records : records.filter((each) => this.#isWithin(each));
    this.add([...kept, ...this.#takeAll()]);
  }

  cutBack(counts: ReadonlyMap<Id, number>): void {
    this.#cuts += 1;
    this.#counts = counts;
    this.add(this.#takeAll().filter((each) => this.#isWithin(each)));
  }

  remove(held: ReadonlyMap<Id, number>): void {
    if (held.size === 0) return;
    this.add(this.#takeAll().filter(({ agent, number }) => number > (held.get(agent) ?? 0)));
  }

  #isWithin({ agent, number }: MemoryRecord): boolean {
    return number <= (this.#counts.get(agent) ?? 0);
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
      `${PENDING_RECORDS_MAX} memories are waiting to be indexed, and further ones are dropped; ` +
        "they return when the run is restored",
    );
  }
}
