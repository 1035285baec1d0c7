/** A `Map` or a `WeakMap`. A `WeakMap` lets the garbage collector remove a result with its key. */
type Results<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
};

/** Returns a function that calls `compute` once for each key and then reuses the result. */
export const memoized = <Key, Value extends NonNullable<unknown> | null>(
  compute: (key: Key) => Value,
  results: Results<Key, Value> = new Map<Key, Value>(),
): ((key: Key) => Value) => {
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    results.set(key, value);
    return value;
  };
};

/** A map for `memoized` that holds at most `most` results: it is emptied when it is full. */
export class BoundedResults<Key, Value> {
  readonly #most: number;
  readonly #results = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#results.get(key);
  }

  set(key: Key, value: Value): void {
    if (this.#results.size >= this.#most) this.#results.clear();
    this.#results.set(key, value);
  }
}

/**
 * Returns a function that maps a list. It computes only what is new since the last list with the
 * same first item. Use it for a list that grows at its end. A value may depend on the one before.
 */
export const memoizedMap = <Item extends object, Value>(
  compute: (item: Item, before: Value | undefined) => Value,
): ((list: readonly Item[]) => readonly Value[]) => {
  type Known = { readonly list: readonly Item[]; readonly values: readonly Value[] };
  const lists = new WeakMap<Item, Known>();
  return (list) => {
    const [first] = list;
    if (first === undefined) return [];
    const last = lists.get(first);
    const values = last === undefined ? [] : last.values.slice(0, sameItems(list, last.list));
    for (const item of list.slice(values.length)) values.push(compute(item, values.at(-1)));
    lists.set(first, { list, values });
    return values;
  };
};

/** Like `memoizedMap`, for the last of the values, each of which continues the one before. */
export const memoizedFold = <Item extends object, Value>(
  start: Value,
  next: (before: Value, item: Item) => Value,
): ((list: readonly Item[]) => Value) => {
  const valuesOf = memoizedMap<Item, Value>((item, before = start) => next(before, item));
  return (list) => valuesOf(list).at(-1) ?? start;
};

/** How many items two lists have in common at their start. */
export const sameItems = (one: readonly unknown[], other: readonly unknown[]): number => {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  return same;
};
