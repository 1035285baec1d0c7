import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, moreIsBetter, ratioOf } from "./figure.ts";

/** The ratios that were kept, by `bench/figure`. */
export type Baseline = { readonly [name: string]: number };

const PATH = join(import.meta.dirname, "baseline.json");

/** Two runs of the same source on a quiet machine differ by less. */
const NOISE = 0.2;

export const readBaseline = (): Baseline => JSON.parse(readFileSync(PATH, "utf8"));

/** Replaces what is kept of these, and leaves the others as they are. */
export const keepBaseline = (baseline: Baseline, figures: ReadonlyMap<string, Figure>): void => {
  const kept: { [name: string]: number } = { ...baseline };
  for (const [name, figure] of figures) kept[name] = Number(ratioOf(figure).toPrecision(3));
  const sorted = Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(PATH, `${JSON.stringify(sorted, null, 2)}\n`);
};

/** How a figure moved against what was kept, in words; null while it is within the noise. */
export const movement = (figure: Figure, before: number | undefined): string | null => {
  if (before === undefined) return "new";
  const change = ratioOf(figure) / before - 1;
  if (Math.abs(change) <= NOISE) return null;
  const better = change > 0 === moreIsBetter(figure.unit);
  return `${better ? "better" : "WORSE"} by ${Math.abs(100 * change).toFixed(0)} %`;
};
