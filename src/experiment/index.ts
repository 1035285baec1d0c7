export {
  experimentResult,
  isNarrowEnough,
  resultFile,
  rowOf,
  trajectoriesOf,
} from "./analysis/experiment-result.ts";
export { findings } from "./analysis/findings.ts";
export type { Experiment, Treatment } from "./design/experiment.ts";
export { seedsOf } from "./design/experiment-file.ts";
export {
  type CheckedCell,
  compareManifests,
  type Manifest,
  manifestHash,
  manifestText,
} from "./design/manifest.ts";
export { plannedRun, shellText, wholeRun } from "./design/planned-run.ts";
export { readExperiment } from "./design/read-experiment.ts";
export { followedExperiment } from "./live/followed-experiment.ts";
export type { MeasuredRun, UserMeasure } from "./measure/measure-run.ts";
export { packInputs } from "./plan/input-files.ts";
export { type PlannedExperiment, planExperiment } from "./plan/plan-experiment.ts";
export { type JournalStore, journalStore } from "./queue/journal-store.ts";
export { QueueExecutor } from "./queue/queue-executor.ts";
export { QueueWorker, RUN_RESULTS, type WorkerEvent } from "./queue/queue-worker.ts";
export { QUEUE_ROOM } from "./queue/run-job.ts";
export { curveLines, differenceRows, runRows } from "./report/chart-specs.ts";
export type { ReportInput } from "./report/report-input.ts";
export { writeReport } from "./report/write-report.ts";
export {
  CONTRAST_COLUMNS,
  type ResultColumn,
  SUMMARY_COLUMNS,
  shownColumns,
} from "./result/columns.ts";
export type {
  BandRow,
  CellProgress,
  Contrast,
  ExperimentHead,
  ExperimentResult,
  Factors,
  FactorValue,
  FigureCurves,
  FollowedExperiment,
  Interval,
  MeasureResult,
  RunRow,
  ShownExperiment,
  ShownProgress,
  Summary,
  Trajectories,
  Trajectory,
} from "./result/result.ts";
export { pointText } from "./result/result.ts";
export type { Executor, Job, JobOutcome, Made } from "./run/executor.ts";
export {
  type ExperimentProgress,
  ExperimentRunner,
  type RunOutcome,
  secondsLeft,
} from "./run/experiment-runner.ts";
export { makeRun } from "./run/make-run.ts";
export { ResultLog } from "./run/result-log.ts";
