import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Result } from "../../kernel/index.ts";
import { runHolder } from "../../world/index.ts";
import { curvesOf } from "../analysis/curves.ts";
import {
  experimentResult,
  isNarrowEnough,
  savedResult,
  trajectoriesOf,
} from "../analysis/experiment-result.ts";
import { findings } from "../analysis/findings.ts";
import { changedSettings } from "../design/experiment.ts";
import { plannedRun, runsFolder } from "../design/planned-run.ts";
import type {
  ExperimentResult,
  FollowedExperiment,
  ShownExperiment,
  ShownProgress,
} from "../result/result.ts";
import { type RunOutcome, secondsLeft } from "../run/experiment-runner.ts";
import { type ExperimentPlan, type LoggedRuns, LogReader } from "../run/result-log.ts";

type Answer = Result<{ experiment: ShownExperiment }>;

/** While runs are made, the statistics take at most this share of the time. */
const BUSY_SHARE_MAX = 0.05;

/**
 * Follows the experiment in the folder `dir`, also while a command makes its runs. Only reads the
 * folder. `nowMs` is a monotonic clock in ms.
 */
export const followedExperiment = (
  dir: string,
  nowMs: () => number = () => performance.now(),
): FollowedExperiment => {
  const log = new LogReader(dir);
  let last: { status: FolderStatus; answer: Answer; atMs: number; tookMs: number } | null = null;
  let wasThere = false;
  /** The status of the folder, or an earlier one while the share of time is used up. */
  const current = (): FolderStatus | null => {
    const status = statusOf(dir, log);
    wasThere ||= status !== null;
    const isMaking = status?.isMaking === true && last?.status.isMaking === true;
    if (last === null || !isMaking) return status;
    return nowMs() - last.atMs < last.tookMs / BUSY_SHARE_MAX ? last.status : status;
  };
  return {
    head: () => {
      const status = current();
      return status === null ? null : { name: status.name, version: status.version };
    },
    shown: () => {
      const status = current();
      if (status === null) return { ok: false, problem: whyNone(dir, wasThere) };
      if (last?.status.version !== status.version) {
        const startedMs = nowMs();
        const answer = experimentIn(dir, status);
        const atMs = nowMs();
        last = { status, answer, atMs, tookMs: atMs - startedMs };
      }
      return last.answer;
    },
    trajectories: (runs) => {
      const read = log.read();
      if (!read.ok || read.logged.plan === null) return {};
      const { outcomes } = read.logged;
      return Object.fromEntries(
        runs.flatMap((id) => {
          const outcome = outcomes.get(id);
          return outcome?.ok === true ? [[id, outcome.run.trajectory] as const] : [];
        }),
      );
    },
  };
};

/** The log of an experiment whose command has begun. */
type BegunRuns = LoggedRuns & { readonly plan: ExperimentPlan };

/** What is known of an experiment without statistics. */
type FolderStatus = {
  readonly name: string;
  readonly version: string;
  readonly logged: BegunRuns | null;
  /** Why the log cannot be read, or null. */
  readonly problem: string | null;
  /** True if a command makes runs now. */
  readonly isMaking: boolean;
  /** The ids of the runs that processes of this machine make now, also of common pasts. */
  readonly running: readonly string[];
};

const whyNone = (dir: string, wasThere: boolean): string =>
  wasThere && !existsSync(dir)
    ? `the folder of the experiment, ${resolve(dir)}, is gone`
    : "no experiment made these runs";

const statusOf = (dir: string, log: LogReader): FolderStatus | null => {
  const read = log.read();
  const problem = read.ok ? null : read.problem;
  const plan = read.ok ? read.logged.plan : null;
  const logged = read.ok && plan !== null ? { ...read.logged, plan } : null;
  const isMaking = logged !== null && runHolder(dir) !== null;
  const running = logged !== null && isMaking ? runningIn(dir, logged) : [];
  const savedAt = statSync(join(dir, "result.json"), { throwIfNoEntry: false })?.mtimeMs ?? null;
  const parts = [logged?.lastAtMs, logged?.outcomes.size, logged?.addedSeeds.length];
  const version = [...parts, isMaking, savedAt, ...running, problem].join();
  const status = { version, logged, problem, isMaking, running };
  if (plan !== null) return { name: plan.experiment.name, ...status };
  const name = savedAt === null ? null : (savedResult(dir)?.name ?? null);
  if (name !== null) return { name, ...status };
  return problem === null ? null : { name: basename(resolve(dir)), ...status };
};

