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
