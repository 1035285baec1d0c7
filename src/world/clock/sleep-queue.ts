import type { WakeReason } from "./clock.ts";

/** A sleeping task. Only the scheduler changes it. */
export type SleepingTask = {
  atMs: number;
  readonly order: number;
  /** A sequence number. It decides the order of tasks with equal `atMs` and `order`. */
  readonly insertion: number;
  readonly wake: (outcome: WakeReason) => void;
  readonly signal: AbortSignal | undefined;
  outcome: WakeReason;
  /** The index in the heap, or -1 if the task is not queued. */
  slot: number;
};

const precedes = (a: SleepingTask, b: SleepingTask): boolean =>
  a.atMs !== b.atMs
    ? a.atMs < b.atMs
    : a.order !== b.order
      ? a.order < b.order
      : a.insertion < b.insertion;

/** A binary heap sorted by `atMs`, `order` and `insertion`. Any sleeper can be removed. */
export class SleepQueue {
  readonly #heap: SleepingTask[] = [];

  peek(): SleepingTask | undefined {
    return this.#heap[0];
  }

  add(sleeper: SleepingTask): void {
    this.#heap.push(sleeper);
    this.#rise(sleeper, this.#heap.length - 1);
  }

  /** Removes a sleeper. Does nothing if the sleeper is not in the queue. */
  remove(sleeper: SleepingTask): void {
    const slot = sleeper.slot;
    if (slot < 0) return;
    sleeper.slot = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === sleeper) return;
    this.#sink(last, slot);
    this.#rise(last, last.slot);
  }

  #rise(sleeper: SleepingTask, from: number): void {
    let slot = from;
    while (slot > 0) {
      const above = (slot - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || !precedes(sleeper, parent)) break;
      this.#put(parent, slot);
      slot = above;
    }
    this.#put(sleeper, slot);
  }

  #sink(sleeper: SleepingTask, from: number): void {
    let slot = from;
    while (true) {
      const left = 2 * slot + 1;
      const right = this.#heap[left + 1];
      let child = this.#heap[left];
      if (child === undefined) break;
      if (right !== undefined && precedes(right, child)) child = right;
      if (!precedes(child, sleeper)) break;
      const vacated = child.slot;
      this.#put(child, slot);
      slot = vacated;
    }
    this.#put(sleeper, slot);
  }

  #put(sleeper: SleepingTask, slot: number): void {
    this.#heap[slot] = sleeper;
    sleeper.slot = slot;
  }
}
