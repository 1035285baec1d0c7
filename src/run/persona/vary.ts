import { z } from "zod";
import { draw, type PrngState, seedPrng } from "../../kernel/index.ts";
import { FORM_HINTS } from "../../mind/index.ts";

const VALUES_MAX = 10_000;

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], {
  error: ({ input }) => (Array.isArray(input) ? NOT_A_LIST : undefined),
});
const NOT_A_LIST =
  "must be one value, not a list; to vary a list, set it in the persona and vary its items, " +
  "such as policy.topics.0";
type Scalar = z.infer<typeof scalar>;
const scalars = z.array(scalar).min(1).max(VALUES_MAX);

const range = z
  .tuple([z.number(), z.number()])
  .refine(([least, most]) => least <= most, { error: "must be [min, max] with min first" });

const normal = z
  .strictObject({
    mean: z.number(),
    sd: z.number().min(0),
    min: z.number().optional(),
    max: z.number().optional(),
  })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    error: "must not have min above max",
  });

const WAYS = ["uniform", "normal", "choice", "list"] as const;

const variationSchema = z
  .strictObject({
    uniform: range.optional().describe("[min, max]: each value is equally likely"),
    normal: normal.optional().describe("a normal distribution, cut off at min and max"),
    choice: scalars.optional().describe("one of these values, chosen at random"),
    weights: z
      .array(z.number().min(0))
      .optional()
      .describe("how likely each value of choice is; default: all equally"),
    list: scalars
      .optional()
      .describe("agent 1 gets the first value, agent 2 the second, and so on"),
  })
  .superRefine((given, context) => {
    const problem = problemIn(given);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  })
  .register(FORM_HINTS, { list: "write `{ uniform: [MIN, MAX] }`" });
export type Variation = z.infer<typeof variationSchema>;

const problemIn = (given: Variation): string | null => {
  const used = WAYS.filter((way) => given[way] !== undefined);
  if (used.length !== 1) {
    const found = used.length === 0 ? "none" : used.join(" and ");
    return `must have one of ${WAYS.join(", ")}, not ${found}`;
  }
  const { choice, weights } = given;
  if (weights === undefined) return null;
  if (choice === undefined) return "has weights, which only choice can have";
  if (weights.length !== choice.length) {
    return `must have a weight for each of the ${choice.length} values, not ${weights.length}`;
  }
  return weights.some((weight) => weight > 0) ? null : "must have a weight above 0";
};

const settingPath = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, { error: "must be the path of a setting, such as policy.stake" });

/** The settings that differ from agent to agent, by dotted path. */
export const varySchema = z
  .record(settingPath, variationSchema)
  .describe("settings that differ between the agents, by dotted path; drawn from the run's seed");
export type Vary = z.infer<typeof varySchema>;

type Draw = {
  /** Names the stream of random numbers, so that no other drawing changes this one. */
  readonly stream: string;
  readonly seed: number;
  /** The number of the agent, from 1. */
  readonly index: number;
  /** Whether the setting is a whole number. */
  readonly isWhole: boolean;
};

/** Draws the value of one setting for one agent. */
export const drawValue = (variation: Variation, { stream, seed, index, isWhole }: Draw): Scalar => {
  const { uniform, normal: bell, choice, weights, list } = variation;
  if (list !== undefined) return list[(index - 1) % list.length] ?? null;
  const rolls = seedPrng(seed, `${stream}/${index}`);
  if (uniform !== undefined) return uniformIn(uniform, rolls, isWhole);
  if (bell !== undefined) return normalIn(bell, rolls, isWhole);
  return choice === undefined ? null : chosenFrom(choice, weights, rolls);
};

const uniformIn = (
  [least, most]: readonly [number, number],
  rolls: PrngState,
  isWhole: boolean,
): number => {
  const [roll] = draw(rolls);
  if (!isWhole) return rounded(least + roll * (most - least), least, most);
  const first = Math.ceil(least);
  return first + Math.floor(roll * (Math.floor(most) - first + 1));
};

/** Draws by the transform of Box and Muller (1958). Values beyond a bound become the bound. */
const normalIn = (
  { mean, sd, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Bell,
  rolls: PrngState,
  isWhole: boolean,
): number => {
  const [first, next] = draw(rolls);
  const [second] = draw(next);
  const deviation = Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
  const value = mean + sd * deviation;
  if (!isWhole) return rounded(value, min, max);
  return Math.min(Math.floor(max), Math.max(Math.ceil(min), Math.round(value)));
};

type Bell = NonNullable<Variation["normal"]>;

const DIGITS = 6;

const rounded = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Number(value.toPrecision(DIGITS))));

const chosenFrom = (
  choice: readonly Scalar[],
  weights: readonly number[] = choice.map(() => 1),
  rolls: PrngState,
): Scalar => {
  const [roll] = draw(rolls);
  let rest = roll * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex((weight) => {
    rest -= weight;
    return rest < 0;
  });
  return choice[at < 0 ? choice.length - 1 : at] ?? null;
};

/** A value that a variation can draw, and where the file sets it, from the variation on. */
export type End = {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  /** What to add to a problem with this value: how to avoid it, or null. */
  readonly hint: string | null;
};

/** An open normal distribution must fit its setting up to here; 1 value in 2 million is beyond. */
const DEVIATIONS = 5;

/**
 * Returns the values of a variation that can be wrong: the ends of a range, and each listed value
 * once. A range without a whole number has no ends.
 */
export const endsOf = (variation: Variation, isWhole: boolean): readonly End[] => {
  const { uniform, normal, choice, list } = variation;
  if (uniform !== undefined) {
    const [least, most] = isWhole ? [Math.ceil(uniform[0]), Math.floor(uniform[1])] : uniform;
    if (least > most) return [];
    return [least, most].map((value, at) => ({ value, path: ["uniform", at], hint: null }));
  }
  if (normal !== undefined) return normalEnds(normal, isWhole);
  const key = choice === undefined ? "list" : "choice";
  const values = choice ?? list ?? [];
  return values.flatMap((value, at) =>
    values.indexOf(value) < at ? [] : [{ value, path: [key, at], hint: null }],
  );
};

const normalEnds = (
  { mean, sd, min, max }: NonNullable<Variation["normal"]>,
  isWhole: boolean,
): readonly End[] => {
  const within = (value: number): number => {
    const { POSITIVE_INFINITY: most, NEGATIVE_INFINITY: least } = Number;
    const bounded = Math.min(max ?? most, Math.max(min ?? least, value));
    return isWhole ? Math.round(bounded) : bounded;
  };
  const ends = { min: mean - DEVIATIONS * sd, max: mean + DEVIATIONS * sd };
  return (["min", "max"] as const).map((bound) => {
    const isOpen = (bound === "min" ? min : max) === undefined;
    const hint = isOpen ? `the distribution can draw this value; set \`${bound}\`` : null;
    return { value: within(ends[bound]), path: isOpen ? ["normal"] : ["normal", bound], hint };
  });
};
