/** Where results are kept: a `Map`, or a `WeakMap`, which drops a result with its key. */
type Results<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
};

/** The same function, but it computes the result of each key only once. */
export const memoized = <Key, Value extends {} | null>(
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
