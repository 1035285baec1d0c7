/**
 * A set of artifacts by their ordinals, kept in order, so that the newest come first at no cost.
 * New members nearly always go at the end.
 */
export class OrdinalSet {
  readonly #sorted: number[];

  /** Most sets have one member and get no other: such a list takes no more room than it needs. */
  constructor(only?: number) {
    this.#sorted = only === undefined ? [] : [only];
  }

  get size(): number {
    return this.#sorted.length;
  }

  add(ordinal: number): void {
    const last = this.#sorted.at(-1);
    if (last === undefined || ordinal > last) {
      this.#sorted.push(ordinal);
      return;
    }
    const at = this.#place(ordinal);
    if (this.#sorted[at] !== ordinal) this.#sorted.splice(at, 0, ordinal);
  }

  delete(ordinal: number): void {
    const at = this.#place(ordinal);
    if (this.#sorted[at] === ordinal) this.#sorted.splice(at, 1);
  }

  has(ordinal: number): boolean {
    return this.#sorted[this.#place(ordinal)] === ordinal;
  }

  /** The member at a place, counted from the oldest; undefined where there is none. */
  at(place: number): number | undefined {
    return this.#sorted[place];
  }

  /** How many members are older than `ordinal`: the newest of them is at the place before. */
  countBelow(ordinal: number): number {
    return ordinal === Number.POSITIVE_INFINITY ? this.size : this.#place(ordinal);
  }

  /** Where `ordinal` stands, or would stand. */
  #place(ordinal: number): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
