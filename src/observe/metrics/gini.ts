/**
 * The Gini coefficient of non-negative amounts: 0 when all are equal, towards 1 when one has all.
 * G = 2 Σ i·x(i) / (n Σ x) - (n + 1) / n over the amounts in rising order, i from 1 (Sen, "On
 * Economic Inequality", 1973). Zero when there is nothing to share.
 */
export const gini = (amounts: readonly number[]): number => {
  const sorted = [...amounts].sort((a, b) => a - b);
  const total = sorted.reduce((sum, amount) => sum + amount, 0);
  if (total === 0) return 0;
  const weighted = sorted.reduce((sum, amount, index) => sum + (index + 1) * amount, 0);
  const n = sorted.length;
  return (2 * weighted) / (n * total) - (n + 1) / n;
};
