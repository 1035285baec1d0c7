import type { JournalRow } from "./rows.ts";

export type CommittedListener = (rows: readonly JournalRow[]) => void;

/**
 * Shows committed groups to listeners, each group once and in order, also when a listener appends
 * and so causes the next commit while the present group is still being shown.
 */
export class Announcer {
  readonly #listeners = new Set<CommittedListener>();
  readonly #waiting: (readonly JournalRow[])[] = [];
  #busy = false;

  /** Returns the function that takes the listener off again. */
  add(listener: CommittedListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  announce(groups: readonly (readonly JournalRow[])[]): void {
    this.#waiting.push(...groups.filter((rows) => rows.length > 0));
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let group = this.#waiting.shift(); group; group = this.#waiting.shift()) {
        for (const listener of this.#listeners) listener(group);
      }
    } finally {
      this.#busy = false;
    }
  }
}
