/**
 * A map of immutable rows with rollback. All tables of a state share one `UndoLog`. The order of
 * keys has no meaning, because undoing a removal puts the key at the end.
 */
export class Table<K extends string, Row> {
  readonly #rows = new Map<K, Row>();
  /** The changes since the last commit, oldest first. `before` is the row before the change. */
  readonly #changes: { readonly key: K; readonly before: Row | undefined }[] = [];
  readonly #undo: UndoLog;
  readonly #followers: Follower<K, Row>[] = [];

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: K): Row | undefined {
    return this.#rows.get(key);
  }

  has(key: K): boolean {
    return this.#rows.has(key);
  }

  put(key: K, row: Row): void {
    this.#note(key);
    this.#set(key, row);
  }

  /** Adds the rows of a restored state. A rollback does not remove these rows. */
  fill(entries: Iterable<readonly [K, Row]>): void {
    for (const [key, row] of entries) this.#set(key, row);
  }

  remove(key: K): void {
    this.#note(key);
    this.#set(key, undefined);
  }

  rows(): MapIterator<Row> {
    return this.#rows.values();
  }

  keys(): MapIterator<K> {
    return this.#rows.keys();
  }

  entries(): MapIterator<[K, Row]> {
    return this.#rows.entries();
  }

  /** Returns the keys changed since the last commit, each with its row at the last commit. */
  changed(): ReadonlyMap<K, Row | undefined> {
    const first = new Map<K, Row | undefined>();
    for (const { key, before } of this.#changes) if (!first.has(key)) first.set(key, before);
    return first;
  }

  /** Undoes the latest change. Only `UndoLog` calls this method. */
  takeBack(): void {
    const change = this.#changes.pop();
    if (change === undefined) return;
    this.#set(change.key, change.before);
  }

  /** Makes all changes final. Only `UndoLog` calls this method. */
  keep(): void {
    this.#changes.length = 0;
  }

  /** Calls `follower` after each later change of a row. Undoing a change is also a change. */
  follow(follower: Follower<K, Row>): void {
    this.#followers.push(follower);
  }

  #set(key: K, row: Row | undefined): void {
    if (row === undefined) this.#rows.delete(key);
    else this.#rows.set(key, row);
    for (const follower of this.#followers) follower(key, row);
  }

  #note(key: K): void {
    this.#changes.push({ key, before: this.#rows.get(key) });
    this.#undo.record(this);
  }
}

/** Gets a key and its new row. The row is undefined if it was removed. */
export type Follower<K, Row> = (key: K, row: Row | undefined) => void;

export type Undoable = { takeBack(): void; keep(): void };

/** Has one entry per change since the last commit: the changed table. A state has one log. */
export class UndoLog {
  readonly #changed: Undoable[] = [];

  record(table: Undoable): void {
    this.#changed.push(table);
  }

  mark(): number {
    return this.#changed.length;
  }

  rollback(mark: number): void {
    while (this.#changed.length > mark) this.#changed.pop()?.takeBack();
  }

  /** Commits all changes. A rollback cannot undo committed changes. */
  forget(): void {
    for (const table of this.#changed) table.keep();
    this.#changed.length = 0;
  }
}
