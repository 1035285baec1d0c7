import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { ExperimentResult } from "../../../src/index.ts";
import { jsonOf } from "../../support/sim.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Puts copies of the shipped experiments into `folder`, with the mechanisms that they use. */
export const copyExperiments = (folder: string): void => {
  for (const name of ["experiments", "mechanisms"]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
};

/** The result of a shipped experiment with other seeds, and with all arms or only some. */
export const smallResult = (
  folder: string,
  name: string,
  seeds: string,
  arms: readonly string[] | null = null,
): ExperimentResult => {
  const file = `experiments/small-${name}.yaml`;
  const shipped = parse(readFileSync(join(folder, `experiments/${name}.yaml`), "utf8"));
  const some = (given: object | undefined) =>
    Object.fromEntries(Object.entries(given ?? {}).filter(([arm]) => arms?.includes(arm) ?? true));
  const measures = shipped.measures.map((measure: FileMeasure) => {
    return { ...measure, bands: some(measure.bands), published: some(measure.published) };
  });
  const small = { ...shipped, arms: some(shipped.arms), measures };
  writeFileSync(join(folder, file), stringify(arms === null ? shipped : small));
  return jsonOf(folder, "experiment", file, "--seeds", seeds);
};

/**
 * How many runs of its arm for language models a shipped experiment makes, in a version that is
 * short and has only the first of its other arms.
 */
export const modelRuns = (folder: string, name: string): number => {
  const file = join(folder, `experiments/short-${name}.yaml`);
  const shipped = parse(readFileSync(join(folder, `experiments/${name}.yaml`), "utf8"));
  const [first] = Object.entries(shipped.arms);
  const short = {
    ...shipped,
    base: { ...shipped.base, duration: "2s" },
    arms: Object.fromEntries(first === undefined ? [] : [first]),
    measures: ["trades"],
  };
  writeFileSync(file, stringify(short));
  const flags = ["--seeds", "1..1", "--model", "mock", "--jobs", "1", "--out", `short-${name}`];
  const { runs }: ExperimentResult = jsonOf(folder, "experiment", file, ...flags);
  return runs.filter(({ arm, status }) => arm === "llm" && status === "done").length;
};

/** The mean of a measure in an arm. */
export const meanOf = (result: ExperimentResult, measure: string, arm: string): number =>
  result.measures[measure]?.arms[arm]?.mean ?? Number.NaN;

type FileMeasure = {
  readonly name: string;
  readonly published?: { readonly [arm: string]: number };
  readonly bands?: { readonly [arm: string]: readonly [number, number] };
};

/** A measure as the shipped file has it. */
export const measureIn = (name: string, measure: string): FileMeasure => {
  const { measures } = parse(readFileSync(join(ROOT, `experiments/${name}.yaml`), "utf8"));
  return measures.find((each: FileMeasure) => each.name === measure);
};

/** The mean of numbers. */
export const averageOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** The Gini coefficient by its definition: half the mean difference of two, divided by the mean. */
export const giniOf = (amounts: readonly number[]): number => {
  const gaps = amounts.flatMap((one) => amounts.map((other) => Math.abs(one - other)));
  return averageOf(gaps) / (2 * averageOf(amounts));
};
