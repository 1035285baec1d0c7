import type {
  CellProgress,
  ExperimentResult,
  ExperimentState,
  ShownExperiment,
  ShownFinding,
  ShownProgress,
} from "../../observe/index.ts";
import type { Experiment } from "../design/experiment.ts";
import { type PlannedRun, plannedRun } from "../design/planned-run.ts";
import { reportDesignOf } from "../report/report-design.ts";
import { curvesOf } from "../results/curves.ts";
import { experimentResult, isNarrowEnough, trajectoriesOf } from "../results/experiment-result.ts";
import { findings } from "../results/findings.ts";
import { type RunOutcome, secondsLeft } from "../run/experiment-runner.ts";
import type { ExperimentPlan } from "../run/log-line.ts";
import type { LoggedRuns } from "./log-reader.ts";

type Now = {
  /** True if a command makes runs now. */
  readonly isMaking: boolean;
  /** The ids of the runs that processes of this machine make now, also of common pasts. */
  readonly running: readonly string[];
};

/**
 * An experiment from the runs that are finished so far, computed as the command computes the final
 * results. When all runs are finished, both results are the same.
 */
export const shownExperiment = (
  { plan, addedSeeds, outcomes: known, made, lastAtMs }: LoggedRuns,
  { isMaking, running }: Now,
): ShownExperiment => {
  const { experiment, dir, manifestHash } = plan;
  const outcomes = plannedRuns({ plan, addedSeeds }).map((run): RunOutcome => {
    const outcome = known.get(run.id) ?? null;
    return { run, outcome, reason: outcome === null ? "not made yet" : null };
  });
  const planned = new Set(outcomes.map(({ run }) => run.id));
  const whole = experimentResult(experiment, { dir, manifestHash, outcomes, limit: null });
  const state = stateOf(plan, outcomes, isMaking);
  // The stop rule can still reach its width with more seeds.
  const warnings = whole.warnings.filter(({ kind }) => !isMaking || kind !== "wide_interval");
  const result = { ...whole, complete: state === "complete", warnings };
  const progress: ShownProgress = {
    state,
    cells: cellsProgress(result, running),
    running: running.filter((id) => planned.has(id)),
    queued: plan.isQueued,
    left_s: isMaking ? timeLeft(plan, { outcomes, made, lastAtMs }) : null,
    seeds_max: experiment.stop?.seedsMax ?? null,
    command: plan.command,
    keeps_journals: experiment.keep !== "figures",
  };
  const curves = curvesOf(experiment.measures, experiment.cells, result, trajectoriesOf(outcomes));
  const { arms } = reportDesignOf(experiment, plan.command);
  return { result, progress, curves, arms, findings: findingsOf(result) };
};

/** None of unfinished results: a look at them is not a test. */
export const findingsOf = (result: ExperimentResult): readonly ShownFinding[] =>
  result.complete ? findings(result).map(({ measure, text }) => ({ measure, text })) : [];

/** The runs of the seeds in the plan, and of those that the stop rule has added. */
const plannedRuns = ({ plan, addedSeeds }: Logged): readonly PlannedRun[] => {
  const { experiment, dir } = plan;
  return [...experiment.seeds, ...addedSeeds].flatMap((seed) =>
    experiment.cells.map((cell) => plannedRun(experiment, { cell, seed, dir })),
  );
};

type Logged = Pick<LoggedRuns, "plan" | "addedSeeds">;

const stateOf = (
  { experiment }: ExperimentPlan,
  outcomes: readonly RunOutcome[],
  isMaking: boolean,
): ExperimentState => {
  if (isMaking) return "running";
  if (outcomes.some(({ outcome }) => outcome === null)) return "interrupted";
  return asksForSeeds(experiment, outcomes) ? "interrupted" : "complete";
};

const asksForSeeds = (experiment: Experiment, outcomes: readonly RunOutcome[]): boolean => {
  const seeds = new Set(outcomes.map(({ run }) => run.seed)).size;
  const hasAllSeeds = seeds >= (experiment.stop?.seedsMax ?? 0);
  return !hasAllSeeds && !isNarrowEnough(experiment, outcomes);
};

const cellsProgress = (
  { runs }: Pick<ExperimentResult, "runs">,
  running: readonly string[],
): readonly CellProgress[] => {
  const now = new Set(running);
  return [...Map.groupBy(runs, ({ cell }) => cell)].map(([cell, own]) => ({
    cell,
    planned: own.length,
    done: own.filter(({ status }) => status === "done").length,
    failed: own.filter(({ status }) => status === "failed").length,
    running: own.filter(({ id }) => now.has(id)).length,
  }));
};

/** The time left is estimated after as many runs as are made at a time, or after this many. */
const RATE_RUNS_MAX = 8;

type Made = Pick<LoggedRuns, "made" | "lastAtMs"> & { readonly outcomes: readonly RunOutcome[] };

const timeLeft = (
  { slots, startedAtMs }: ExperimentPlan,
  { outcomes, made, lastAtMs }: Made,
): number | null => {
  if (made < Math.min(slots, RATE_RUNS_MAX)) return null;
  const left = outcomes.filter(({ outcome }) => outcome === null).length;
  return secondsLeft({ elapsedS: (lastAtMs - startedAtMs) / 1_000, made, left });
};
