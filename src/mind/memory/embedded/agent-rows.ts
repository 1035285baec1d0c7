import type { MemoryRecord, Recalled } from "../memory-store.ts";

/** A record and its vector, which has length 1. */
export type Row = { readonly record: MemoryRecord; readonly vector: Float32Array };

export type SavedRows = {
  /** So many of the first are in the file and were not read. */
  readonly unread: number;
  /** All numbers up to this one are among those in the file; 0 where that is not known. */
  readonly heldTo: number;
  /** The others that are in the file. */
  readonly rows: readonly Row[];
};

/** Less than this is rounding: such records have nothing in common with the query. */
const LIKENESS_MIN = 1e-5;

/** What one agent remembers, in the order in which it came in, but for what was not read yet. */
export class AgentRows {
  readonly #heldTo: number;
  readonly #numbers: Set<number>;
  #unread: number;
  #rows: Row[];
  #saved: number;

  constructor({ unread, heldTo, rows }: SavedRows) {
    this.#heldTo = heldTo;
    this.#numbers = new Set(rows.map(({ record }) => record.number));
    this.#unread = unread;
    this.#rows = [...rows];
    this.#saved = unread + rows.length;
  }

  /** How many are in memory. */
  get resident(): number {
    return this.#rows.length;
  }

  /** So many of the first are in the file only. */
  get unread(): number {
    return this.#unread;
  }

  /** So many of the first are in the file. */
  get saved(): number {
    return this.#saved;
  }

  /** How many are not in the file. */
  get unsaved(): number {
    return this.#unread + this.#rows.length - this.#saved;
  }

  has(number: number): boolean {
    return number <= this.#heldTo || this.#numbers.has(number);
  }

  add(row: Row): void {
    this.#rows.push(row);
    this.#numbers.add(row.record.number);
  }

  /** Takes in those that were not read before. */
  read(first: readonly Row[]): void {
    this.#rows = [...first, ...this.#rows];
    this.#unread = 0;
  }

  /** Those behind so many of the first, which are to be in memory. */
  from(count: number): readonly Row[] {
    return this.#rows.slice(count - this.#unread);
  }

  /** All that there is now is in the file. */
  keepAll(): void {
    this.#saved = this.#unread + this.#rows.length;
  }

  /**
   * The `limit` nearest of those in memory, ties by the newer. Those that have nothing in common
   * with the query are alike, so that where too few have anything the newest of the others follow.
   */
  nearest(query: Float32Array, limit: number): readonly Recalled[] {
    const best: { readonly record: MemoryRecord; readonly likeness: number }[] = [];
    for (const { record, vector } of this.#rows) {
      const product = Math.min(1, dotInFour(query, vector));
      const likeness = product > LIKENESS_MIN ? product : 0;
      let place = best.length;
      for (; place > 0; place -= 1) {
        const before = best[place - 1];
        if (before === undefined || before.likeness > likeness) break;
        if (before.likeness === likeness && before.record.number > record.number) break;
      }
      if (place === limit) continue;
      best.splice(place, 0, { record, likeness });
      if (best.length > limit) best.pop();
    }
    return best.map(({ record, likeness }) => ({ ...record, likeness }));
  }
}

/** Four sums at a time: one alone would wait for itself at every step. */
const dotInFour = (left: Float32Array, right: Float32Array): number => {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < left.length; i += 4) {
    a += (left[i] ?? 0) * (right[i] ?? 0);
    b += (left[i + 1] ?? 0) * (right[i + 1] ?? 0);
    c += (left[i + 2] ?? 0) * (right[i + 2] ?? 0);
    d += (left[i + 3] ?? 0) * (right[i + 3] ?? 0);
  }
  return a + b + c + d;
};
