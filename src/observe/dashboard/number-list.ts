const FIRST_ROOM = 1_024;

/** A list of whole numbers below 2³² that only grows, at four bytes each. */
export class NumberList {
  #numbers = new Uint32Array(FIRST_ROOM);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(number: number): void {
    if (this.#size === this.#numbers.length) {
      const more = new Uint32Array(this.#size * 2);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.#size] = number;
    this.#size += 1;
  }

  /** 0 where there is none. */
  at(place: number): number {
    return place < this.#size ? (this.#numbers[place] ?? 0) : 0;
  }

  slice(from: number, to: number): readonly number[] {
    return [...this.#numbers.subarray(Math.max(0, from), Math.min(to, this.#size))];
  }

  /** How many numbers are no greater, in a list that rises. */
  countUpTo(most: number): number {
    let [low, high] = [0, this.#size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#numbers[middle] ?? 0) <= most) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
