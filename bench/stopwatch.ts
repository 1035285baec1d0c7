/** Microseconds one call takes: the median of several rounds, after warming up. */
export const microsEach = (
  work: (turn: number) => void,
  { rounds = 5, turns = 2_000 }: { readonly rounds?: number; readonly turns?: number } = {},
): number => {
  const figures: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now();
    for (let turn = 0; turn < turns; turn++) work(round * turns + turn);
    if (round > 0) figures.push(((performance.now() - startedAt) * 1_000) / turns);
  }
  return median(figures);
};

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
