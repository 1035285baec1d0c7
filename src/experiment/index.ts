export {
  experimentResult,
  isNarrowEnough,
  resultFile,
  rowOf,
  trajectoriesOf,
} from "./analysis/experiment-result.ts";
export { findings } from "./analysis/findings.ts";
export type { Experiment, Measure, Treatment } from "./design/experiment.ts";
export { seedsOf } from "./design/experiment-file.ts";
export {
  type CheckedCell,
  compareManifests,
  type Manifest,
  manifestHash,
  manifestOf,
  manifestText,
} from "./design/manifest.ts";
export { plannedRun, scheduleSettings, shellText } from "./design/planned-run.ts";
export { readExperiment } from "./design/read-experiment.ts";
export { followedExperiment } from "./live/followed-experiment.ts";
export {
  loadMeasure,
  type MeasuredRun,
  measurementOf,
  type UserMeasure,
} from "./measure/measure-run.ts";
export { type JournalStore, journalStore } from "./queue/journal-store.ts";
export { QueueExecutor } from "./queue/queue-executor.ts";
export { type Made, QueueWorker, RUN_RESULTS, type WorkerEvent } from "./queue/queue-worker.ts";
export { QUEUE_ROOM } from "./queue/run-job.ts";
export type { ReportInput } from "./report/report-input.ts";
export { writeReport } from "./report/write-report.ts";
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
export type { Executor, FinishedRun, Job, JobOutcome } from "./run/executor.ts";
export {
  type ExperimentProgress,
  ExperimentRunner,
  type RunOutcome,
  secondsLeft,
} from "./run/experiment-runner.ts";
export { ResultLog } from "./run/result-log.ts";
