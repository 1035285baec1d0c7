/**
 * `stopped`: it ended before its horizon and can be resumed. `interrupted`: it is marked as
 * running, but no process writes it.
 */
export type RunStatus = "running" | "finished" | "stopped" | "failed" | "interrupted";

/** One run, as `sim runs --json` and the list of runs show it. */
export type RunRecord = {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly started_at: string;
  /** Run time at its start: 0, or that of the state it was forked at. */
  readonly from_s: number;
  /** Run time so far, and its own events; null if only a damaged journal has them. */
  readonly duration_s: number | null;
  readonly events: number | null;
  readonly parent: string | null;
};

export type RunStore = {
  /** The newest first, without unreadable ones. */
  readonly list: () => readonly RunRecord[];
  /** The folder of a run; null for any other text. */
  readonly folderOf: (runId: string) => string | null;
  readonly statusOf: (runId: string) => RunStatus | "unknown";
};
