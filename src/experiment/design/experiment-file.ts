import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { z } from "zod";
import type { Frozen } from "../../model/index.ts";
import { parseTimeMs } from "../../world/index.ts";
import type { Factors, FactorValue } from "../result/result.ts";

/** The name of an experiment, an arm or a measure. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;
const NAME_RULE = "must start with a letter and have 1 to 40 letters, digits, - or _";

/** Charts keep values by name in objects, which have some names already. */
const name = z
  .string()
  .regex(NAME, { error: NAME_RULE })
  .refine((given) => !(given in {}), { error: "is a name that charts cannot have; rename it" });

const TIME = "a time such as 300s, 5m or 1h";

const time = z
  .union([z.string(), z.number()])
  .refine((given) => typeof given === "string" && (parseTimeMs(given) ?? 0) > 0, {
    error: ({ input }) =>
      typeof input === "number" ? `must have a unit, as in ${input}s` : `must be ${TIME}`,
  })
  .transform((given) => (parseTimeMs(String(given)) ?? 0) / 1_000);

const start = z.literal("0s").transform(() => 0);

const path = z.string().min(1);
const paths = z.union([path, z.array(path).min(1)]).transform((given) => [given].flat());

const settings = z
  .record(z.string().min(1), z.unknown())
  .refine((given) => Object.keys(given).length > 0, { error: "must set something" });

/** Each entry is checked with the settings of a run, like `schedule` in `config.yaml`. */
const schedule = z.array(z.unknown()).min(1);

const base = z.strictObject({
  duration: time.exactOptional(),
  config: path.exactOptional(),
  agents: paths.exactOptional(),
  only: z.array(z.string().min(1)).min(1).exactOptional(),
  model: z.string().min(1).exactOptional(),
  clock: z.enum(["virtual", "wall"]).exactOptional(),
  max_actions: z.int().min(1).exactOptional(),
  max_cost: z.number().min(0).exactOptional(),
  set: settings.exactOptional(),
  schedule: schedule.exactOptional(),
});

const armKeys = {
  label: z.string().min(1).max(80).exactOptional(),
  agents: paths.exactOptional(),
  only: z.array(z.string().min(1)).min(1).exactOptional(),
  set: settings.exactOptional(),
  schedule: schedule.exactOptional(),
};

const arm = z
  .strictObject({ ...armKeys, model: z.string().min(1).exactOptional() })
  .nullable()
  .transform((given) => given ?? {});

/** An arm that gets its model from the command. */
const modelArm = z
  .strictObject(armKeys)
  .nullable()
  .transform((given) => given ?? {});

const SEEDS_MAX = 100_000;
const RANGE = /^(\d+)\.\.(\d+)$/;
const RANGE_RULE = "must be a range such as 1..20";
const SEEDS_RULE = `${RANGE_RULE}, or a list of whole numbers`;

const rangeOf = (text: string): readonly [number, number] | null => {
  const [, from = "", to = ""] = RANGE.exec(text) ?? [];
  const [low, high] = [Number(from), Number(to)];
  return to === "" || !Number.isSafeInteger(high) ? null : [low, high];
};

/** What is wrong with the text of a range, or null. */
const rangeProblem = (text: string): string | null => {
  const range = rangeOf(text);
  if (range === null) return SEEDS_RULE;
  const [low, high] = range;
  if (low > high) return "must go upward, as in 1..20";
  return high - low < SEEDS_MAX ? null : `must have at most ${SEEDS_MAX} seeds`;
};

const seeds = z
  .union([z.string(), z.array(z.int().min(0)).min(1).max(SEEDS_MAX)])
  .refine((given) => typeof given !== "string" || rangeProblem(given) === null, {
    error: ({ input }) => rangeProblem(String(input)) ?? SEEDS_RULE,
  })
  .transform((given) => {
    if (typeof given !== "string") return given;
    const [low, high] = rangeOf(given) ?? [0, 0];
    return Array.from({ length: high - low + 1 }, (_, at) => low + at);
  });

type ReadSeeds =
  | { readonly ok: true; readonly seeds: readonly number[] }
  | { readonly ok: false; readonly problem: string };

