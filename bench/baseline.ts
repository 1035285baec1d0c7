import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, moreIsBetter, ratioOf } from "./figure.ts";

/** The ratios that were kept, by `bench/figure`. */
export type Baseline = { readonly [name: string]: number };

const PATH = join(import.meta.dirname, "baseline.json");

/** Two runs of the same source on a quiet machine differ by less. */
const NOISE = 0.2;

export const readBaseline = (): Baseline => JSON.parse(readFileSync(PATH, "utf8"));

/** Replaces the ratios of the benches that ran, and leaves those of other benches as they are. */
export const keptBaseline = (
  baseline: Baseline,
  figures: ReadonlyMap<string, Figure>,
): Baseline => {
  const ran = new Set([...figures.keys()].map(benchOf));
  const others = Object.entries(baseline).filter(([name]) => !ran.has(benchOf(name)));
  const measured = [...figures].map(([name, figure]): [string, number] => [
    name,
    Number(ratioOf(figure).toPrecision(3)),
  ]);
  return Object.fromEntries([...others, ...measured].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const benchOf = (name: string): string => name.slice(0, name.indexOf("/"));

export const writeBaseline = (baseline: Baseline): void =>
  writeFileSync(PATH, `${JSON.stringify(baseline, null, 2)}\n`);

/** How a figure moved against what was kept, in words; null while it is within the noise. */
export const movement = (figure: Figure, before: number | undefined): string | null => {
  if (before === undefined) return "new";
  const change = ratioOf(figure) / before - 1;
  if (Math.abs(change) <= NOISE) return null;
  const better = change > 0 === moreIsBetter(figure.unit);
  return `${better ? "better" : "WORSE"} by ${Math.abs(100 * change).toFixed(0)} %`;
};
