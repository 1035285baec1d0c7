/** Gas of one frame of a call: what it may still use, and what it has used. */
export class Meter {
  readonly limit: number;
  #used = 0;

  constructor(limit: number) {
    this.limit = Math.max(0, limit);
  }

  get used(): number {
    return this.#used;
  }

  get left(): number {
    return this.limit - this.#used;
  }

  /** Never passes the limit: what ran out is charged in full and no more. */
  use(gas: number): void {
    this.#used = Math.min(this.limit, this.#used + gas);
  }

  /** For a nested call: what is left, less a tenth that the caller keeps to go on with. */
  nested(): Meter {
    return new Meter(this.left - Math.ceil(this.left / 10));
  }
}
