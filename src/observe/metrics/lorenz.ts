/** So large a share of all, the poorest first, has so large a share of the wealth. */
export type LorenzPoint = { readonly population: number; readonly wealth: number };

/**
 * The Lorenz curve of non-negative amounts, from (0, 0) to (1, 1): L(k / n) is the sum of the k
 * smallest over the sum of all (Lorenz, "Methods of Measuring the Concentration of Wealth", 1905).
 * Twice the area between it and the diagonal is the Gini coefficient. Where there is nothing to
 * share it is the diagonal.
 */
export const lorenz = (amounts: readonly number[]): readonly LorenzPoint[] => {
  const sorted = [...amounts].sort((a, b) => a - b);
  const total = sorted.reduce((sum, amount) => sum + amount, 0);
  const points: LorenzPoint[] = [{ population: 0, wealth: 0 }];
  let sum = 0;
  for (const [at, amount] of sorted.entries()) {
    sum += amount;
    const population = (at + 1) / sorted.length;
    points.push({ population, wealth: total === 0 ? population : sum / total });
  }
  return sorted.length === 0 ? [...points, { population: 1, wealth: 1 }] : points;
};
