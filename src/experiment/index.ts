export {
  type CheckedCell,
  compareManifests,
  type Manifest,
  manifestHash,
  manifestOf,
  manifestText,
} from "./design/manifest.ts";
export { plannedRun, runsFolder, scheduleSettings, shellText } from "./design/planned-run.ts";
export type { CommonTreatment, Experiment, Measure, Treatment } from "./experiment.ts";
export { seedsOf } from "./file/experiment-schema.ts";
export { readExperiment } from "./file/read-experiment.ts";
export { followedExperiment } from "./live/followed-experiment.ts";
export { measurementOf } from "./measure/measure-run.ts";
export { loadMeasure, type MeasuredRun, type UserMeasure } from "./measure/user-measure.ts";
export { type JournalStore, journalStore } from "./queue/journal-store.ts";
export { QueueExecutor, type QueueExecutorParts } from "./queue/queue-executor.ts";
export { type Made, QueueWorker, RUN_RESULTS, type WorkerEvent } from "./queue/queue-worker.ts";
export { QUEUE_ROOM } from "./queue/run-job.ts";
export {
  type ExperimentFinding,
  findings,
  type ReportArm,
  type ReportDesign,
  type ReportInput,
  type ReportSetting,
  writeReport,
} from "./report/index.ts";
export { reportDesignOf } from "./report-design.ts";
export {
  experimentResult,
  isNarrowEnough,
  rowOf,
  trajectoriesOf,
} from "./result.ts";
export type { Executor, FinishedRun, Job, JobOutcome } from "./run/executor.ts";
export {
  type ExperimentProgress,
  ExperimentRunner,
  type RunOutcome,
  secondsLeft,
} from "./run/experiment-runner.ts";
export { ResultLog } from "./run/result-log.ts";
