/**
 * A map whose rows are immutable and whose changes can be taken back.
 *
 * Every table of a state shares one `UndoLog`; a failed transaction rolls back to a mark in it.
 * The order of a table's keys means nothing: whoever needs an order sorts, because taking back a
 * removal puts the key at the end.
 */
export class Table<K extends string, Row> {
  readonly name: string;
  readonly #rows = new Map<K, Row>();
  /** What stood before each change since the last commit, oldest first. */
  readonly #changes: { readonly key: K; readonly before: Row | undefined }[] = [];
  readonly #undo: UndoLog;
  readonly #followers: Follower<K, Row>[] = [];

  constructor(name: string, undo: UndoLog) {
    this.name = name;
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

  /** Puts the rows of a state that is read; there is nothing to take back to. */
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

  /** A shallow copy: rows are immutable, so it stays as it is while the table goes on. */
  snapshot(): ReadonlyMap<K, Row> {
    return new Map(this.#rows);
  }

  /** The keys changed since the last commit, each with the row it had then. */
  changed(): ReadonlyMap<K, Row | undefined> {
    const first = new Map<K, Row | undefined>();
    for (const { key, before } of this.#changes) if (!first.has(key)) first.set(key, before);
    return first;
  }

  /** Takes back the latest change. Only the undo log calls it. */
  takeBack(): void {
    const change = this.#changes.pop();
    if (change === undefined) return;
    this.#set(change.key, change.before);
  }

  /** The changes are final. Only the undo log calls it. */
  keep(): void {
    this.#changes.length = 0;
  }

  /** Tells `follower` of every change from now on, also of one that is taken back. */
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

/** Learns which row a key has now, if any. */
export type Follower<K, Row> = (key: K, row: Row | undefined) => void;

/** What the log needs of a table. */
export type Undoable = { takeBack(): void; keep(): void };

/** The order in which the tables of one state were changed since the last commit. */
export class UndoLog {
  readonly #changed: Undoable[] = [];

  record(table: Undoable): void {
    this.#changed.push(table);
  }

  /** A place to roll back to. */
  mark(): number {
    return this.#changed.length;
  }

  rollback(mark: number): void {
    while (this.#changed.length > mark) this.#changed.pop()?.takeBack();
  }

  /** The transaction is committed: nothing before this can be taken back. */
  forget(): void {
    for (const table of this.#changed) table.keep();
    this.#changed.length = 0;
  }
}
