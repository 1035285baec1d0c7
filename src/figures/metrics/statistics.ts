import { quantileSorted } from "simple-statistics";

export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

export const addTo = <Key>(counts: Map<Key, number>, key: Key, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

/**
 * The Gini coefficient of non-negative amounts: 0 if all amounts are equal or 0, near 1 if one
 * amount is the whole sum. G = 2 Σ i·x(i) / (n Σ x) - (n + 1) / n, where x(i) are the amounts in
 * ascending order and i starts at 1 (Sen, "On Economic Inequality", 1973).
 */
export const gini = (amounts: readonly number[]): number => {
  const sorted = [...amounts].sort((a, b) => a - b);
  const total = sumOf(sorted);
  if (total === 0) return 0;
  const weighted = sorted.reduce((sum, amount, index) => sum + (index + 1) * amount, 0);
  const n = sorted.length;
  return (2 * weighted) / (n * total) - (n + 1) / n;
};

/**
 * The quantiles of amounts at shares from 0 to 1, interpolated between the nearest two (type 7 of
 * Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996). None for no amounts.
 */
export const quantiles = (
  amounts: readonly number[],
  shares: readonly number[],
): readonly number[] => {
  if (amounts.length === 0) return [];
  const sorted = [...Float64Array.from(amounts).sort()];
  return shares.map((share) => quantileSorted(sorted, share));
};

/** A point of a Lorenz curve: the poorest share `population` owns the share `wealth`. */
export type LorenzPoint = { readonly population: number; readonly wealth: number };

/**
 * The Lorenz curve of non-negative amounts, from (0, 0) to (1, 1). L(k / n) is the sum of the k
 * smallest amounts divided by the sum of all (Lorenz, "Methods of Measuring the Concentration of
 * Wealth", 1905). Twice the area between the curve and the diagonal is the Gini coefficient.
 */
export const lorenz = (amounts: readonly number[]): readonly LorenzPoint[] => {
  const sorted = [...amounts].sort((a, b) => a - b);
  const total = sumOf(sorted);
  const points: LorenzPoint[] = [{ population: 0, wealth: 0 }];
  let sum = 0;
  for (const [at, amount] of sorted.entries()) {
    sum += amount;
    const population = (at + 1) / sorted.length;
    points.push({ population, wealth: total === 0 ? population : sum / total });
  }
  return sorted.length === 0 ? [...points, { population: 1, wealth: 1 }] : points;
};

/**
 * The Herfindahl-Hirschman index of non-negative amounts: Σ share² (Hirschman, "National Power and
 * the Structure of Foreign Trade", 1945; Herfindahl, 1950). The index is 1 / n for n equal amounts,
 * 1 if only one amount is above 0, and 0 if all amounts are 0.
 */
export const hhi = (amounts: Iterable<number>): number => {
  let [sum, squares] = [0, 0];
  for (const amount of amounts) {
    sum += amount;
    squares += amount * amount;
  }
  return sum === 0 ? 0 : squares / (sum * sum);
};

/** Shannon's entropy (1948) of the amounts' shares of their sum, in nats. No amount is negative. */
const entropy = (amounts: readonly number[]): number => {
  const total = sumOf(amounts);
  return amounts.reduce((sum, amount) => {
    const share = amount / total;
    return amount === 0 ? sum : sum - share * Math.log(share);
  }, 0);
};

/**
 * The concentration of k amounts: 1 if exactly one is above 0, 0 if all are equal, null if all are
 * 0 or k < 2. Equals 1 - H / ln k (H: entropy), the complement of Pielou's evenness (1966).
 */
export const specialisation = (amounts: readonly number[]): number | null =>
  amounts.length < 2 || amounts.every((amount) => amount === 0)
    ? null
    : 1 - entropy(amounts) / Math.log(amounts.length);

/**
 * How well the row (who) predicts the column (what): the mutual information of rows and columns,
 * divided by the entropy of the columns (Gorelick et al., "Normalized mutual entropy in biology:
 * quantifying division of labor", 2004). The result is 1 if no two rows share a column. The result
 * is 0 if all rows have the same proportions, or if only one column is used.
 */
export const divisionOfLabour = (rows: readonly (readonly number[])[]): number => {
  const byRow = rows.map(sumOf);
  const byColumn = (rows[0] ?? []).map((_, at) => sumOf(rows.map((row) => row[at] ?? 0)));
  const variety = entropy(byColumn);
  if (byRow.every((sum) => sum === 0) || variety === 0) return 0;
  return (entropy(byRow) + variety - entropy(rows.flat())) / variety;
};

/** A directed graph that maps each node to its successors. No node points at itself. */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** The share of the n (n - 1) possible edges that exist. Returns 0 for fewer than two nodes. */
export const density = (nodes: number, arrows: number): number =>
  nodes < 2 ? 0 : arrows / (nodes * (nodes - 1));

/** The share of edges with a reverse edge (Wasserman and Faust, 1994); 0 without edges. */
export const reciprocity = (arrows: Arrows): number => {
  let [all, answered] = [0, 0];
  for (const [from, targets] of arrows) {
    for (const to of targets.keys()) {
      all += 1;
      if (arrows.get(to)?.has(from) === true) answered += 1;
    }
  }
  return all === 0 ? 0 : answered / all;
};

/** The sizes of the weakly connected components, largest first (union-find, Tarjan 1984). */
export const components = (nodes: Iterable<string>, arrows: Arrows): readonly number[] => {
  const parents = new Map<string, string>();
  for (const node of nodes) parents.set(node, node);
  const rootOf = (start: string): string => {
    let node = start;
    for (let up = parents.get(node) ?? node; up !== node; up = parents.get(node) ?? node) {
      const further = parents.get(up) ?? up;
      parents.set(node, further);
      node = further;
    }
    return node;
  };
  for (const [from, targets] of arrows) {
    for (const to of targets.keys()) parents.set(rootOf(from), rootOf(to));
  }
  const sizes = new Map<string, number>();
  for (const node of parents.keys()) {
    const root = rootOf(node);
    sizes.set(root, (sizes.get(root) ?? 0) + 1);
  }
  return [...sizes.values()].sort((a, b) => b - a);
};
