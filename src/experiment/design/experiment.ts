import { z } from "zod";
import type { Frozen } from "../../model/index.ts";
import type { Factors } from "../result/result.ts";

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();
const texts = z.array(z.string());

export const factorValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What a run gets: flags of `sim run`, with paths relative to the current folder. */
const treatment = z.object({
  agents: texts.nullable(),
  only: texts.nullable(),
  model: nullableText,
  /** `place` is where the experiment file gives the setting, as `file:line:column`. */
  settings: z.array(z.object({ key: z.string(), value: z.unknown(), place: z.string() })),
  /** Entries of `schedule` in `config.yaml`. */
  schedule: z.array(z.unknown()),
  /** The place of the schedule in the experiment file. */
  schedulePlace: z.string(),
});
export type Treatment = Frozen<z.output<typeof treatment>>;

const commonTreatment = treatment.extend({
  config: nullableText,
  clock: z.enum(["virtual", "wall"]),
  durationS: nullableNumber,
  maxActions: nullableNumber,
  maxCostUsd: nullableNumber,
});
export type CommonTreatment = Frozen<z.output<typeof commonTreatment>>;

/** An arm at one point of the factors. */
const armCell = z.object({
  /** The arm, and the factors in braces if there are any. */
  name: z.string(),
  arm: z.string(),
  label: z.string(),
  /** Part of the names of its runs. */
  slug: z.string(),
  factors: z.record(z.string(), factorValue),
  treatment,
});
export type ArmCell = Frozen<z.output<typeof armCell>>;

/** `place` is where the experiment file names the measure. */
const named = z.object({ name: z.string(), unit: nullableText, place: z.string() });

export const measureSchema = z.discriminatedUnion("kind", [
  named.extend({
    kind: z.literal("figure"),
    figure: z.string(),
    group: nullableText,
    agent: nullableText,
    atS: nullableNumber,
    betweenS: z.tuple([z.number(), z.number()]).nullable(),
  }),
  named.extend({ kind: z.literal("module"), file: z.string() }),
]);
export type Measure = Frozen<z.output<typeof measureSchema>>;

/** Where the mean of a measure is expected, in each cell of an arm. */
const band = z.object({
  measure: z.string(),
  arm: z.string(),
  low: z.number(),
  high: z.number(),
  /** The figure in the literature, or null. */
  published: nullableNumber,
});
export type Band = Frozen<z.output<typeof band>>;

/** A valid experiment file, as a command writes it into its log. */
export const experimentSchema = z.object({
  name: z.string(),
  question: nullableText,
  /** The publication whose results the experiment repeats. */
  source: nullableText,
  /** The path of the file, and its text. */
  file: z.string(),
  text: z.string(),
  base: commonTreatment,
  arms: texts,
  /** The arms that need a model. They are in `arms` and `cells` only if the command names one. */
  modelArms: texts,
  cells: z.array(armCell),
  seeds: z.array(z.number()),
  /** The run time at which the common past of a seed is forked into the cells. */
  forkS: nullableNumber,
  forkPlace: z.string(),
  measures: z.array(measureSchema),
  bands: z.array(band),
  stop: z.object({ measure: z.string(), ciWidth: z.number(), seedsMax: z.number() }).nullable(),
  limits: z.object({ wallS: nullableNumber, usd: nullableNumber, diskBytes: nullableNumber }),
  keep: z.enum(["figures", "journals", "all"]),
});
export type Experiment = Frozen<z.output<typeof experimentSchema>>;

/** A setting or a flag of a run, and its value. */
export type Setting = { readonly key: string; readonly value: unknown };

/** What a treatment changes, without the factors. */
export const changedSettings = ({
  treatment: { agents, only, model, settings, schedule },
  factors,
}: {
  readonly treatment: Treatment;
  readonly factors: Factors;
}): readonly Setting[] => [
  ...(agents === null ? [] : [{ key: "agents", value: agents.join(", ") }]),
  ...(only === null ? [] : [{ key: "only", value: only.join(", ") }]),
  ...(model === null ? [] : [{ key: "model", value: model }]),
  ...settings.filter(({ key }) => !Object.hasOwn(factors, key)),
  ...(schedule.length === 0 ? [] : [{ key: "schedule", value: schedule }]),
];
