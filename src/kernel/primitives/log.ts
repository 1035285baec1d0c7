/**
 * A queue whose old versions stay valid. A `Log` is an immutable view [head, tail) of a list that
 * grows in place. Appending to an older view, as after a rollback, first removes the items beyond
 * it. Append only to the view that a table holds, because views share the list.
 */
export type Log<T> = { readonly list: T[]; readonly head: number; readonly tail: number };

export const emptyLog = <T>(): Log<T> => ({ list: [], head: 0, tail: 0 });

export const logOf = <T>(items: readonly T[]): Log<T> => ({
  list: [...items],
  head: 0,
  tail: items.length,
});

export const logLength = (log: Log<unknown>): number => log.tail - log.head;

/** The item at `index`, counted from the oldest. Undefined past the end. */
export const logAt = <T>(log: Log<T>, index: number): T | undefined =>
  index < logLength(log) ? log.list[log.head + index] : undefined;

export const logItems = <T>(log: Log<T>): readonly T[] => log.list.slice(log.head, log.tail);

/** The `max` newest items, oldest first. */
export const newestOf = <T>({ list, head, tail }: Log<T>, max: number): readonly T[] =>
  list.slice(Math.max(head, tail - max), tail);

export const append = <T>(log: Log<T>, item: T): Log<T> => {
  if (log.list.length > log.tail) log.list.length = log.tail;
  log.list.push(item);
  return { list: log.list, head: log.head, tail: log.tail + 1 };
};

/** Drops the `count` oldest items. Copies the list when most of it is unused, to limit memory. */
export const dropOldest = <T>(log: Log<T>, count: number): Log<T> => {
  if (count === 0) return log;
  const head = Math.min(log.head + count, log.tail);
  if (head < 64 || head * 2 < log.tail) return { list: log.list, head, tail: log.tail };
  return logOf(log.list.slice(head, log.tail));
};
