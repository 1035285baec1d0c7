import { type GasTable, POLLS_PER_TICK } from "./limits.ts";

/** Gas of a part of a call that can be counted again later (loading a program from its image). */
export type Work = { readonly polls: number; readonly nativeBytes: number };

const KB = 1024;

export const kilobytes = (bytes: number): number => Math.ceil(bytes / KB);

/** Counts what one call has spent. Integers only, so that equal work gives equal gas everywhere. */
export class GasMeter {
  readonly #table: GasTable;
  readonly #gasMax: number;
  #fixed = 0;
  #polls = 0;
  #nativeBytes = 0;

  constructor(table: GasTable, gasMax: number) {
    this.#table = table;
    this.#gasMax = gasMax;
  }

  addFixed(gas: number): void {
    this.#fixed += gas;
  }

  addPolls(polls: number): void {
    this.#polls += polls;
  }

  addNative(bytes: number): void {
    this.#nativeBytes += bytes;
  }

  addWork(work: Work): void {
    this.#polls += work.polls;
    this.#nativeBytes += work.nativeBytes;
  }

  get work(): Work {
    return { polls: this.#polls, nativeBytes: this.#nativeBytes };
  }

  get exhausted(): boolean {
    return this.#total > this.#gasMax;
  }

  /** Gas to report: never over the maximum of the call. */
  get spent(): number {
    return Math.min(this.#total, this.#gasMax);
  }

  get left(): number {
    return this.#gasMax - this.spent;
  }

  /** How many more polls until the gas is gone, at least 1. */
  get pollsLeft(): number {
    if (this.#table.tick === 0) return Number.MAX_SAFE_INTEGER;
    const forPolls = this.#gasMax - this.#withoutPolls + 1;
    return Math.max(1, Math.ceil((forPolls * POLLS_PER_TICK) / this.#table.tick) - this.#polls);
  }

  get #total(): number {
    return this.#withoutPolls + Math.floor((this.#polls * this.#table.tick) / POLLS_PER_TICK);
  }

  get #withoutPolls(): number {
    return this.#fixed + Math.floor((this.#nativeBytes * this.#table.perKbNative) / KB);
  }
}
