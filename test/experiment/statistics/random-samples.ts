import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Sample } from "../../../src/experiment/statistics/summary.ts";

/** Random samples with known means. The same seed gives the same samples. */
export function samplesFrom(seed: number) {
  const generator = xoroshiro128plus(seed);
  for (let i = 0; i < 8; i++) generator.next();
  const uniform = (): number => 1 - uniformFloat64(generator);
  /** Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958. */
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  /** With mean 1 and a long right tail. */
  const exponential = (): number => -Math.log(uniform());
  const many = (n: number, draw: () => number): number[] => Array.from({ length: n }, draw);
  return { normal, exponential, many };
}

/** Gives the values the seeds 1, 2, 3, … */
export const sampleOf = (cell: string, values: readonly number[], firstSeed = 1): Sample => ({
  cell,
  values: new Map(values.map((value, at) => [firstSeed + at, value])),
});
