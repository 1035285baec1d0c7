import type { Factors } from "../../observe/index.ts";

/** A setting of a run, and the place in the experiment file that gives it. */
export type PlacedSetting = {
  readonly key: string;
  readonly value: unknown;
  /** `file:line:column`. */
  readonly place: string;
};

/** What a run gets: flags of `sim run`, with paths relative to the current folder. */
export type Treatment = {
  readonly agents: readonly string[] | null;
  readonly only: readonly string[] | null;
  readonly model: string | null;
  readonly settings: readonly PlacedSetting[];
  /** Entries of `schedule` in `config.yaml`. */
  readonly schedule: readonly unknown[];
  /** The place of the schedule in the experiment file. */
  readonly schedulePlace: string;
};

export type CommonTreatment = Treatment & {
  readonly config: string | null;
  readonly clock: "virtual" | "wall";
  readonly durationS: number | null;
  readonly maxActions: number | null;
  readonly maxCostUsd: number | null;
};

/** An arm at one point of the factors. */
export type ArmCell = {
  /** The arm, and the factors in braces if there are any. */
  readonly name: string;
  readonly arm: string;
  readonly label: string;
  /** Part of the names of its runs. */
  readonly slug: string;
  readonly factors: Factors;
  readonly treatment: Treatment;
};

export type Measure = {
  readonly name: string;
  readonly unit: string | null;
  /** The place in the experiment file. */
  readonly place: string;
} & (
  | {
      readonly kind: "figure";
      readonly figure: string;
      readonly group: string | null;
      readonly agent: string | null;
      readonly atS: number | null;
      readonly betweenS: readonly [from: number, to: number] | null;
    }
  | { readonly kind: "module"; readonly file: string }
);

/** Where the mean of a measure is expected, in each cell of an arm. */
export type Band = {
  readonly measure: string;
  readonly arm: string;
  readonly low: number;
  readonly high: number;
  /** The figure in the literature, or null. */
  readonly published: number | null;
};

export type Keep = "figures" | "journals" | "all";

/** A valid experiment file. */
export type Experiment = {
  readonly name: string;
  readonly question: string | null;
  /** The publication whose results the experiment repeats. */
  readonly source: string | null;
  /** The path of the file, and its text. */
  readonly file: string;
  readonly text: string;
  readonly base: CommonTreatment;
  readonly arms: readonly string[];
  /** The arms that need a model. They are in `arms` and `cells` only if the command names one. */
  readonly modelArms: readonly string[];
  readonly cells: readonly ArmCell[];
  readonly seeds: readonly number[];
  /** The run time at which the common past of a seed is forked into the cells. */
  readonly forkS: number | null;
  readonly forkPlace: string;
  readonly measures: readonly Measure[];
  readonly bands: readonly Band[];
  readonly stop: {
    readonly measure: string;
    readonly ciWidth: number;
    readonly seedsMax: number;
  } | null;
  readonly limits: {
    readonly wallS: number | null;
    readonly usd: number | null;
    readonly diskBytes: number | null;
  };
  readonly keep: Keep;
};
