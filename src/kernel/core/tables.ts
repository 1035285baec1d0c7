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
    for (const follower of this.#followers) follower.noted(key, row);
  }

  #note(key: K): void {
    this.#changes.push({ key, before: this.#rows.get(key) });
    this.#undo.record(this);
  }
}

/**
 * Gets a key and its new row. The row is undefined if it was removed. A method, so that TypeScript
 * accepts a table of long rows where a room knows only a part of each row.
 */
type Follower<K, Row> = { noted(key: K, row: Row | undefined): void };

type Undoable = { takeBack(): void; keep(): void };

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

/** Numbers that sort the keys of a group, ascending. Keys with equal ranks are sorted as text. */
type Rank = readonly number[];

type Place<K> = { readonly key: K; readonly group: string; readonly rank: Rank };

/** A row's group (null: not listed) and rank. Both depend only on the row and on fixed values. */
type Order<Row> = { groupOf(row: Row): string | null; rankOf?(row: Row): Rank };

const UNRANKED: Rank = [];

/** At most `max` keys of a group. If the group has the key `after`, only keys after it. */
type Span<K> = { readonly after?: K | null; readonly max?: number };

/** The keys of a table by group, in order. Exact even within a transaction and after a rollback. */
export class TableIndex<K extends string, Row> {
  readonly #table: Table<K, Row>;
  readonly #order: Order<Row>;
  readonly #places = new Map<K, Place<K>>();
  readonly #groups = new Map<string, Place<K>[]>();

  /** The table must be empty. */
  constructor(table: Table<K, Row>, order: Order<Row>) {
    this.#table = table;
    this.#order = order;
    table.follow({ noted: (key, row) => this.#update(key, row) });
  }

  sizeOf(group: string): number {
    return this.#groups.get(group)?.length ?? 0;
  }

  *keysOf(group: string, { after = null, max = Number.POSITIVE_INFINITY }: Span<K> = {}) {
    const places = this.#groups.get(group) ?? [];
    const known = after === null ? undefined : this.#places.get(after);
    const from = known?.group === group ? slotOf(places, known) + 1 : 0;
    for (let at = from; at < Math.min(places.length, from + max); at++) {
      const place = places[at];
      if (place !== undefined) yield place.key;
    }
  }

  *rowsOf(group: string, span: Span<K> = {}): Iterable<Row> {
    for (const key of this.keysOf(group, span)) {
      const row = this.#table.get(key);
      if (row !== undefined) yield row;
    }
  }

  agrees(): boolean {
    let placed = 0;
    for (const [key, row] of this.#table.entries()) {
      const known = this.#places.get(key);
      const now = this.#placeOf(key, row);
      if (now === null ? known !== undefined : !isSame(known, now)) return false;
      if (now !== null) placed += 1;
    }
    let listed = 0;
    for (const places of this.#groups.values()) {
      listed += places.length;
      if (places.some((place, at) => !isInOrder(places[at - 1], place))) return false;
    }
    return placed === this.#places.size && placed === listed;
  }

  #placeOf(key: K, row: Row): Place<K> | null {
    const group = this.#order.groupOf(row);
    return group === null ? null : { key, group, rank: this.#order.rankOf?.(row) ?? UNRANKED };
  }

  #update(key: K, row: Row | undefined): void {
    const before = this.#places.get(key);
    const now = row === undefined ? null : this.#placeOf(key, row);
    if (now === null ? before === undefined : isSame(before, now)) return;
    if (before !== undefined) this.#leave(before);
    if (now !== null) this.#enter(now);
  }

  #enter(place: Place<K>): void {
    const places = this.#groups.get(place.group) ?? [];
    places.splice(slotOf(places, place), 0, place);
    this.#groups.set(place.group, places);
    this.#places.set(place.key, place);
  }

  #leave(place: Place<K>): void {
    const places = this.#groups.get(place.group) ?? [];
    places.splice(slotOf(places, place), 1);
    if (places.length === 0) this.#groups.delete(place.group);
    this.#places.delete(place.key);
  }
}

const isSame = <K>(one: Place<K> | undefined, other: Place<K>): boolean =>
  one?.group === other.group && one.rank.every((number, at) => number === other.rank[at]);

const precedes = <K extends string>(one: Place<K>, other: Place<K>): boolean => {
  for (let at = 0; at < one.rank.length; at++) {
    const own = one.rank[at] ?? 0;
    const others = other.rank[at] ?? 0;
    if (own !== others) return own < others;
  }
  return one.key < other.key;
};

const isInOrder = <K extends string>(before: Place<K> | undefined, place: Place<K>): boolean =>
  before === undefined || precedes(before, place);

/** Returns the index of a place in the list, or the index at which to insert it. */
const slotOf = <K extends string>(places: readonly Place<K>[], place: Place<K>): number => {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = places[middle];
    if (other !== undefined && precedes(other, place)) low = middle + 1;
    else high = middle;
  }
  return low;
};
