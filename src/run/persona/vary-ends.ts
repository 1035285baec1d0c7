import type { Variation } from "./vary.ts";

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
