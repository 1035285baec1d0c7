import type { Result } from "../../kernel/index.ts";
import type { ExperimentResult, Trajectory } from "./result.ts";

/** `interrupted`: runs are missing, and no command makes them now. */
type ExperimentState = "running" | "interrupted" | "complete";

/** The runs of one cell. Those that are neither done, failed nor running are left to make. */
export type CellProgress = {
  readonly cell: string;
  readonly planned: number;
  readonly done: number;
  readonly failed: number;
  readonly running: number;
};

export type ShownProgress = {
  readonly state: ExperimentState;
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
  readonly arms: readonly ShownArm[];
  /** The findings in sentences, the clearest first. Empty while runs are missing. */
  readonly findings: readonly ShownFinding[];
};

type ShownArm = {
  readonly name: string;
  readonly settings: readonly { readonly key: string; readonly value: unknown }[];
};

/** `measure` is null if the sentence is about the whole experiment. */
type ShownFinding = { readonly measure: string | null; readonly text: string };

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
