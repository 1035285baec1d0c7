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
