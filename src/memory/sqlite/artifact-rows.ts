import type { MemoryRecord, Recalled } from "../port/memory-store.ts";

export type Row = { readonly record: MemoryRecord; readonly vector: Float32Array };

export type SavedRows = {
  readonly unread: number;
  /** The file has all records with numbers from 1 to `heldTo`. 0 if unknown. */
  readonly heldTo: number;
  readonly rows: readonly Row[];
};

const SIMILARITY_MIN = 1e-5;

/** The memories of one artifact in order of arrival. The first `unread` rows are not loaded. */
export class ArtifactRows {
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

  get resident(): number {
    return this.#rows.length;
  }

  get unread(): number {
    return this.#unread;
  }

  get saved(): number {
    return this.#saved;
  }

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

  addRead(first: readonly Row[]): void {
    this.#rows = [...first, ...this.#rows];
    this.#unread = 0;
  }

  /** Returns all rows after the first `count`. All unread rows must be in the first `count`. */
  from(count: number): readonly Row[] {
    return this.#rows.slice(count - this.#unread);
  }

  markSaved(): void {
    this.#saved = this.#unread + this.#rows.length;
  }

  /** Returns the `limit` nearest loaded rows. Of equally near rows, the newer comes first. */
  nearest(query: Float32Array, limit: number): readonly Recalled[] {
    const best: { readonly record: MemoryRecord; readonly similarity: number }[] = [];
    for (const { record, vector } of this.#rows) {
      const product = Math.min(1, dotInFour(query, vector));
      const similarity = product > SIMILARITY_MIN ? product : 0;
      let place = best.length;
      for (; place > 0; place -= 1) {
        const before = best[place - 1];
        if (before === undefined || before.similarity > similarity) break;
        if (before.similarity === similarity && before.record.number > record.number) break;
      }
      if (place === limit) continue;
      best.splice(place, 0, { record, similarity });
      if (best.length > limit) best.pop();
    }
    return best.map(({ record, similarity }) => ({ ...record, similarity }));
  }
}

/** Returns the dot product. With four separate sums, the processor can add in parallel. */
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