const runningIn = (dir: string, { plan, outcomes }: BegunRuns): readonly string[] => {
  const folder = runsFolder(dir);
  if (plan.isQueued || !existsSync(folder)) return [];
  return readdirSync(folder).filter(
    (id) => !outcomes.has(id) && runHolder(join(folder, id)) !== null,
  );
};

const experimentIn = (dir: string, status: FolderStatus): Answer => {
  const { logged, problem, isMaking } = status;
  if (problem !== null) return { ok: false, problem };
  const saved = isMaking ? null : savedResult(dir);
  if (logged !== null) return { ok: true, experiment: shownExperiment(logged, status, saved) };
  if (saved === null) return { ok: false, problem: whyNone(dir, true) };
  const only = { progress: null, curves: [], arms: [], findings: findingsOf(saved) };
  return { ok: true, experiment: { result: saved, ...only } };
};

/**
 * An experiment from the runs that are finished so far, computed as the command computes the final
 * results. When all runs are finished, both results are the same.
 */
const shownExperiment = (
  { plan, addedSeeds, outcomes: known, made, lastAtMs }: BegunRuns,
  { isMaking, running }: FolderStatus,
  saved: ExperimentResult | null,
): ShownExperiment => {
  const { experiment, dir, manifestHash, slots, startedAtMs } = plan;
  const outcomes = [...experiment.seeds, ...addedSeeds].flatMap((seed) =>
    experiment.cells.map((cell): RunOutcome => {
      const run = plannedRun(experiment, { cell, seed, dir });
      const outcome = known.get(run.id) ?? null;
      return { run, outcome, reason: outcome === null ? "not made yet" : null };
    }),
  );
  const left = outcomes.filter(({ outcome }) => outcome === null).length;
  const hasAllSeeds =
    experiment.seeds.length + addedSeeds.length >= (experiment.stop?.seedsMax ?? 0);
  const isOver = left === 0 && (hasAllSeeds || isNarrowEnough(experiment, outcomes));
  const state = isMaking ? "running" : isOver ? "complete" : "interrupted";
  const whole = experimentResult(experiment, { dir, manifestHash, outcomes, limit: null });
  // The stop rule can still reach its width with more seeds.
  const warnings = whole.warnings.filter(({ kind }) => !isMaking || kind !== "wide_interval");
  const result = { ...whole, complete: state === "complete", warnings };
  // The time left is estimated after as many runs as are made at a time, or after eight.
  const isRateKnown = isMaking && made >= Math.min(slots, 8);
  const elapsedS = (lastAtMs - startedAtMs) / 1_000;
  const progress: ShownProgress = {
    state,
    cells: cellsProgress(result, running),
    running: running.filter((id) => outcomes.some(({ run }) => run.id === id)),
    queued: plan.isQueued,
    left_s: isRateKnown ? secondsLeft({ elapsedS, made, left }) : null,
    seeds_max: experiment.stop?.seedsMax ?? null,
    command: plan.command,
    keeps_journals: experiment.keep !== "figures",
  };
  const trajectories = trajectoriesOf(outcomes);
  return {
    // Only the saved result says which limit was reached.
    result: isOfSameRuns(saved, result) ? { ...saved, complete: result.complete } : result,
    progress,
    curves: curvesOf(experiment.measures, experiment.cells, result, trajectories),
    arms: experiment.arms.flatMap((name) => {
      const cell = experiment.cells.find(({ arm }) => arm === name);
      return cell === undefined ? [] : [{ name, settings: changedSettings(cell) }];
    }),
    findings: findingsOf(result),
  };
};

/** None of unfinished results: a look at them is not a test. */
const findingsOf = (result: ExperimentResult): ShownExperiment["findings"] =>
  result.complete ? findings(result).map(({ measure, text }) => ({ measure, text })) : [];

const cellsProgress = (
  { runs }: ExperimentResult,
  running: readonly string[],
): ShownProgress["cells"] =>
  [...Map.groupBy(runs, ({ cell }) => cell)].map(([cell, own]) => ({
    cell,
    planned: own.length,
    done: own.filter(({ status }) => status === "done").length,
    failed: own.filter(({ status }) => status === "failed").length,
    running: own.filter(({ id }) => running.includes(id)).length,
  }));

const isOfSameRuns = (
  saved: ExperimentResult | null,
  computed: ExperimentResult,
): saved is ExperimentResult =>
  saved?.manifest_hash === computed.manifest_hash && statesIn(saved) === statesIn(computed);

const statesIn = ({ runs }: ExperimentResult): string =>
  runs.map(({ id, status, journal_hash: hash }) => `${id} ${status} ${hash}`).join("\n");
