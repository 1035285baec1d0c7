/**
 * A `stopped` run ended before its horizon and can be resumed. An `interrupted` run is marked as
 * running, but no process writes it.
 */
export type RunStatus = "running" | "finished" | "stopped" | "failed" | "interrupted";

/** One run, as `sim runs --json` and the list of runs show it. */
export type RunRecord = {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly started_at: string;
  /** Run time at the start of this run: 0, or the run time of the fork. */
  readonly from_s: number;
  /** Run time so far, and events since the start or fork; null if the journal is damaged. */
  readonly duration_s: number | null;
  readonly events: number | null;
  readonly parent: string | null;
};

export type RunStore = {
  /** Lists the readable runs, newest first. */
  readonly list: () => readonly RunRecord[];
  /** Returns the folder of a run, or null if the text does not identify a run. */
  readonly folderOf: (runId: string) => string | null;
  readonly statusOf: (runId: string) => RunStatus | "unknown";
};
