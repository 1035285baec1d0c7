/**
 * A map whose rows are immutable and whose changes can be taken back.
 *
 * Every table of a state writes to one shared `UndoLog`; a failed transaction rolls back to a mark
 * in it. The order of a table's keys means nothing: whoever needs an order sorts, because taking
 * back a removal puts the key at the end.
 */
export class Table<K extends string, Row> {
  readonly name: string;
  readonly #rows = new Map<K, Row>();
  readonly #undo: UndoLog;

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
    this.#undo.record(this, key, this.#rows.get(key));
    this.#rows.set(key, row);
  }

  remove(key: K): void {
    this.#undo.record(this, key, this.#rows.get(key));
    this.#rows.delete(key);
  }

  /** Puts back what stood before a change. Only the undo log calls it. */
  restore(key: K, row: Row | undefined): void {
    if (row === undefined) this.#rows.delete(key);
    else this.#rows.set(key, row);
  }

  rows(): MapIterator<Row> {
    return this.#rows.values();
  }

  keys(): MapIterator<K> {
    return this.#rows.keys();
  }

  /** A shallow copy: rows are immutable, so it stays as it is while the table goes on. */
  snapshot(): ReadonlyMap<K, Row> {
    return new Map(this.#rows);
  }
}

/** What the log needs of a table; it does not know the types of the rows. */
export type Undoable = { readonly name: string; restore(key: string, row: unknown): void };

type Change = {
  readonly table: Undoable;
  readonly key: string;
  readonly before: unknown;
};

export class UndoLog {
  readonly #changes: Change[] = [];

  record(table: Undoable, key: string, before: unknown): void {
    this.#changes.push({ table, key, before });
  }

  /** A place to roll back to. */
  mark(): number {
    return this.#changes.length;
  }

  rollback(mark: number): void {
    while (this.#changes.length > mark) {
      const change = this.#changes.pop();
      change?.table.restore(change.key, change.before);
    }
  }

  /** The keys of one table changed since the log was last forgotten, each with its first row. */
  changed(table: Undoable): ReadonlyMap<string, unknown> {
    const first = new Map<string, unknown>();
    for (const change of this.#changes) {
      if (change.table === table && !first.has(change.key)) first.set(change.key, change.before);
    }
    return first;
  }

  /** The transaction is committed: nothing before this can be taken back. */
  forget(): void {
    this.#changes.length = 0;
  }
}
