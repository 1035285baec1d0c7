/**
 * A view of a shared list, from `head` (inclusive) to `tail` (exclusive). `append` extends the list
 * and returns a longer view. The shorter views stay valid. But `append` to a shorter view, as after
 * a rollback, first cuts the list, and the longer views become invalid. So append only to the view
 * that the state holds.
 */
export type Log<T> = { readonly list: T[]; readonly head: number; readonly tail: number };

export const emptyLog = <T>(): Log<T> => ({ list: [], head: 0, tail: 0 });

export const logOf = <T>(items: readonly T[]): Log<T> => ({
  list: [...items],
  head: 0,
  tail: items.length,
});

export const logLength = (log: Log<unknown>): number => log.tail - log.head;

/** Returns the item at `index`, or undefined past the end. The oldest item has index 0. */
export const logAt = <T>(log: Log<T>, index: number): T | undefined =>
  index < logLength(log) ? log.list[log.head + index] : undefined;

export const logItems = <T>(log: Log<T>): readonly T[] => log.list.slice(log.head, log.tail);

/** Returns the `max` newest items, sorted from old to new. */
export const newestOf = <T>({ list, head, tail }: Log<T>, max: number): readonly T[] =>
  list.slice(Math.max(head, tail - max), tail);

export const append = <T>(log: Log<T>, item: T): Log<T> => {
  if (log.list.length > log.tail) log.list.length = log.tail;
  log.list.push(item);
  return { list: log.list, head: log.head, tail: log.tail + 1 };
};

/** The log without the `count` oldest items. Copies a long list if at least half is dropped. */
export const dropOldest = <T>(log: Log<T>, count: number): Log<T> => {
  if (count === 0) return log;
  const head = Math.min(log.head + count, log.tail);
  if (head < 64 || head * 2 < log.tail) return { list: log.list, head, tail: log.tail };
  return logOf(log.list.slice(head, log.tail));
};

/** Calls `pick` on each item until `max` results are not undefined. Returns these results. */
export const firstOf = <A, B>(
  items: Iterable<A>,
  max: number,
  pick: (item: A) => B | undefined,
): B[] => {
  const found: B[] = [];
  if (max <= 0) return found;
  for (const item of items) {
    const picked = pick(item);
    if (picked === undefined) continue;
    found.push(picked);
    if (found.length >= max) break;
  }
  return found;
};
