/**
 * The results of an experiment, in the shape of `sim experiment --json`. An arm is one treatment.
 * A cell is an arm at one point of the factors. A cell is run once for each seed.
 */

/** One number: the 95 % confidence interval `[low, high]` of a mean, or null if n < 2. */
export type Interval = readonly [low: number, high: number];

/** A sample of one measure in one cell. All values except `n` are null if they are not defined. */
export type Summary = {
  /** The number of runs with a value. */
  readonly n: number;
  readonly mean: number | null;
  /** The sample standard deviation, with n - 1. */
  readonly sd: number | null;
  readonly median: number | null;
  readonly q05: number | null;
  readonly q95: number | null;
  /** Student's t interval of the mean. */
  readonly ci95: Interval | null;
  /** The bootstrap interval of the mean, from expanded percentiles. */
  readonly ci95_bootstrap: Interval | null;
};

/** The difference of cell `a` from cell `b`, its control. */
export type Contrast = {
  readonly a: string;
  readonly b: string;
  /** True if the values are compared seed by seed. */
  readonly paired: boolean;
  /** The number of pairs, or of values in the smaller sample if `paired` is false. */
  readonly n: number;
  readonly mean: number | null;
  readonly ci95: Interval | null;
  readonly ci95_bootstrap: Interval | null;
  /** The p-value of a permutation test of the hypothesis that the difference is 0. */
  readonly p: number | null;
  /** `p` after Holm's correction over all differences of the experiment. */
  readonly p_holm: number | null;
  /**
   * Cohen's d: the mean difference divided by the standard deviation of the differences or, if
   * `paired` is false, of the values. Null if this deviation is 0.
   */
  readonly effect: number | null;
  /** The smallest difference that a t test detects with 80 % power at the 5 % level. */
  readonly detectable: number | null;
};

/** The value of a factor at one point. */
export type FactorValue = string | number | boolean | null;
export type Factors = { readonly [setting: string]: FactorValue };

type RowStatus = "done" | "failed" | "skipped";

export type RunRow = {
  readonly id: string;
  readonly arm: string;
  readonly factors: Factors;
  /** The name of the cell: the arm, and the factors if there are any. */
  readonly cell: string;
  readonly seed: number;
  readonly status: RowStatus;
  /** The value of each measure. Null if the run does not define it. */
  readonly figures: { readonly [measure: string]: number | null };
  readonly journal_hash: string | null;
  readonly state_hash: string | null;
  readonly wall_s: number | null;
  readonly usd: number | null;
  /** The command that makes the same run alone. */
  readonly command: string;
  /** Why the run failed or was skipped. */
  readonly error: string | null;
};

type WarningKind =
  | "no_dose"
  | "dying_world"
  | "few_seeds"
  | "failed_runs"
  | "missing_values"
  | "limit"
  | "wide_interval";

export type Warning = {
  readonly kind: WarningKind;
  /** The cell that the warning is about, or null if it is about the experiment. */
  readonly arm: string | null;
  /** Names the cells that it is about. */
  readonly text: string;
};

export type MeasureResult = {
  /** What the measure is, with its unit. */
  readonly says: string;
  /** By name of the cell. */
  readonly arms: { readonly [cell: string]: Summary };
  readonly differences: readonly Contrast[];
};

/** The mean of a measure in a cell, and where it is expected. */
export type BandRow = {
  readonly measure: string;
  readonly arm: string;
  readonly factors: Factors;
  readonly cell: string;
  readonly n: number;
  readonly mean: number | null;
  readonly ci95: Interval | null;
  /** The figure in the literature, or null. */
  readonly published: number | null;
  readonly low: number;
  readonly high: number;
  /** Null without a mean. */
  readonly inside: boolean | null;
};

export type ExperimentResult = {
  readonly name: string;
  readonly question: string | null;
  /** The publication whose results the experiment repeats. */
  readonly source: string | null;
  readonly dir: string;
  readonly manifest_hash: string;
  /** True if every run is done or failed. */
  readonly complete: boolean;
  readonly runs: readonly RunRow[];
  readonly measures: { readonly [measure: string]: MeasureResult };
  readonly bands: readonly BandRow[];
  readonly warnings: readonly Warning[];
};

/**
 * The figures of a run over time, by name. All columns of a run have one length. `at_ms` is the run
 * time of each value.
 */
export type Trajectory = {
  readonly at_ms: readonly number[];
  readonly [figure: string]: readonly (number | null)[];
};
