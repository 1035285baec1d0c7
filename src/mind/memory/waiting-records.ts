import type { Id } from "../../kernel/index.ts";
import type { MemoryRecord } from "./memory-store.ts";

/** Beyond this an index that cannot keep up would eat the memory of the process. */
const WAITING_RECORDS_MAX = 200_000;

/** Records that are not in the index yet, by agent, in the order in which they came. */
export class WaitingRecords {
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

  /** How often it was cut back. */
  get cuts(): number {
    return this.#cuts;
  }

  has(agent: Id): boolean {
    return this.#byAgent.has(agent);
  }

  add(records: readonly MemoryRecord[]): void {
    for (const record of records) {
      if (this.#size >= WAITING_RECORDS_MAX) return this.#tellFull();
      const list = this.#byAgent.get(record.agent);
      if (list === undefined) this.#byAgent.set(record.agent, [record]);
      else list.push(record);
      this.#size += 1;
    }
  }

  takeOf(agent: Id, most: number): readonly MemoryRecord[] {
    const list = this.#byAgent.get(agent) ?? [];
    const taken = list.splice(0, most);
    if (list.length === 0) this.#byAgent.delete(agent);
    this.#size -= taken.length;
    return taken;
  }

  take(most: number, from: (agent: Id) => boolean): readonly MemoryRecord[] {
    const taken: MemoryRecord[] = [];
    for (const agent of [...this.#byAgent.keys()]) {
      if (taken.length >= most) break;
      if (from(agent)) taken.push(...this.takeOf(agent, most - taken.length));
    }
    return taken;
  }

  /**
   * Takes records that could not be indexed back in, before those that came later. `cuts` is how
   * often it had been cut back when they were taken: what a later cut has forgotten stays so.
   */
  putBack(records: readonly MemoryRecord[], cuts: number): void {
    const kept = cuts === this.#cuts ? records : records.filter((each) => this.#isWithin(each));
    const later = this.takeAll();
    this.add([...kept, ...later]);
  }

  cutBack(counts: ReadonlyMap<Id, number>): void {
    this.#cuts += 1;
    this.#counts = counts;
    this.add(this.takeAll().filter((each) => this.#isWithin(each)));
  }

  /** Leaves out what is in the index already: of each agent all up to some number. */
  leaveOut(held: ReadonlyMap<Id, number>): void {
    if (held.size === 0) return;
    this.add(this.takeAll().filter(({ agent, number }) => number > (held.get(agent) ?? 0)));
  }

  #isWithin({ agent, number }: MemoryRecord): boolean {
    return number <= (this.#counts.get(agent) ?? 0);
  }

  takeAll(): readonly MemoryRecord[] {
    const all = [...this.#byAgent.values()].flat();
    this.#byAgent.clear();
    this.#size = 0;
    return all;
  }

  #tellFull(): void {
    if (this.#full) return;
    this.#full = true;
    this.#warn(
      `${WAITING_RECORDS_MAX} memories wait to be indexed and no more are taken; ` +
        "those left out come back when the run is restored",
    );
  }
}
