import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Factors, FactorValue } from "../result/result.ts";
import type { ExperimentFile } from "./experiment-file.ts";

/** The values of a factor. For a Latin hypercube, its lowest and highest value. */
type Levels = { readonly [setting: string]: readonly FactorValue[] };

/** Every combination of the values. The last factor changes first. */
const gridPoints = (levels: Levels): readonly Factors[] =>
  Object.entries(levels).reduce<readonly Factors[]>(
    (points, [key, values]) =>
      points.flatMap((point) => values.map((value) => ({ ...point, [key]: value }))),
    [{}],
  );

const SEED = 1;
const DIGITS = 6;

/**
 * A Latin hypercube sample (McKay, Beckman and Conover, "A comparison of three methods for
 * selecting values of input variables", 1979): each factor has one value in each of `count` equal
 * parts of its range. If both ends are whole numbers, all values are. Always gives the same points.
 */
const hypercubePoints = (levels: Levels, count: number): readonly Factors[] => {
  const generator = xoroshiro128plus(SEED);
  const columns = Object.entries(levels).map(([key, [low, high]]) => {
    const parts = Array.from({ length: count }, (_, at) => at);
    for (let at = count - 1; at > 0; at--) {
      const other = uniformInt(generator, 0, at);
      [parts[at], parts[other]] = [parts[other] ?? 0, parts[at] ?? 0];
    }
    const [least, most] = [Number(low), Number(high)];
    const isWhole = Number.isInteger(least) && Number.isInteger(most);
    const values = parts.map((part) => {
      const share = (part + uniformFloat64(generator)) / count;
      return isWhole
        ? least + Math.floor(share * (most - least + 1))
        : Number((least + share * (most - least)).toPrecision(DIGITS));
    });
    return { key, values };
  });
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(columns.map(({ key, values }) => [key, values[at] ?? null])),
  );
};

type Point = { readonly factors: Factors; readonly text: string };

/** The factors without the keys that say how they are combined. */
export const levelsOf = ({ factors }: ExperimentFile): Levels => {
  if (factors === undefined) return {};
  const { design: _design, points: _points, ...levels } = factors;
  return levels;
};

/** The points at which each arm is run. Without factors there is one point without factors. */
export const pointsOf = (file: ExperimentFile): readonly Point[] => {
  const levels = levelsOf(file);
  const { design, points = 0 } = file.factors ?? { design: "grid" };
  const all = design === "grid" ? gridPoints(levels) : hypercubePoints(levels, points);
  return all.map((factors) => ({ factors, text: textOf(factors) }));
};

const textOf = (factors: Factors): string =>
  Object.entries(factors)
    .map(([key, value]) => `${key}=${valueText(value)}`)
    .join(", ");

const valueText = (value: FactorValue): string => String(value);

/** The factors as text, such as `mint.period_s = 30`. Empty if there are none. */
export const pointText = (factors: Factors): string =>
  Object.entries(factors)
    .map(([setting, value]) => `${setting} = ${String(value)}`)
    .join(", ");
