/** The place of the first of the sorted `numbers` that is at least `least`, by binary search. */
export const firstAtLeast = (numbers: readonly number[], least: number): number => {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
};
