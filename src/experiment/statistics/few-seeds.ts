import { comparisonsOf, type ExperimentRows, type FigureRow } from "./measure-results.ts";
import { criticalT, detectableNoncentrality, LEVEL } from "./student-t.ts";

/** In standard deviations. */
const DETECTABLE_MAX = 1;

/** `n` is the number of seeds in both cells, or of the smaller cell if they share no seed. */
type Strength = { readonly n: number; readonly isPaired: boolean };

/**
 * What a warning says of each cell, or null. The seeds are too few if a comparison finds a
 * difference of one standard deviation with less than 80 % power (fewer than 10 pairs), or if the
 * smallest possible p is above 5 % after Holm's correction. Without comparisons, fewer than 10
 * seeds of a cell are too few. Values that are missing in runs that are done do not count.
 */
export function fewSeeds({
  measures,
  cells,
  rows,
}: ExperimentRows): readonly { readonly cell: string; readonly text: string | null }[] {
  const seeds = seedsByCell(rows);
  const seedsOf = (cell: string): ReadonlySet<number> => seeds.get(cell) ?? new Set();
  const comparisons = comparisonsOf(cells);
  const tests = comparisons.length * measures.length;
  if (comparisons.length === 0) {
    return cells.map(({ cell }) => ({ cell, text: weakMean(seedsOf(cell).size) }));
  }
  return comparisons.map(({ cell, control }) => {
    const strength = strengthOf(seedsOf(cell), seedsOf(control));
    return { cell, text: weakComparison(strength, tests) };
  });
}

function seedsByCell(rows: readonly FigureRow[]): ReadonlyMap<string, ReadonlySet<number>> {
  const seeds = new Map<string, Set<number>>();
  for (const { cell, seed, status } of rows) {
    if (status !== "done") continue;
    seeds.set(cell, (seeds.get(cell) ?? new Set()).add(seed));
  }
  return seeds;
}

function strengthOf(a: ReadonlySet<number>, b: ReadonlySet<number>): Strength {
  const common = [...a].filter((seed) => b.has(seed)).length;
  return common > 0 || a.size === 0 || b.size === 0
    ? { n: common, isPaired: true }
    : { n: Math.min(a.size, b.size), isPaired: false };
}

function weakMean(n: number): string | null {
  if (n < 2) return `${counted(n)}: an interval of the mean needs at least 2`;
  if (detectableEffect({ n, isPaired: true }) <= DETECTABLE_MAX) return null;
  const margin = shown(criticalT(n - 1) / Math.sqrt(n));
  return `${counted(n)}: the 95 % interval of a mean is ±${margin} standard deviations`;
}

function weakComparison(strength: Strength, tests: number): string | null {
  const { n, isPaired } = strength;
  const seeds = isPaired ? `${counted(n)} in both cells` : `${counted(n)} in a cell`;
  if (n < 2) return `${seeds}: a comparison needs at least 2`;
  const effect = detectableEffect(strength);
  const p = smallestP(strength);
  const corrected = Math.min(1, p * tests);
  if (effect <= DETECTABLE_MAX && corrected <= LEVEL) return null;
  const spread = isPaired ? "of the differences" : "of the values";
  const holm =
    tests === 1 ? "" : `, or ${shown(corrected)} after Holm's correction for ${tests} differences`;
  return (
    `${seeds}: a comparison detects a mean difference of ${shown(effect)} standard deviations ` +
    `${spread} with 80 % power; its smallest possible p is ${shown(p)}${holm}`
  );
}

const counted = (n: number): string => (n === 1 ? "1 seed" : `${n} seeds`);
const shown = (value: number): string => String(Number(value.toPrecision(2)));

/** The smallest mean difference with 80 % power at the 5 % level, in standard deviations. */
function detectableEffect({ n, isPaired }: Strength): number {
  return isPaired
    ? detectableNoncentrality(n - 1) / Math.sqrt(n)
    : detectableNoncentrality(2 * n - 2) * Math.sqrt(2 / n);
}

/** The p-value if the observed arrangement and its mirror image are the most extreme of all. */
function smallestP({ n, isPaired }: Strength): number {
  let arrangements = 1;
  for (let i = 1; i <= n; i++) arrangements *= isPaired ? 2 : (n + i) / i;
  return 2 / arrangements;
}