/** The seeds of a range such as `1..20`. */
export const seedsOf = (text: string): ReadSeeds => {
  const read = seeds.safeParse(text);
  if (read.success) return { ok: true, seeds: read.data };
  const isRange = rangeOf(text) !== null;
  return { ok: false, problem: (isRange ? rangeProblem(text) : null) ?? RANGE_RULE };
};

const factorValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const factors = z
  .object({
    design: z.enum(["grid", "latin_hypercube"]).default("grid"),
    points: z.int().min(2).max(10_000).exactOptional(),
  })
  .catchall(z.array(factorValue).min(1));

const band = z
  .tuple([z.number(), z.number()])
  .refine(([low, high]) => low <= high, { error: "must be [lowest, highest]" });

const measure = z.union([
  z.string().min(1),
  z.strictObject({
    name,
    /** A figure of the report (default: the name). */
    figure: z.string().min(1).exactOptional(),
    /** The group or the agent that the figure is about. */
    group: z.string().min(1).exactOptional(),
    agent: z.string().min(1).exactOptional(),
    /** The moment of the figure, or its period. */
    at: time.exactOptional(),
    between: z.tuple([z.union([start, time]), time]).exactOptional(),
    /** A module of the user, whose default export computes the measure. */
    file: path.exactOptional(),
    unit: z.string().min(1).max(40).exactOptional(),
    /** By arm: where its mean is expected, and the published figure. */
    bands: z.record(name, band).exactOptional(),
    published: z.record(name, z.number()).exactOptional(),
  }),
]);

const SIZE = /^(\d+(?:\.\d+)?)\s*(KB|MB|GB|TB)$/;
const SIZE_BYTES: { readonly [unit: string]: number } = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

const size = z
  .string()
  .regex(SIZE, { error: "must be a size such as 500MB or 2GB" })
  .transform((text) => {
    const [, amount = "", unit = ""] = SIZE.exec(text) ?? [];
    return Number(amount) * (SIZE_BYTES[unit] ?? 0);
  });

/** The schema of an experiment file. Times become seconds and sizes become bytes. */
export const experimentSchema = z.strictObject({
  name,
  question: z.string().min(1).max(500).exactOptional(),
  source: z.string().min(1).max(500).exactOptional(),
  base: base.default({}),
  seeds,
  arms: z
    .record(name, arm)
    .refine((given) => Object.keys(given).length > 0, { error: "must have at least one arm" }),
  model_arms: z.record(name, modelArm).default({}),
  factors: factors.exactOptional(),
  from: z.strictObject({ at: time }).exactOptional(),
  measures: z.array(measure).min(1),
  stop: z
    .strictObject({
      when: z.strictObject({ measure: z.string(), ci_width: z.number().positive() }),
      max_seeds: z.int().min(5).max(SEEDS_MAX),
    })
    .exactOptional(),
  limits: z
    .strictObject({
      wall: time.exactOptional(),
      usd: z.number().min(0).exactOptional(),
      disk: size.exactOptional(),
    })
    .default({}),
  keep: z.enum(["figures", "journals", "all"]).default("figures"),
});

export type ExperimentFile = Frozen<z.output<typeof experimentSchema>>;

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
        : Number((least + share * (most - least)).toPrecision(6));
    });
    return { key, values };
  });
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(columns.map(({ key, values }) => [key, values[at] ?? null])),
  );
};

/** The factors without the keys that say how they are combined. */
export const levelsOf = ({ factors }: ExperimentFile): Levels => {
  if (factors === undefined) return {};
  const { design: _design, points: _points, ...levels } = factors;
  return levels;
};

/** The points at which each arm is run. Without factors there is one point without factors. */
export const pointsOf = (file: ExperimentFile) => {
  const levels = levelsOf(file);
  const { design, points = 0 } = file.factors ?? { design: "grid" };
  const all = design === "grid" ? gridPoints(levels) : hypercubePoints(levels, points);
  return all.map((factors) => {
    const text = Object.entries(factors).map(([key, value]) => `${key}=${String(value)}`);
    return { factors, text: text.join(", ") };
  });
};
