import type { Result } from "../../kernel/index.ts";

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

/** The factors as text, such as `mint.period_s = 30`. Empty if there are none. */
export const pointText = (factors: Factors): string =>
  Object.entries(factors)
    .map(([setting, value]) => `${setting} = ${String(value)}`)
    .join(", ");

export type RunRow = {
  readonly id: string;
  readonly arm: string;
  readonly factors: Factors;
  /** The name of the cell: the arm, and the factors if there are any. */
  readonly cell: string;
  readonly seed: number;
  readonly status: "done" | "failed" | "skipped";
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

/** The runs of one cell. Those that are neither done, failed nor running are left to make. */
export type CellProgress = {
  readonly cell: string;
  readonly planned: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
};

export type ShownProgress = {
  /** `interrupted`: runs are missing, and no command makes them now. */
  readonly state: "running" | "interrupted" | "complete";
  readonly cells: readonly CellProgress[];
  /** The ids of the runs that processes of this machine make now. */
  readonly running: readonly string[];
  /** True if workers of a queue make the runs. Then it is unknown which runs they make now. */
  readonly queued: boolean;
  /** The time that the missing runs need, in seconds. Null while it is unknown. */
  readonly left_s: number | null;
  /** The maximum number of seeds with the stop rule, or null without a stop rule. */
  readonly seeds_max: number | null;
  /** The command that makes or continues the experiment. */
  readonly command: string;
  /** Whether the experiment keeps the journals of its runs. */
  readonly keeps_journals: boolean;
};

/** The mean, and the 5 % and 95 % quantiles, of the runs of a cell at each moment. */
type CellCurve = {
  readonly cell: string;
  /** The number of runs. */
  readonly n: number;
  readonly at_ms: readonly number[];
  readonly mean: readonly number[];
  readonly q05: readonly number[];
  readonly q95: readonly number[];
};

/** A figure over run time. */
export type FigureCurves = {
  /** The column of the trajectories. */
  readonly figure: string;
  readonly title: string;
  /** The measures that have the value of this figure at the end of a run. */
  readonly measures: readonly string[];
  readonly cells: readonly CellCurve[];
};

/** An experiment as a page shows it, also while its runs are made. */
export type ShownExperiment = {
  /** The results of the finished runs. */
  readonly result: ExperimentResult;
  /** Null if only the results are known. */
  readonly progress: ShownProgress | null;
  /** Empty if no run has figures over time. */
  readonly curves: readonly FigureCurves[];
  /** What each arm changes of the base. Empty if only the results are known. */
  readonly arms: readonly {
    readonly name: string;
    readonly settings: readonly { readonly key: string; readonly value: unknown }[];
  }[];
  /**
   * The findings in sentences, the clearest first. Empty while runs are missing. `measure` is null if
   * the sentence is about the whole experiment.
   */
  readonly findings: readonly { readonly measure: string | null; readonly text: string }[];
};

/** The figures over time of each run. */
export type Trajectories = { readonly [run: string]: Trajectory };

/** What tells a page whether to ask again. `version` changes with what the page shows. */
export type ExperimentHead = { readonly name: string; readonly version: string };

/** An experiment that a page follows. */
export type FollowedExperiment = {
  /** Null if no experiment is known. `version` changes with what `shown` returns. */
  readonly head: () => { readonly name: string; readonly version: string } | null;
  /** A problem says why there is nothing to show. */
  readonly shown: () => Result<{ experiment: ShownExperiment }>;
  /** Of those of `runs` that are done. */
  readonly trajectories: (runs: readonly string[]) => Trajectories;
};
