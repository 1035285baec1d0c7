/** A sorted set of artifact ordinals. A new member is nearly always the largest. */
export class OrdinalSet {
  readonly #sorted: number[];

  /** Most sets have one member. The array literal `[only]` uses less memory than `push`. */
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

  /** Returns the member at a position. Position 0 has the smallest member. */
  at(place: number): number | undefined {
    return this.#sorted[place];
  }

  countBelow(ordinal: number): number {
    return ordinal === Number.POSITIVE_INFINITY ? this.size : this.#place(ordinal);
  }

  /** Returns the position of `ordinal`, or the position at which to insert it. */
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
