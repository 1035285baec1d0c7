import { rmSync } from "node:fs";

/**
 * Folders that many runs of a worker share, such as unpacked files. The least recently used ones
 * are deleted, but none that a run uses.
 */
export class FolderCache {
  readonly #max: number;
  readonly #folders = new Map<string, { users: number; ready: Promise<void> }>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Calls `work` while the folder exists. `fill` makes the folder if no run has used it before.
   * @throws what `fill` or `work` throws.
   */
  async use<Value>(
    folder: string,
    fill: () => Promise<void>,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const known = this.#folders.get(folder) ?? { users: 0, ready: fill() };
    // The newest is the last one.
    this.#folders.delete(folder);
    this.#folders.set(folder, known);
    known.users += 1;
    let isReady = false;
    try {
      await known.ready;
      isReady = true;
      return await work();
    } finally {
      known.users -= 1;
      // The next run tries to make the folder again.
      if (!isReady && this.#folders.get(folder) === known) this.#folders.delete(folder);
      this.#trim();
    }
  }

  /** Deletes all folders that no run uses. */
  clear(): void {
    this.#trim(0);
  }

  #trim(max = this.#max): void {
    for (const [folder, { users }] of [...this.#folders]) {
      if (this.#folders.size <= max) return;
      if (users > 0) continue;
      this.#folders.delete(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
